"""Generated programs: one function ``f`` of one to three parameters, at times a second that it calls, and a call."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.core import Program
from pytest_codereason.errors import UsageError
from pytest_codereason.strategies import _building
from pytest_codereason.strategies._expressions import WORDS, Row
from pytest_codereason.strategies._java import Java
from pytest_codereason.strategies._javascript import JavaScript
from pytest_codereason.strategies._php import PHP
from pytest_codereason.strategies._printing import Printer
from pytest_codereason.strategies._python import Python
from pytest_codereason.strategies._syntax import Datum, Function, Module, walk
from pytest_codereason.strategies._tidying import settled

_PRINTERS: Mapping[str, Printer] = {printer.language: printer for printer in (Python(), JavaScript(), Java(), PHP())}
LANGUAGES = tuple(_PRINTERS)
#: What programs may hold besides whole numbers, arithmetic and assignments.
ALL: frozenset[str] = frozenset({feature for feature, *_ in _building.KINDS.values()} - {""} | {"calls", "division"})
#: The kind of a row that is no statement.
NOTHING = ""
#: Statements of the function that is called.
_WITHIN = 2


def programs(
    languages: Sequence[str] = LANGUAGES, *, statements: tuple[int, int] = (1, 8), features: Collection[str] = ALL
) -> st.SearchStrategy[Program]:
    """Small programs that end, with the facts ``output`` and ``input``; their call never fails.

    They return the same in every language, are at most 200 steps long, and hold nothing that is never read. They shrink
    towards one ``return``, few and simple expressions, small numbers, and the first of ``languages``.

    Args:
        languages: those that are drawn from, simplest first.
        statements: fewest and most statements of ``f``, the last ``return`` among them. The step of a ``while`` belongs
            to it; a conditional ``break`` or ``continue`` counts as two.
        features: what may be used, of :data:`ALL`.

    Raises:
        UsageError: there is no such language or feature, or no such number of statements.
    """
    least, most = statements
    for what, given, known in (("language", languages, LANGUAGES), ("feature", features, ALL)):
        if unknown := [name for name in given if name not in known]:
            raise UsageError(
                f"no generated program has the {what} {unknown[0]!r}: choose from {', '.join(sorted(known))}"
            )
    if not languages or not 1 <= least <= most:
        raise UsageError("programs() needs a language, and statements=(fewest, most) from 1")
    modules = _modules(least, most, frozenset(features))
    return st.builds(_program, modules, st.sampled_from(list(languages)))


def _modules(least: int, most: int, features: frozenset[str]) -> st.SearchStrategy[tuple[Module, Any]]:
    allowed = [kind for kind, (feature, *_) in _building.KINDS.items() if feature in {"", *features}]
    often = [kind for kind in allowed for _ in range(_building.KINDS[kind][1] - 1)] + [NOTHING] * 6
    row = _rows([NOTHING, *allowed, *often])
    # Some say nothing: then no row moves while another is shrunk to nothing.
    rows = st.sampled_from([*range(min(3, most)), *[most - 1] * 5]).flatmap(lambda count: st.tuples(*[row] * count))
    made = st.builds(
        _module,
        st.tuples(_WHOLE, st.lists(_arguments(features), max_size=2)).map(lambda drawn: [drawn[0], *drawn[1]]),
        rows,
        _rows(["return"]),
        st.sampled_from((False, True, True)),
        st.one_of(st.none(), st.none(), _called(features)) if "calls" in features else st.none(),
        st.just(features),
        st.just(most),
    )
    return made.filter(lambda found: _length(found[0]) >= least) if least > 1 else made


def _length(module: Module) -> int:
    return sum(1 for _ in walk(module.functions[-1].body))


def _rows(kinds: Sequence[str]) -> st.SearchStrategy[Row]:
    return _row(st.sampled_from(kinds))


@st.composite
def _row(draw: st.DrawFn, kinds: st.SearchStrategy[str]) -> Row:
    """A kind, and the numbers that a row of this kind reads."""
    kind = draw(kinds)
    if kind == NOTHING:
        return _SILENT
    found = {name: draw(_NUMBERS[name]) for name in _READ[kind]}
    if found.get("link", 0) % 6 >= 4 and "other" not in found:
        found |= {name: draw(_NUMBERS[name]) for name in ("other", "other_number")}
    for name in ("number", "other_number"):
        if name in found:
            found[name] = _skewed(found[name])
    return Row(kind, **found)


def _said(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Those rows that say something."""
    return tuple(row for row in rows if row.kind != NOTHING)


def _skewed(number: int) -> int:
    """From 0 to 9,999 to 0 to 999, of which every other one is below 250; the same for negative ones."""
    return (number**2 // 10**5) * (1 if number > 0 else -1)


_SMALL, _NUMBER = st.integers(0, 9), st.integers(0, 9_999)
_NUMBERS: Mapping[str, st.SearchStrategy[int]] = {
    "depth": st.sampled_from((0, 0, 0, 1, 1, 2)),
    "branch": st.integers(0, 2),
    "target": st.integers(0, 3),
    "operator": _SMALL,
    "left": _SMALL,
    "right": _SMALL,
    "number": _NUMBER,
    "link": st.integers(0, 11),
    "other": _SMALL,
    "other_number": _NUMBER,
}
_READ = {kind: ("depth", *reads.split()) for kind, (*_, reads) in _building.KINDS.items()}
_SILENT = Row(NOTHING)


_WHOLE = st.integers(-4_999, 9_999).map(_skewed)


def _arguments(features: frozenset[str]) -> st.SearchStrategy[Datum]:
    return st.one_of(
        _WHOLE,
        *([st.sampled_from(WORDS)] if "strings" in features else []),
        *([st.lists(_WHOLE, max_size=5).map(tuple)] if "lists" in features else []),
        *([st.booleans()] if "booleans" in features else []),
    )


def _called(features: frozenset[str]) -> st.SearchStrategy[Any]:
    kinds = ["augment", "assign", *(["if", "return"] if "if" in features else [])]
    plain = features & {"division"}
    return st.builds(
        lambda arity, rows, last: _building.function("g", ["int"] * arity, _said(rows), last, "int", plain),
        st.integers(1, 2),
        st.tuples(*[_rows([NOTHING, *kinds])] * _WITHIN),
        _rows(["return"]),
    )


def _module(
    arguments: list[Datum],
    rows: tuple[Row, ...],
    last: Row,
    latest: bool,
    called: Function | None,
    features: frozenset[str],
    most: int,
) -> tuple[Module, Any]:
    """The program of as many rows as give no more than ``most`` statements, and its output."""
    rows = _said(rows)
    while _length((made := settled(_building.module(arguments, rows, last, latest, features, called)))[0]) > most:
        rows = rows[:-1]
    return made


def _program(made: tuple[Module, Any], language: str) -> Program:
    """The program in one language, its output as that language gives it back."""
    (module, output), printer, lang = made, _PRINTERS[language], registry.language(language)
    return Program(
        language=language,
        source=printer.source(module),
        call=printer.call(module),
        facts={"output": lang.values.read(lang.values.write(output)).value, "input": printer.arguments(module)},
        origin="generated",
    )
