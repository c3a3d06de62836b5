"""Names that mean something else than what they name: from a catalogue, by what a variable or function is.

The catalogue is ``names.toml``. The text around the uses of a variable says what the variable is: a number is added up,
a collection has an index. The words of its present name say it too.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from importlib import resources
from itertools import chain
from typing import NamedTuple

from pytest_codereason.core import EMPTY, Dialect
from pytest_codereason.core.language.structure import Binding, Code
from pytest_codereason.core.programs import derive_seed
from pytest_codereason.core.random_draws import Draws

#: How many seeds a draw can choose among.
_SEEDS = 1 << 53
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SNAKE, _CAMEL = re.compile(r"[a-z]_[a-z]"), re.compile(r"[a-z][A-Z]")
#: Names that are what they are by convention: another name would look like a mistake.
_CONVENTIONAL = frozenset({"self", "cls", "_", "__"})
#: What a variable is if such code stands right behind it. Of two groups, at most one matches.
_BEHIND = re.compile(
    r"(?P<number>\s*(?:\+\+|--|[-+*/%]=|(?:[-*/%](?![>=])|<=?)\s*[\w$(])|\s*=\s*-?\d)"
    r"|(?P<collection>\[|\s*=\s*(?:\[|\{|new\b|list\(|dict\(|set\(|array\())"
    r"|(?P<flag>\s*=\s*(?i:true|false)\b)"
    r"""|(?P<text>\s*=\s*["'`])"""
)
#: What a variable is if such code stands right before it.
_BEFORE = re.compile(
    r"(?P<number>(?:[-*/%]|[\w)] ?<=?) ?\Z|\brange\(\Z)"
    r"|(?P<collection>\b(?:in|of|len\(|count\()\s*\Z)"
    r"|(?P<flag>(?:\bnot |!)\Z)"
)
_OPERATION = re.compile(r"\.(\w+)\(")


class _NameGroup(NamedTuple):
    """Names that say the same of what they name."""

    words: frozenset[str]
    names: tuple[str, ...]


@cache
def _read_catalogue() -> tuple[Mapping[str, _NameGroup], Mapping[str, _NameGroup], tuple[str, ...]]:
    """The groups of variables, the groups of functions, and the objects of functions."""
    text = resources.files(__package__).joinpath("names.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    groups = [
        {key: _NameGroup(frozenset(row["words"].split()), tuple(row["names"])) for key, row in tables[kind].items()}
        for kind in ("variables", "functions")
    ]
    return groups[0], groups[1], tuple(tables["objects"]["names"])


class WrongName(NamedTuple):
    """A name of a program, with all that it names and that can be renamed."""

    present: str
    bindings: tuple[Binding, ...]
    wrong: str  #: the name in its place

    @property
    def first(self) -> int:
        """The offset of its first appearance; 0 if that is the entry call."""
        use = self.bindings[0].uses[0]
        return 0 if use.in_call else use.span.start


def choose_wrong_names(code: Code, dialect: Dialect, draws: Draws, given: Mapping[str, str] = EMPTY) -> list[WrongName]:
    """A wrong name for every name of a variable, parameter or function that is safe to change.

    The names are in the order of their first appearance. No new name is used anywhere in the program. ``given`` has
    new names that come before those of the catalogue, as far as they are free.
    """
    style = _find_style(code)
    used = collect_words(code.taken)
    added = frozenset[str]()
    names = []
    seed = draws.below(_SEEDS)
    for (present, is_function), bindings in _list_names(code).items():
        own_draws = Draws(derive_seed(seed, present, is_function))  # the same names whatever is given for others
        candidates = (
            _list_function_names(present, used, own_draws)
            if is_function
            else _list_variable_names(code, dialect, present, bindings, used, own_draws)
        )
        spelled = chain([given.get(present, "")], (_spell(candidate, present, style) for candidate in candidates))
        wrong = next((name for name in spelled if name and _is_free(name, present, dialect, code, added)), "")
        if wrong:
            added |= {wrong}
            names.append(WrongName(present, tuple(bindings), wrong))
    return names


def _list_names(code: Code) -> dict[tuple[str, bool], list[Binding]]:
    names: dict[tuple[str, bool], list[Binding]] = {}
    for binding in code.bindings:
        is_named = binding.kind in ("variable", "parameter", "field", "function")
        if is_named and not binding.unsafe and binding.name not in _CONVENTIONAL:
            names.setdefault((binding.name, binding.kind == "function"), []).append(binding)
    return names


@lru_cache(maxsize=4096)
def split_words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case: ``solve n queens`` of ``solveNQueens``. Most names stand in many programs."""
    return tuple([word.lower() for word in _WORDS.findall(name)])


@lru_cache(maxsize=32)
def collect_words(names: frozenset[str]) -> frozenset[str]:
    """The words of all these names."""
    return frozenset([word for name in names for word in split_words(name)])


@cache
def _split_spelled(name: str) -> frozenset[str]:
    """The words of a name of the catalogue."""
    return frozenset(name.split())


def _list_variable_names(
    code: Code, dialect: Dialect, present: str, bindings: Sequence[Binding], used: Set[str], draws: Draws
) -> Iterator[str]:
    """Names for a variable in a drawn order, those of one drawn kind first; it is of none of these kinds."""
    groups, _, _ = _read_catalogue()
    words = split_words(present)
    kinds = {kind for kind, group in groups.items() if not group.words.isdisjoint(words)}
    for binding in bindings:
        kinds.update(_list_kinds(code.source, binding, dialect))
    names = []
    for kind in draws.iterate([kind for kind in groups if kind not in kinds] or list(groups)):
        for name in draws.iterate(groups[kind].names):
            names.append(name)
            if used.isdisjoint(_split_spelled(name)):
                yield name
    yield from (name for name in names if _split_spelled(name).isdisjoint(words))


def _list_kinds(source: str, binding: Binding, dialect: Dialect) -> Iterator[str]:
    """What the code around the uses of a variable says of it."""
    for use in binding.uses:
        if use.in_call:
            continue
        start, end = use.span
        behind = _BEHIND.match(source, end)
        before = _BEFORE.search(source[max(0, start - 12) : start].rstrip("$"))
        yield from (match.lastgroup for match in (behind, before) if match and match.lastgroup)
        operation = _OPERATION.match(source, end, end + 30)
        if operation and operation[1] in dialect.operations:
            yield from ("collection", "text")


def _list_function_names(present: str, used: Set[str], draws: Draws) -> Iterator[str]:
    """Names for a function in a drawn order: another first word, then what the function was about."""
    _, groups, objects = _read_catalogue()
    words = split_words(present)
    kinds = [kind for kind, group in groups.items() if not group.words.isdisjoint(words)]
    own = words[1:] if words and any(words[0] in group.words for group in groups.values()) else words
    verbs = [verb for kind, group in groups.items() if kind not in kinds for verb in group.names]
    about = " ".join(own) if any(len(word) > 1 for word in own) else ""
    if about:
        yield from (f"{verb} {about}" for verb in draws.iterate(verbs) if verb not in used)
    verbs, things = draws.shuffle(verbs), draws.shuffle(objects)
    for wanted in (used, set(words)):
        free = [verb for verb in verbs if verb not in wanted]
        if about:
            yield from (f"{verb} {about}" for verb in free)
        yield from (f"{verb} {thing}" for verb, thing in zip(free, things, strict=False) if thing not in wanted)


def _is_free(name: str, present: str, dialect: Dialect, code: Code, added: frozenset[str]) -> bool:
    """Whether neither the program nor another new name has a name. The two sets stay apart, because one is large."""
    return name != present and dialect.fresh(name, code.taken) == name and dialect.fresh(name, added) == name


def _find_style(code: Code) -> str:
    """``camel`` if more names of a program look like ``rowIndex`` than like ``row_index``, else ``snake``."""
    names = [binding.name for binding in code.bindings] + [function.name for function in code.functions]
    counts = [sum(bool(pattern.search(name)) for name in names) for pattern in (_SNAKE, _CAMEL)]
    if counts[0] == counts[1]:
        counts = [sum(bool(pattern.search(name)) for name in code.taken) for pattern in (_SNAKE, _CAMEL)]
    return "camel" if counts[1] > counts[0] else "snake"


def _spell(words: str, present: str, style: str) -> str:
    """Words as one name: with the capitals and the underscores in front of the present name."""
    front = present[: len(present) - len(present.lstrip("_$"))]
    bare = present[len(front) :]
    if len(bare) > 1 and bare.isupper():
        return front + words.replace(" ", "_").upper()
    if style == "snake" and not (bare[:1].isupper()):
        return front + words.replace(" ", "_")
    first, *rest = words.split(" ")
    return front + (first.capitalize() if bare[:1].isupper() else first) + "".join(word.capitalize() for word in rest)
