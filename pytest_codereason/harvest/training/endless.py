"""The questions of a suite about programs without end. Each has a key, which brings it back in any process.

Example of a key: ``horizon@9f3c21ab/train/7/python/12[state:int,steps:8]``. It holds the suite with a digest of what it
asks, the side of the program, the seed, and the question: the program of number 12 in Python, with its axes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple

from pytest_codereason.core import Axis, AxisValue, Program, Source, Spec, Stage, derive_seed
from pytest_codereason.core.endless import SPLITS, EndlessSource
from pytest_codereason.core.programs import Cell
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import BadSetting, UsageError, blame
from pytest_codereason.questions.suites.reading import load

_KEY = re.compile(
    r"(?P<suite>[^@]+)@(?P<digest>[0-9a-f]{8})/(?P<split>\w+)/(?P<seed>-?\d+)"
    r"/(?P<language>[^/]+)/(?P<number>\d+)(?:\[(?P<cell>.*)\])?"
)
#: Programs from which one is drawn where that of a task's own number has no question.
_FURTHER = 10**9


class TaskKey(NamedTuple):
    """The parts of a key."""

    suite: str
    digest: str
    split: str
    seed: int
    language: str
    number: str
    cell: str

    @classmethod
    def read(cls, text: str) -> TaskKey:
        """The parts of a key.

        Raises:
            UsageError: the text is no key.
        """
        if (parts := _KEY.fullmatch(text)) is None:
            raise UsageError(f"{text[:200]!r} is no key of a task: take the key of an item of tasks_for")
        suite, digest, split, seed, language, number, cell = parts.groups("")
        return cls(suite, digest, split, int(seed), language, number, cell)


class EndlessQuestions:
    """The questions of a suite about programs of one side that one seed draws.

    Args:
        path: the file of the suite. Its source makes programs without end.
        seed: of the programs.
        split: ``train`` or ``test``.

    Raises:
        UsageError: the suite cannot be read, or has other programs; or there is no such split.
    """

    def __init__(self, path: Path, seed: int, split: str) -> None:
        if split not in SPLITS:
            raise UsageError(f"'split' must be {' or '.join(SPLITS)}, not {split!r}")
        if not isinstance(load(path).source, EndlessSource):
            raise UsageError(f"the suite {path} has a fixed set of programs: tasks without end need a generated source")
        suite = load(path, seed=seed, source={"split": split})
        assert isinstance(suite.source, EndlessSource)
        self.suite = replace(suite, source=_Drawn(suite.source), adaptive=None)
        self._seed, self._split = seed, split
        #: the axis whose values make a question harder; ``None`` if the source has none
        self.axis: Axis | None = next((axis for axis in suite.source.axes.values() if axis.falls), None)

    @cached_property
    def cells(self) -> Mapping[str, Cell]:
        """The conditions of the suite without the difficulty, by the part of an id within the brackets."""
        own = self.axis.name if self.axis else ""
        cells = (tuple(pair for pair in cell if pair[0] != own) for cell in self.suite.cells)
        return {Spec("", "", cell).cell: cell for cell in cells}

    @cached_property
    def difficulties(self) -> tuple[AxisValue, ...]:
        """The values of the difficulty that the suite names, the easiest first."""
        return tuple(sorted(self.suite.conditions.list_values(self.axis.name))) if self.axis else ()

    def check(self, values: Sequence[AxisValue]) -> None:
        """Refuses difficulties at which nothing can be asked.

        Raises:
            UsageError: there is none, one is no value of the axis, or a program cannot have it.
        """
        if self.axis is None:
            raise UsageError(f"the source {self.suite.source.name} has no difficulty that could be set")
        if not values:
            raise UsageError("'difficulty' names no value")
        for value in values:
            if not self.axis.accepts(value):
                raise UsageError(f"difficulty {value!r}: {self.axis.name} takes {self.axis.allowed}")
            for cell in self.cells.values():
                try:
                    self._check_cell((*cell, (self.axis.name, value)))
                except BadSetting as error:
                    raise UsageError(f"difficulty {value!r}: {error}") from error

    def _check_cell(self, cell: Cell) -> None:
        parts: tuple[Source | Stage, ...] = (self.suite.source, *self.suite.stages)
        for part in parts:
            with blame(part):
                part.cell(cell, self.suite.conditions.fixed)

    def draw(self, number: int, difficulties: Sequence[AxisValue], attempt: int = 0) -> Spec:
        """The question of a number, at one of these difficulties.

        Args:
            attempt: another gives another question, where the one before cannot be asked.
        """
        purpose = ("tasks", self._split, number, *([attempt] if attempt else ()))
        draws = Draws(derive_seed(self._seed, *purpose))
        language = draws.choice(self.suite.languages)
        cell = draws.choice(tuple(self.cells.values()))
        if self.axis and difficulties:
            cell = (*cell, (self.axis.name, draws.choice(tuple(difficulties))))
        return Spec(language, str(draws.below(_FURTHER) if attempt else number), cell)

    def write_key(self, spec: Spec) -> str:
        """The key of a question."""
        return f"{self.suite.name}@{self._digest}/{self._split}/{self._seed}/{spec.id}"

    def find(self, text: str) -> Spec:
        """The question of a key.

        Raises:
            KeyError: there is none.
            UsageError: the key was made of another suite, or by another version of it.
        """
        key = TaskKey.read(text)
        if (key.suite, key.split, key.seed) != (self.suite.name, self._split, self._seed):
            raise UsageError(f"{text[:200]!r} is the key of other tasks")
        if key.digest != self._digest:
            raise UsageError(
                f"{text[:200]!r} was made by another version of the suite {key.suite} or of this package, which "
                f"asked something else; now it is {key.suite}@{self._digest}"
            )
        rest, difficulty = key.cell, ""
        if self.axis:
            rest, _, difficulty = f",{key.cell}".rpartition(f",{self.axis.name}:")
            rest = rest.removeprefix(",")
        if key.language not in self.suite.languages or rest not in self.cells:
            raise KeyError(text)
        cell = self.cells[rest]
        if self.axis:
            value = _read_number(difficulty)
            self.check([value])
            cell = (*cell, (self.axis.name, value))
        return Spec(key.language, key.number, cell)

    @cached_property
    def _digest(self) -> str:
        return self.suite.plan[:8]


def _read_number(text: str) -> AxisValue:
    try:
        return int(text)
    except ValueError:
        return text


class _Drawn(Source):
    """A source whose programs are named by any whole number."""

    name = "drawn"
    axes: ClassVar[Mapping[str, Axis]] = {}

    def __init__(self, source: EndlessSource) -> None:
        self._source = source
        self.name, self.axes = source.name, source.axes  # type: ignore[misc]  # of the class elsewhere
        self.languages, self.facts = source.languages, source.facts

    @classmethod
    def create(cls, settings: Mapping[str, object], *, seed: int) -> Source:
        """Nothing names it in a suite."""
        raise NotImplementedError

    def names(self, language: str) -> Iterator[str]:
        """None: there is no end of them."""
        return iter(())

    def cell(self, cell: Cell, fixed: Mapping[str, AxisValue]) -> Cell:
        """As the source says."""
        return self._source.cell(cell, fixed)

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """The program of the number that the name is."""
        return self._source.draw_program(language, int(name), axes)

    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        """As the source has them."""
        return self._source.shots(language, name, axes, count)

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """What decides which programs there are, besides what a key says itself."""
        return {key: value for key, value in self._source.identity.items() if key not in ("count", "seed", "split")}
