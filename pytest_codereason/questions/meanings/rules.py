"""Rules that give symbols or words another meaning, and the program that does as usual what they make of one.

Example: by the rule that ``+`` and ``-`` are exchanged, ``t + i * 2`` does what ``((t) - (i * 2))`` does. Brackets keep
the order in which the shown program is evaluated, which no rule changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_codereason.core import Language, Program
from pytest_codereason.core.language.structure import Code, Site, Span
from pytest_codereason.core.programs import EMPTY
from pytest_codereason.core.text.brackets import find_closing_bracket

#: What an operation gives, by its symbol.
MEANINGS: Mapping[str, str] = {
    "+": "the sum of x and y",
    "-": "x minus y",
    "*": "the product of x and y",
    "<": "true if x is less than y",
    ">=": "true if x is at least y",
    ">": "true if x is greater than y",
    "<=": "true if x is at most y",
    "==": "true if x equals y",
    "!=": "true if x does not equal y",
    "===": "true if x equals y and is of the same type",
    "!==": "true if x does not equal y, or is of another type",
}
#: Symbols that may be exchanged.
SWAPS = (("+", "-"), ("<", ">="), (">", "<="), ("==", "!="), ("===", "!=="), ("*", "+"))
ARITHMETIC = frozenset("+-*")
#: Symbols of no language.
NEW = "⊕⊗⊖◇▷◁"
#: Words for an ``if`` behind another one, where they are one word.
_ELSE_IF = re.compile(r"\b(elif|elseif)\b")
_IF = re.compile(r"\bif\b")
_STEP = re.compile(r"\+\+|--")
#: An operand that needs no brackets.
_PLAIN = re.compile(r"[$\w.]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningRule:
    """One rule: what it says, what the same words say as usual, and what is written where it is undone."""

    words: str
    usual: str
    symbols: frozenset[str] = frozenset()  #: which no other rule may speak of
    operators: Mapping[str, str] = field(default_factory=dict)
    literals: Mapping[str, str] = field(default_factory=dict)
    statements: Mapping[str, str] = field(default_factory=dict)
    negation: str = ""  #: what stands before the condition of each ``if``

    def __hash__(self) -> int:
        return hash(self.words)


def list_swaps(code: Code, *, may_join: bool) -> Iterator[MeaningRule]:
    """The rules that exchange two symbols of which the program has one.

    Where ``+`` may join texts or lists, no rule speaks of it.
    """
    known = {site.form for site in code.sites_of("operator") if len(site.parts) > 1}
    for one, other in SWAPS:
        operators, more = {one: other, other: one}, ""
        if one in ARITHMETIC:  # a comparison with a sign of equality behind it is another one
            operators |= {f"{one}=": f"{other}=", f"{other}=": f"{one}="}
        if known.isdisjoint(operators) or (may_join and "+" in (one, other)):
            continue
        if one in ARITHMETIC:
            if known & {f"{one}=", f"{other}="}:
                more = f" `x {one}= y` and `x {other}= y` change x accordingly."
            if _STEP.search(code.source):
                more += " `++` and `--` count as usual."
        yield MeaningRule(
            words=f"`x {one} y` is {MEANINGS[other]}, and `x {other} y` is {MEANINGS[one]}.{more}",
            usual=f"`x {one} y` is {MEANINGS[one]}, and `x {other} y` is {MEANINGS[other]}.{more}",
            symbols=frozenset((one, other)),
            operators=operators,
        )


def list_words(lang: Language, code: Code) -> Iterator[MeaningRule]:
    """The rules that exchange two words of which the program has one, or turn its conditions round."""
    forms = lang.dialect.faults
    if forms is None:
        return
    known = {site.form for site in code.sites_of("operator")}
    for one, other in forms.connectives.items():
        if one < other and not known.isdisjoint((one, other)):
            yield MeaningRule(
                words=f"`{one}` and `{other}` are exchanged: each means the other.",
                usual=f"`{one}` and `{other}` mean what they always do.",
                symbols=frozenset((one, other)),
                operators={one: other, other: one},
            )
    yes, no = forms.truths
    if {code.source[slice(*site.span)] for site in code.sites_of("literal")} & {yes, no}:
        yield MeaningRule(
            words=f"`{yes}` in the program stands for {no}, and `{no}` for {yes}.",
            usual=f"`{yes}` in the program stands for {yes}, and `{no}` for {no}.",
            symbols=frozenset((yes, no)),
            literals={yes: no, no: yes},
        )
    kinds = {statement.kind for statement in code.statements}
    # What leaves a ``switch`` in a loop leaves no loop, and languages differ in what goes on there.
    if "switch" not in kinds and (kinds := kinds & {"break", "continue"}):
        yield MeaningRule(
            words="`break` goes on with the next round of the loop, and `continue` leaves the loop.",
            usual="`break` leaves the loop, and `continue` goes on with its next round.",
            symbols=frozenset(kinds),
            statements={"break": "continue", "continue": "break"},
        )
    further = _ELSE_IF.search(code.source)
    conditions = [site for site in code.sites_of("condition") if site.holder == "if"]
    # A word that is no statement, as in ``a if b else c``, would be under the rule too.
    if conditions and len(_IF.findall(code.source)) + len(_ELSE_IF.findall(code.source)) == len(conditions):
        word = f"`if` and `{further[1]}` run their" if further else "`if` runs its"
        more = " A block behind `else` then runs where the condition of its `if` is {}."
        yield MeaningRule(
            words=f"{word} block where the condition is false.{more.format('true')}",
            usual=f"{word} block where the condition is true.{more.format('false')}",
            symbols=frozenset(("if",)),
            negation=forms.negation,
        )


def list_symbols(code: Code, *, may_join: bool) -> Iterator[MeaningRule]:
    """The rules that write a new symbol for an operator, each with another in place of ``{}``."""
    sites = [site for site in code.sites_of("operator") if len(site.parts) == 2]
    ends = [end for site in sites for end in site.parts if site.form not in ARITHMETIC]
    chained = {site.form for site in sites if any(ends.count(part) > 1 for part in site.parts)}
    for form in dict.fromkeys(site.form for site in sites):
        if form in MEANINGS and form not in chained and not (may_join and form == "+"):
            words = f"`x {{}} y` is {MEANINGS[form]}."
            yield MeaningRule(words=words, usual=words, symbols=frozenset((form,)), operators={form: "{}"})


def undo(program: Program, code: Code, rules: Sequence[MeaningRule]) -> Program:
    """The program that does as usual what the rules make of ``program``."""
    return program.replace_source(rewrite(code, rules))


def rewrite(code: Code, rules: Sequence[MeaningRule]) -> str:
    """The text with every symbol or word of the rules written as they say."""
    source, writer = code.source, _Writer(code.source)
    operators = _join(rule.operators for rule in rules)
    literals = _join(rule.literals for rule in rules)
    statements = _join(rule.statements for rule in rules)
    for site in code.sites_of("operator"):
        if (other := operators.get(site.form)) and len(site.parts) > 1:
            writer.write_operation(site, other)
    for site in code.sites_of("literal"):
        if other := literals.get(source[slice(*site.span)]):
            writer.replace(site.span, other)
    for statement in code.statements:
        if other := statements.get(statement.kind):
            writer.replace(Span(statement.span.start, statement.span.start + len(statement.kind)), other)
    for negation in filter(None, (rule.negation for rule in rules)):
        for site in code.sites_of("condition"):
            if site.holder == "if":
                writer.surround(site.span, before=f"{negation}(", force=True)
    return writer.text


def _join(tables: Iterator[Mapping[str, str]]) -> Mapping[str, str]:
    joined: dict[str, str] = {}
    for table in tables:
        joined |= table
    return joined or EMPTY


class _Writer:
    """A text in which stretches are replaced, and others get brackets."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._replaced: dict[int, tuple[int, str]] = {}
        self._opened: dict[int, list[str]] = {}
        self._closed: dict[int, int] = {}
        self._surrounded: set[Span] = set()

    def replace(self, span: Span, text: str) -> None:
        """Writes a text in place of a stretch."""
        self._replaced[span.start] = (span.end, text)

    def surround(self, span: Span, before: str = "(", *, force: bool = False) -> None:
        """Puts brackets around a stretch, unless it is a name or a number, or has brackets around it already."""
        if force or not (_PLAIN.fullmatch(self._source, *span) or span in self._surrounded or self._has_brackets(span)):
            self._surrounded.add(span)
            self._opened.setdefault(span.start, []).append(before)
            self._closed[span.end] = self._closed.get(span.end, 0) + 1

    def _has_brackets(self, span: Span) -> bool:
        source = self._source
        if source[span.start] == "(" and find_closing_bracket(source, span.start + 1) == span.end - 1:
            return True
        return source[span.start - 1 : span.start] == "(" and source[span.end : span.end + 1] == ")"

    def write_operation(self, site: Site, other: str) -> None:
        """Writes another operator, with operands that are what they were."""
        self.replace(site.span, other)
        if site.form[:-1] in ARITHMETIC:  # ``x += y``
            return
        for part in site.parts:
            self.surround(part)
        if other not in MEANINGS or site.form in ARITHMETIC:  # comparisons stay in their chain: ``a < b < c``
            self.surround(Span(site.parts[0].start, site.parts[-1].end))

    @property
    def text(self) -> str:
        """The whole text."""
        pieces, at = [], 0
        while at <= len(self._source):
            pieces.append(")" * self._closed.get(at, 0))
            pieces += reversed(self._opened.get(at, []))
            if at in self._replaced:
                end, text = self._replaced[at]
                pieces.append(text)
                at = end
            else:
                pieces.append(self._source[at : at + 1])
                at += 1
        return "".join(pieces)
