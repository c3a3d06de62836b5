"""Generated programs: a function ``f`` of one to three parameters, and a call. Some have a second function ``g``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.core import Program
from pytest_codereason.core.language.pseudocode import (
    CountLoop,
    Datum,
    FunctionDefinition,
    Literal,
    Module,
    walk_statements,
)
from pytest_codereason.errors import UsageError
from pytest_codereason.programs.generation import building
from pytest_codereason.programs.generation.expressions import WORDS
from pytest_codereason.programs.generation.programs import print_program
from pytest_codereason.programs.generation.rows import KINDS, RANGES, READ, Row, reads_other, skew
from pytest_codereason.programs.generation.tidying import settle

#: What programs may hold besides whole numbers, arithmetic and assignments.
ALL: frozenset[str] = frozenset({feature for feature, *_ in KINDS.values()} - {""} | {"calls", "division"})
#: The kind of a row that is no statement.
NOTHING = ""
#: The most rounds that may be asked for: programs end after 200 steps.
MOST_ROUNDS = 20
#: Statements of the smallest program with a loop: the loop, a change, and the ``return``.
_LOOPED = 3
#: Statements of the function that is called.
_WITHIN = 2


def programs(
    languages: Sequence[str] | None = None,
    *,
    statements: tuple[int, int] = (1, 8),
    features: Collection[str] = ALL,
    rounds: tuple[int, int] | None = None,
) -> st.SearchStrategy[Program]:
    """Small programs that end, with the facts ``output`` and ``input``; their call never fails.

    They return the same in every language, are at most 200 steps long, and hold nothing that is never read. They shrink
    towards one ``return``, few and simple expressions, small numbers, and the first of ``languages``.

    Args:
        languages: the languages to draw from, the simplest first; by default all that have a printer.
        statements: the fewest and the most statements of ``f``. The last ``return`` counts; the step of a ``while``
            does not; a conditional ``break`` or ``continue`` counts as two.
        features: what programs may hold, of :data:`ALL`.
        rounds: the fewest and the most rounds of a loop around the other statements, which every program then has. Take
            ``(4, 9)`` for questions about moments of a run: where nothing is done several times, there are hardly any.

    Raises:
        UsageError: There is no such language or feature, the languages are no list, or the numbers of statements or
            rounds make no sense.
        MissingCapability: A language has no printer.
    """
    if isinstance(languages, str):
        raise UsageError(f"programs() takes a list of languages: programs([{languages!r}])")
    least, most = statements
    chosen = registry.list_printed_languages() if languages is None else languages
    for name in chosen:
        registry.language(name).require(["printer"], "programs()")
    if unknown := [name for name in features if name not in ALL]:
        raise UsageError(f"no generated program has the feature {unknown[0]!r}: choose from {', '.join(sorted(ALL))}")
    if not chosen or not 1 <= least <= most:
        raise UsageError("programs() needs a language, and statements=(fewest, most) from 1")
    if rounds is not None and not (most >= _LOOPED and 1 <= rounds[0] <= rounds[1] <= MOST_ROUNDS):
        raise UsageError(
            f"rounds=(fewest, most) are numbers from 1 to {MOST_ROUNDS}, and need statements=(.., 3) or more"
        )
    modules = _draw_modules(least, most, frozenset(features), rounds)
    return st.builds(_print_program, modules, st.sampled_from(list(chosen)))


def _draw_modules(
    least: int, most: int, features: frozenset[str], rounds: tuple[int, int] | None
) -> st.SearchStrategy[tuple[Module, Any]]:
    allowed = [kind for kind, (feature, *_) in KINDS.items() if feature in {"", *features}]
    often = [kind for kind in allowed for _ in range(KINDS[kind][1] - 1)] + [NOTHING] * 6
    row = _draw_rows([NOTHING, *allowed, *often])
    # Some say nothing: then no row moves while another is shrunk to nothing.
    rows = st.sampled_from([*range(min(3, most)), *[most - 1] * 5]).flatmap(lambda count: st.tuples(*[row] * count))
    if rounds is not None:
        rows = st.builds(_put_into_loop, st.integers(*rounds), rows)
    modules = st.builds(
        _build_module,
        st.tuples(_WHOLE, st.lists(_draw_arguments(features), max_size=2)).map(lambda drawn: [drawn[0], *drawn[1]]),
        rows,
        _draw_rows(["return"]),
        st.sampled_from((False, True, True) if rounds is None else (True,)),
        st.one_of(st.none(), st.none(), _draw_call(features)) if "calls" in features else st.none(),
        st.just(features),
        st.just(most),
    )
    if rounds is not None:
        modules = modules.filter(lambda pair: _runs_long(pair[0], rounds[0]))
    return modules.filter(lambda pair: _count_statements(pair[0]) >= least) if least > 1 else modules


def _put_into_loop(rounds: int, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows within a loop of so many rounds."""
    inside = (row if row.kind == NOTHING else row._replace(depth=min(row.depth + 1, building.DEPTH)) for row in rows)
    return (Row("count", number=(rounds - 1) * building.NUMBERS_PER_ROUND), *inside)


def _runs_long(module: Module, rounds: int) -> bool:
    """Whether the loop around the statements was not tidied away."""
    stops = [one.stop for one in module.functions[-1].body if isinstance(one, CountLoop)]
    return any(isinstance(stop, Literal) and isinstance(stop.value, int) and stop.value >= rounds for stop in stops)


def _count_statements(module: Module) -> int:
    return sum(1 for _ in walk_statements(module.functions[-1].body))


def _draw_rows(kinds: Sequence[str]) -> st.SearchStrategy[Row]:
    return _row(st.sampled_from(kinds))


@st.composite
def _row(draw: st.DrawFn, kinds: st.SearchStrategy[str]) -> Row:
    """A kind, and the numbers that a row of this kind reads."""
    kind = draw(kinds)
    if kind == NOTHING:
        return _SILENT
    numbers = {name: draw(_NUMBERS[name]) for name in READ[kind]}
    if reads_other(numbers.get("link", 0)) and "other" not in numbers:
        numbers |= {name: draw(_NUMBERS[name]) for name in ("other", "other_number")}
    for name in ("number", "other_number"):
        if name in numbers:
            numbers[name] = skew(numbers[name])
    return Row(kind, **numbers)


def _drop_silent(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows that say something."""
    return tuple(row for row in rows if row.kind != NOTHING)


_NUMBERS: Mapping[str, st.SearchStrategy[int]] = {
    name: st.integers(values[0], values[-1]) if isinstance(values, range) else st.sampled_from(values)
    for name, values in RANGES.items()
}
_SILENT = Row(NOTHING)


_WHOLE = st.integers(-4_999, 9_999).map(skew)


def _draw_arguments(features: frozenset[str]) -> st.SearchStrategy[Datum]:
    return st.one_of(
        _WHOLE,
        *([st.sampled_from(WORDS)] if "strings" in features else []),
        *([st.lists(_WHOLE, max_size=5).map(tuple)] if "lists" in features else []),
        *([st.booleans()] if "booleans" in features else []),
    )


def _draw_call(features: frozenset[str]) -> st.SearchStrategy[Any]:
    kinds = ["augment", "assign", *(["if", "return"] if "if" in features else [])]
    plain = features & {"division"}

    def build(arity: int, rows: tuple[Row, ...], last: Row) -> FunctionDefinition:
        return building.build_function("g", ["int"] * arity, _drop_silent(rows), last, "int", plain)

    return st.builds(
        build,
        st.integers(1, 2),
        st.tuples(*[_draw_rows([NOTHING, *kinds])] * _WITHIN),
        _draw_rows(["return"]),
    )


def _build_module(
    arguments: list[Datum],
    rows: tuple[Row, ...],
    last: Row,
    latest: bool,
    called: FunctionDefinition | None,
    features: frozenset[str],
    most: int,
) -> tuple[Module, Any]:
    """The program of as many rows as give no more than ``most`` statements, and its output."""
    rows = _drop_silent(rows)
    while True:
        module, output = settle(building.build_module(arguments, rows, last, latest, features, called))
        if _count_statements(module) <= most:
            return module, output
        rows = rows[:-1]


def _print_program(pair: tuple[Module, Any], language: str) -> Program:
    module, output = pair
    return print_program(module, output, registry.language(language), origin="generated")
