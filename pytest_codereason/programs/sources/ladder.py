"""The ladder: generated programs at eight levels, each one step harder to read than the level below.

Level 1 returns its argument. Level 4 has a branch, level 5 a loop. Level 8 has everything that generated programs may
have. The same program is asked about in each language, so that languages can be compared pair by pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from pytest_codereason import registry
from pytest_codereason.core import Axis, AxisValue, Program, derive_seed
from pytest_codereason.core.endless import EndlessSource
from pytest_codereason.core.language.pseudocode import (
    CountLoop,
    Datum,
    Each,
    FunctionDefinition,
    If,
    Module,
    Name,
    Operation,
    Return,
    Statement,
    While,
    list_expressions,
    walk_statements,
)
from pytest_codereason.core.programs import is_whole
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import UsageError
from pytest_codereason.programs.generation.building import build_function, build_module
from pytest_codereason.programs.generation.evaluation import evaluate
from pytest_codereason.programs.generation.expressions import WORDS
from pytest_codereason.programs.generation.programs import print_program
from pytest_codereason.programs.generation.rows import KINDS, RANGES, READ, Row, skew
from pytest_codereason.programs.generation.tidying import settle
from pytest_codereason.programs.sources._series import ProgramSeries, list_numbers, read_number
from pytest_codereason.programs.sources._settings import SEEDS, describe_split, read_generated

#: Raised whenever the same seed would give other programs.
VERSION = 1
MAX_COUNT = 1_000
#: Worked examples of each level, kept apart from the programs asked about.
EXAMPLES = 4
#: The greatest result below the last level: to read the program shall be hard, not its arithmetic.
LARGEST = 999
_LOOPS = (CountLoop, Each, While)
_FEATURES = frozenset({feature for feature, *_ in KINDS.values()} - {""} | {"calls", "division"})

#: The kind of a statement and its depth; ``change`` is an assignment, ``x = 3`` or ``x += 3``.
Shape = Sequence[tuple[str, int]]


class Level(NamedTuple):
    """One level: its title, how a program is drawn, and which programs belong to the level."""

    title: str
    draw: Callable[[Draws], Module]
    keeps: Callable[[Module], bool]  #: whether a program that was drawn and tidied still shows it


def _draw_numbers(draws: Draws, shapes: Sequence[Shape] = ((),), calls: bool = False) -> Module:
    """A function of small numbers with the statements of one of ``shapes``; with ``calls`` it has another to call."""
    called = None
    if calls:
        rows = _draw_rows(draws, [[("change", 0)], [("if", 0), ("change", 1)]])
        called = build_function("g", ["int"] * (1 + draws.below(2)), rows, Row("return"), "int", frozenset())
    rows = _draw_rows(draws, shapes)
    last = Row("return") if rows else _draw_row(draws, "return")._replace(link=0)
    return build_module(_draw_arguments(draws), rows, last, True, frozenset(), called)


def _draw_arguments(draws: Draws) -> list[Datum]:
    """Two or three different small numbers."""
    return [*draws.shuffle(range(2, 100))[: 2 + draws.below(2)]]


def _draw_rows(draws: Draws, shapes: Sequence[Shape]) -> list[Row]:
    kinds = {"change": ("augment", "augment", "assign")}
    shape = draws.choice(shapes)
    return [_draw_row(draws, draws.choice(kinds.get(kind, (kind,))), depth) for kind, depth in shape]


def _draw_row(draws: Draws, kind: str, depth: int = 0) -> Row:
    """A statement with one operation on numbers below ten; a loop of two to four rounds."""
    numbers = {name: draws.choice(RANGES[name]) for name in READ[kind]}
    numbers |= {"depth": depth, "link": draws.below(4), "number": draws.below(9), "other_number": draws.below(9)}
    if kind == "count":
        numbers |= {"right": 0, "number": 200 + draws.below(600)}
    return Row(kind, **numbers)


def _draw_argument(draws: Draws) -> Module:
    """A function that returns its argument."""
    parameter = Name(draws.choice(("n", "m", "k")), "int")
    return Module((FunctionDefinition("f", (parameter,), "int", (Return(parameter),)),), (10 + draws.below(990),))


def _draw_anything(draws: Draws) -> Module:
    """A program as the strategy ``programs()`` draws it: numbers, texts, lists, booleans, nested blocks, calls."""

    def draw_row(kinds: Sequence[str]) -> Row:
        kind = draws.choice(kinds)
        names = (*READ[kind], "other", "other_number")
        numbers = {name: draws.choice(RANGES[name]) for name in names}
        return Row(kind, **{name: skew(one) if "number" in name else one for name, one in numbers.items()})

    def draw_argument() -> Datum:
        numbers = tuple(skew(draws.below(10_000)) for _ in range(2 + draws.below(3)))
        kinds: tuple[Datum, ...] = (numbers[0], draws.choice(WORDS), numbers)
        return draws.choice(kinds)

    called = None
    if draws.chance(0.5):
        rows = [draw_row(("augment", "assign", "if")) for _ in range(2)]
        called = build_function("g", ["int"], rows, draw_row(("return",)), "int", {"division"})
    kinds = [kind for kind, (_, times, _) in KINDS.items() for _ in range(times)]
    rows = [draw_row(kinds) for _ in range(5 + draws.below(4))]
    arguments = [skew(draws.below(10_000)), *(draw_argument() for _ in range(1 + draws.below(2)))]
    return build_module(arguments, rows, draw_row(("return",)), draws.chance(0.7), _FEATURES, called)


def _list_statements(module: Module) -> list[Statement]:
    return [*walk_statements(module.functions[-1].body)]


def _has(module: Module, *kinds: type[Statement]) -> bool:
    return any(isinstance(statement, kinds) for statement in _list_statements(module))


def _nests(module: Module) -> bool:
    """Whether a loop has a branch or another loop in it."""
    return any(
        isinstance(inner, (If, *_LOOPS))
        for loop in _list_statements(module)
        if isinstance(loop, _LOOPS)
        for inner in walk_statements(loop.body)
    )


def _operates(module: Module) -> bool:
    """Whether the program returns one operation on numbers and parameters."""
    statements = _list_statements(module)
    return len(statements) == 1 and any(isinstance(one, Operation) for one in list_expressions(statements[0]))


_STEP, _INNER, _DEEP = ("change", 0), ("change", 1), ("change", 2)
#: From the easiest. Each level has what its title says and nothing of the levels above.
LEVELS: tuple[Level, ...] = (
    Level("returns its argument", _draw_argument, lambda module: True),
    Level("one operation", _draw_numbers, _operates),
    Level(
        "several assignments",
        partial(_draw_numbers, shapes=([_STEP] * 3, [_STEP] * 4)),  # some are tidied away
        lambda module: len(_list_statements(module)) > 2,
    ),
    Level(
        "a branch",
        partial(_draw_numbers, shapes=([_STEP, ("if", 0), _INNER, _STEP], [_STEP, ("else", 0), _INNER, _INNER])),
        lambda module: _has(module, If),
    ),
    Level(
        "a loop",
        partial(_draw_numbers, shapes=([_STEP, ("count", 0), _INNER], [("count", 0), _INNER, _INNER])),
        lambda module: _has(module, *_LOOPS),
    ),
    Level(
        "a branch or a loop in a loop",
        partial(
            _draw_numbers,
            shapes=([_STEP, ("count", 0), ("if", 1), _DEEP, _INNER], [_STEP, ("count", 0), ("count", 1), _DEEP]),
        ),
        _nests,
    ),
    Level(
        "calls of another function",
        partial(
            _draw_numbers,
            shapes=([_STEP, ("count", 0), _INNER, _INNER], [("count", 0), ("if", 1), _DEEP, _INNER]),
            calls=True,
        ),
        lambda module: len(module.functions) > 1 and _has(module, *_LOOPS),
    ),
    Level(
        "everything that generated programs have",
        _draw_anything,
        lambda module: len(_list_statements(module)) > 5 and _nests(module),
    ),
)


def draw(level: int, draws: Draws) -> tuple[Module, Any] | None:
    """A program of a level, from 1, and its output; ``None`` where these draws make no program of the level."""
    drawn, keeps = LEVELS[level - 1].draw(draws), LEVELS[level - 1].keeps
    module, output = (drawn, evaluate(drawn).value) if level == 1 else settle(drawn)
    small = level == len(LEVELS) or abs(output) <= LARGEST
    return (module, output) if small and keeps(module) else None


def _draw_series(seed: int, level: int, split: str) -> ProgramSeries[tuple[Module, Any]]:
    def draw_attempt(purpose: str, index: int, attempt: int) -> tuple[Module, Any] | None:
        return draw(level, Draws(derive_seed(seed, "ladder", VERSION, purpose, level, index, attempt)))

    return ProgramSeries(draw_attempt, identify=lambda pair: repr(pair[0]), examples=EXAMPLES, split=split)


class Ladder(EndlessSource):
    """``count`` programs at each level, no two the same; ``0000`` and on."""

    name = "ladder"
    facts = frozenset({"output", "input"})
    axes: ClassVar[Mapping[str, Axis]] = {
        "level": Axis(
            name="level",
            default=1,
            allowed=f"whole numbers from 1 to {len(LEVELS)}",
            accepts=lambda value: is_whole(value, 1, len(LEVELS)),
            short="level",
            changes_program=True,
            falls=True,
        )
    }

    def __init__(self, count: int, seed: int, split: str = "") -> None:
        self.languages = registry.list_printed_languages()
        self._count = count
        self._seed = seed
        self._split = split
        self._series: dict[int, ProgramSeries[tuple[Module, Any]]] = {}

    @classmethod
    def create(cls, settings: Mapping[str, object], *, seed: int) -> Ladder:
        """Settings: ``count`` (programs a level, 1 to 1,000, default 25), ``seed``, ``split``."""
        limits = {"count": (1, MAX_COUNT), "seed": SEEDS}
        return cls(**read_generated(cls.name, settings, {"count": 25, "seed": seed}, limits))

    def speaks(self, language: str) -> bool:
        """Whether programs can be printed in it."""
        return registry.language(language).has("printer")

    def names(self, language: str) -> Iterator[str]:
        """``0000``, ``0001`` and so on: the same in every language and at every level."""
        return list_numbers(self._count)

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """The program of that name at the ``level`` of ``axes``.

        Raises:
            UsageError: there is no program of that name.
        """
        number = read_number(self.name, name, self._count)
        return self._print(self._at(axes)[number], language)

    def draw_program(self, language: str, number: int, axes: Mapping[str, AxisValue]) -> Program:
        """See :meth:`EndlessSource.draw_program`."""
        return self._print(self._at(axes).draw(number), language)

    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        """The first ``count`` (up to 4) worked examples of the level: the same for each of its programs."""
        if count > EXAMPLES:
            raise UsageError(f"ladder has {EXAMPLES} worked examples, not {count}")
        return tuple(self._print(pair, language) for pair in self._at(axes).examples[:count])

    def _at(self, axes: Mapping[str, AxisValue]) -> ProgramSeries[tuple[Module, Any]]:
        level = int(axes.get("level", 1))
        if level not in self._series:
            self._series[level] = _draw_series(self._seed, level, self._split)
        return self._series[level]

    @staticmethod
    def _print(pair: tuple[Module, Any], language: str) -> Program:
        return print_program(*pair, registry.language(language), origin="ladder")

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Name, version of the generator, and settings."""
        settings = {"version": VERSION, "count": self._count, "seed": self._seed}
        return {"name": self.name, **settings, **describe_split(self._split)}
