"""The questions of a suite as a sequence: counted, reached by index or by id, and drawn, without listing them.

A suite of 200 programs and 3,000 conditions has 600,000 questions. Only the names of its programs are held::

    questions = Questions(load(path))
    questions[123_456]                      # one question by its place
    questions.find("python/bank[fault:none]")   # by its id
    questions.sample(1_000)                 # a drawn thousand, in order
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, overload

from pytest_codereason.core import AxisValue, Spec, Stage, digest
from pytest_codereason.suites.suite import Suite

Cell = tuple[tuple[str, AxisValue], ...]


class Questions(Sequence[Spec]):
    """Every question of a suite by name, in the order of ``Suite.specs``: the same in every process."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        #: whether all programs are asked about under the same conditions
        self.uniform = all(type(stage).values is Stage.values for stage in suite.stages)

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        return {language: list(self._suite.list_programs(language)) for language in self._suite.languages}

    @cached_property
    def _programs(self) -> list[tuple[str, str]]:
        return [(language, name) for language, names in self._names.items() for name in names]

    @cached_property
    def _places(self) -> dict[tuple[str, str], int]:
        return {program: place for place, program in enumerate(self._programs)}

    @cached_property
    def _starts(self) -> list[int]:
        """How many questions stand before each program, and in all; of suites whose programs differ in conditions."""
        return [0, *accumulate(len(self._suite.cells_of(*program)) for program in self._programs)]

    def __len__(self) -> int:
        return len(self._programs) * len(self._suite.cells) if self.uniform else self._starts[-1]

    def __iter__(self) -> Iterator[Spec]:
        return self._suite.specs()

    @overload
    def __getitem__(self, index: int) -> Spec: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Spec]: ...
    def __getitem__(self, index: int | slice) -> Spec | Sequence[Spec]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"the suite {self._suite.name} has {len(self):,} questions, none at {index}")
        if self.uniform:
            program, condition = divmod(place, len(self._suite.cells))
        else:
            program = bisect_right(self._starts, place) - 1
            condition = place - self._starts[program]
        language, name = self._programs[program]
        return Spec(language, name, self._suite.cells_of(language, name)[condition])

    def index(self, spec: Any, start: int = 0, stop: int | None = None) -> int:
        """The place of a question, if it lies from ``start`` on and before ``stop``.

        Raises:
            ValueError: it does not, or the suite has no such question.
        """
        place = self._places.get((spec.language, spec.program)) if isinstance(spec, Spec) else None
        if place is not None:
            conditions = self._suite.cells_of(spec.language, spec.program)
            first = place * len(conditions) if self.uniform else self._starts[place]
            if spec.axes in conditions:
                index = first + conditions.index(spec.axes)
                if index in range(len(self))[start:stop]:
                    return index
        raise ValueError(f"the suite {self._suite.name} has no question {spec}")

    def find(self, known: str) -> Spec:
        """The question of that id, such as ``python/0007[digits:2]``.

        Raises:
            KeyError: the suite has no such question.
        """
        language, _, rest = known.partition("/")
        name, bracket, cell = rest.partition("[")
        if (language, name) in self._places and bool(bracket) == cell.endswith("]"):
            conditions = self._conditions if self.uniform else _read_ids(self._suite.cells_of(language, name))
            if (axes := conditions.get(cell.removesuffix("]"))) is not None:
                return Spec(language, name, axes)
        raise KeyError(known)

    @cached_property
    def _conditions(self) -> dict[str, Cell]:
        return _read_ids(self._suite.cells)

    def sample(self, limit: int) -> list[Spec]:
        """At most ``limit`` questions, spread evenly over languages and conditions, in order.

        Every process draws the same ones. A smaller sample is part of every larger sample. All languages and conditions
        use the same random order of programs, so that compared scores rest on the same programs.
        """
        if not self.uniform:
            return self._sample_listed(limit)
        order = {language: self._draw_order(names) for language, names in self._names.items()}
        width, chosen = len(self._suite.cells), list[int]()
        for row in range(max(map(len, order.values()), default=0)):
            for language, programs in order.items():
                if row < len(programs):
                    start = self._places[language, programs[row]] * width
                    chosen += range(start, start + min(width, limit - len(chosen)))
                if len(chosen) == limit:
                    return [self[place] for place in sorted(chosen)]
        return [self[place] for place in sorted(chosen)]

    def _draw_order(self, names: Sequence[str]) -> list[str]:
        return sorted(names, key=lambda name: digest(self._suite.name, name))

    def _sample_listed(self, limit: int) -> list[Spec]:
        """The sample of a suite in which each program has conditions of its own."""
        ids = ((spec.language, spec.program, repr(spec.axes)) for spec in self)
        return [self[place] for place in sorted(sample(ids, limit, self._suite.name))]


def sample(ids: Iterable[tuple[str, str, str]], limit: int, order: str) -> set[int]:
    """At most ``limit`` positions of ``ids``, spread evenly over strata. Every process chooses the same positions.

    Args:
        ids: the language, the program and the cell of each question, in order.
        limit: how many positions to choose. A smaller sample is part of every larger sample.
        order: the seed for the order of programs, the same for every model.

    All languages and cells use the same random order of programs, so that compared scores rest on the same programs.
    """
    rank: dict[str, str] = {}
    strata: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for position, (language, program, cell) in enumerate(ids):
        if program not in rank:
            rank[program] = digest(order, program)
        strata.setdefault((language, cell), []).append((rank[program], position))
    columns = [sorted(stratum) for stratum in strata.values()]
    chosen: set[int] = set()
    for row in range(max(map(len, columns), default=0)):
        for column in columns:
            if len(chosen) == limit:
                return chosen
            if row < len(column):
                chosen.add(column[row][1])
    return chosen


def _read_ids(cells: Sequence[Cell]) -> dict[str, Cell]:
    """The conditions by the part of an id within the brackets."""
    return {Spec("", "", cell).cell: cell for cell in cells}
