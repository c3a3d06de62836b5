"""Draws the rules of a question, and finds out by runs what the program gives under them."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pytest_codereason.changes.faults._places import read_places
from pytest_codereason.changes.faults._variables import Variables
from pytest_codereason.core import Ask, Completion, Instance, Language, Program, derive_seed, run_program
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.language.structure import Code
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import DoesNotParse, NotALiteral, Skip
from pytest_codereason.questions.meanings.rules import (
    NEW,
    SWAPS,
    MeaningRule,
    list_swaps,
    list_symbols,
    list_words,
    rewrite,
    undo,
)
from pytest_codereason.questions.pairs.domains import list_leaves

#: Raised whenever the same seed would draw other rules.
VERSION = 3
#: The values of the axis ``meaning``.
NONE, RESTATED, SWAPPED, KEYWORDS, SYMBOLS = "none", "restated", "swapped", "keywords", "symbols"
#: How many rules each takes.
COUNTS = {SWAPPED: (1, 2, 4), KEYWORDS: (1, 2), SYMBOLS: (2, 4)}
VALUES = (NONE, RESTATED, *(f"{kind}(rules={count})" for kind, counts in COUNTS.items() for count in counts))
#: Rules of the control, which says the usual thing, if there are so many.
_RESTATED = 2
#: Drawings before a program is given up.
_DRAWINGS = 20
#: From here on a float does not hold every whole number: who works the value out exactly gets another one.
_MOST = 2.0**53
#: Characters of the longest value under rules, unless the usual one is longer.
MOST_ANSWER = 200
LIMITS = Limits(cpu_s=5, wall_s=30.0)
_VALUE = re.compile(r"(\w+)\(rules=(\d)\)")
_PARTNERS = {one: other for pair in reversed(SWAPS) for one, other in (pair, pair[::-1])}

Running = Generator[Ask | Run, Completion | Execution, "Meaning | None"]


class Wanted(NamedTuple):
    """Which rules a question wants."""

    kind: str
    rules: int

    @classmethod
    def read(cls, value: str) -> Wanted:
        """``swapped(rules=2)`` as kind and number."""
        found = _VALUE.fullmatch(value)
        return cls(found[1], int(found[2])) if found else cls(value, _RESTATED if value == RESTATED else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A program as it is shown, the rules that are said of it, and what it then gives."""

    shown: str
    words: Sequence[str]
    value: Any
    usual: Any  #: what it gives as the language is


def find_meaning(
    instance: Instance, lang: Language, value: str
) -> Generator[Ask | Run, Completion | Execution, Meaning]:
    """The rules of a question, with what the program gives under them.

    Raises:
        Skip: no rules change what the program gives.
    """
    program, wanted = instance.program, Wanted.read(value)
    if len(program.files) > 1:
        raise Skip("the program has several files")
    usual = program.facts["output"]
    if is_guessed(usual):
        raise Skip("the value of the program could be guessed")
    if wanted.kind == NONE:
        return Meaning(shown=program.source, words=(), value=usual, usual=usual)
    try:
        code = lang.syntax.parse(program.source, program.call)
    except DoesNotParse as error:
        raise Skip(f"the program cannot be read: {error}") from error
    rules = _list_rules(lang, code, program, wanted.kind)
    seed = derive_seed(instance.seed, "meaning", VERSION, value, instance.language, instance.family)
    draws, tried = Draws(seed), set[frozenset[MeaningRule]]()
    for _ in range(_DRAWINGS):
        chosen = _draw_rules(rules, wanted.rules, draws)
        enough = len(chosen) == wanted.rules or (chosen and wanted.kind == RESTATED)
        if enough and frozenset(chosen) not in tried:
            tried.add(frozenset(chosen))
            found = yield from _Trial(lang, program, code, usual).make(wanted.kind, chosen, draws)
            if found is not None:
                return found
    if not tried:
        raise Skip(f"the program has no {wanted.rules} rules of the kind {wanted.kind}")
    raise Skip(f"no rules of the kind {wanted.kind} change what the program gives, each on its own account")


def _list_rules(lang: Language, code: Code, program: Program, kind: str) -> list[MeaningRule]:
    joins = _may_join(lang, code, program)
    if kind == KEYWORDS:
        return list(list_words(lang, code))
    if kind == SYMBOLS:
        return list(list_symbols(code, may_join=joins))
    words = list_words(lang, code) if kind == RESTATED else ()
    return [*list_swaps(code, may_join=joins), *words]


def _may_join(lang: Language, code: Code, program: Program) -> bool:
    """Whether a ``+`` of a program may join texts or lists, as far as its text, its arguments and its value tell."""
    sites = [site for site in code.sites_of("operator") if site.form in ("+", "+=")]
    if not sites:
        return False
    variables = Variables(read_places(program))
    if all({"number"} <= {variables.find_sort(part) for part in site.parts} <= {"", "number"} for site in sites):
        return False
    _, _, rest = program.call.strip().partition("(")
    try:
        arguments: Sequence[Any] = lang.values.read_arguments(rest.removesuffix(")")).values
    except NotALiteral:
        return True
    values = [*arguments, program.facts["output"]]
    if any(isinstance(value, (list, tuple)) for value in values):
        return True
    texts = any(isinstance(leaf, (str, bytes)) for leaf in list_leaves(values))
    return texts or any(site.form == "str" for site in code.sites_of("literal"))


def _draw_rules(rules: Sequence[MeaningRule], count: int, draws: Draws) -> list[MeaningRule]:
    """So many rules of which no two speak of one symbol; fewer where there are not so many."""
    chosen: list[MeaningRule] = []
    for rule in draws.shuffle(rules):
        if len(chosen) < count and all(rule.symbols.isdisjoint(other.symbols) for other in chosen):
            chosen.append(rule)
    return chosen


def is_guessed(value: Any) -> bool:
    """Whether a guess gives a value: it is a truth value, nothing, or empty."""
    return value is None or isinstance(value, bool) or (isinstance(value, Collection) and not value)


class _Trial:
    """Finds out whether rules make a question of a program."""

    def __init__(self, lang: Language, program: Program, code: Code, usual: Any) -> None:
        self._lang, self._program, self._code, self._usual = lang, program, code, usual

    def make(self, kind: str, rules: Sequence[MeaningRule], draws: Draws) -> Running:
        """What the program gives under the rules; ``None`` if they make no question."""
        if kind == RESTATED:
            return self._make_meaning([rule.usual for rule in rules], self._usual)
        if kind == SYMBOLS:
            return (yield from self._write_symbols(rules, draws))
        changed = yield from self._run(rules)
        if not changed.returned or self._equal(changed.value, self._usual) or self._is_odd(changed.value):
            return None
        if not self._ends_alike(changed, (yield from self._run(rules, attempt=1))):
            return None
        for rule in rules if len(rules) > 1 else ():
            without = yield from self._run([other for other in rules if other is not rule])
            if self._ends_alike(changed, without):
                return None
        return self._make_meaning([rule.words for rule in rules], changed.value)

    def _write_symbols(self, rules: Sequence[MeaningRule], draws: Draws) -> Running:
        """The program with new symbols, each of which matters: another operator in its place gives another value."""
        for rule in rules:
            [form] = rule.symbols
            other = yield from self._run([replace(rule, operators={form: _PARTNERS[form]})])
            if other.returned and self._equal(other.value, self._usual):
                return None
        signs = dict(zip(rules, draws.shuffle(NEW), strict=False))
        written = [replace(rule, operators={form: sign}) for rule, sign in signs.items() for form in rule.operators]
        shown = rewrite(self._code, written)
        words = [rule.words.format(sign) for rule, sign in signs.items()]
        return Meaning(shown=shown, words=words, value=self._usual, usual=self._usual)

    def _make_meaning(self, words: Sequence[str], value: Any) -> Meaning:
        return Meaning(shown=self._program.source, words=words, value=value, usual=self._usual)

    def _run(
        self, rules: Sequence[MeaningRule], attempt: int = 0
    ) -> Generator[Ask | Run, Completion | Execution, Execution]:
        changed = undo(self._program, self._code, rules)
        return (yield from run_program(replace(Run.from_program(changed, limits=LIMITS), attempt=attempt)))

    def _equal(self, one: Any, other: Any) -> bool:
        return self._lang.values.equal(one, other)

    def _ends_alike(self, one: Execution, other: Execution) -> bool:
        return one.ends_as(other, self._equal, prints=False)

    def _is_odd(self, value: Any) -> bool:
        """Whether a value is long or guessed, or holds what comes of arithmetic with no numbers, or was rounded."""
        most = max(MOST_ANSWER, len(self._lang.values.write(self._usual)))
        return (
            is_guessed(value)
            or len(self._lang.values.write(value)) > most
            or any(isinstance(leaf, float) and not abs(leaf) < _MOST for leaf in list_leaves([value]))
        )
