"""The questions of a suite as a sequence: counted, reached by index or by id, and drawn, without listing them.

A suite of 200 programs and 3,000 conditions has 600,000 questions. Only the names of its programs are held::

    questions = Questions(load(path))
    questions[123_456]                      # one question by its place
    questions.find("python/bank[fault:none]")   # by its id
    questions.sample(1_000)                 # whole programs with at most a thousand, in order
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, overload

from pytest_codereason.core import AxisValue, Spec, Stage, digest
from pytest_codereason.questions.suites.suite import Suite

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
        return [0, *itertools.accumulate(len(self._suite.cells_of(*program)) for program in self._programs)]

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
        """The question of that id, such as ``python/0007[digits:2]``. Its axes may stand in any order.

        Raises:
            KeyError: the suite has no such question.
        """
        language, _, rest = known.partition("/")
        name, bracket, cell = rest.partition("[")
        if (language, name) in self._places and bool(bracket) == cell.endswith("]"):
            conditions = self._conditions if self.uniform else _read_ids(self._suite.cells_of(language, name))
            cell = cell.removesuffix("]")
            if (axes := conditions.get(cell)) is not None or (axes := _find_in_any_order(conditions, cell)) is not None:
                return Spec(language, name, axes)
        raise KeyError(known)

    @cached_property
    def _conditions(self) -> dict[str, Cell]:
        return _read_ids(self._suite.cells)

    def sample(self, limit: int) -> list[Spec]:
        """Whole programs with at most ``limit`` questions, in order, as :func:`sample` draws them."""
        ranges = (
            (range(start, start + len(self._suite.cells_of(*program))), program)
            for program, start in zip(self._programs, self._list_starts(), strict=True)
        )
        places = {program: questions for questions, program in ranges}
        return [self[place] for place in _sample(places, limit, self._suite.name)]

    def _list_starts(self) -> Sequence[int]:
        """How many questions stand before each program."""
        width = len(self._suite.cells)
        return range(0, width * len(self._programs), width) if self.uniform else self._starts[:-1]


def sample(ids: Iterable[tuple[str, ...]], limit: int, order: str) -> set[int]:
    """Positions of whole programs with at most ``limit`` questions. Every process chooses the same positions.

    A program is taken in all its languages and under all its conditions, so that compared scores rest on the same
    programs. A smaller sample is part of every larger sample. Only if the first program alone has more than ``limit``
    questions, a part of them is taken.

    Args:
        ids: the language and the program of each question, in order; more may follow.
        limit: how many questions to choose.
        order: the seed for the random order of programs, the same for every model.
    """
    places: dict[tuple[str, str], list[int]] = {}
    for position, (language, program, *_) in enumerate(ids):
        places.setdefault((language, program), []).append(position)
    return {*_sample(places, limit, order)}


def _sample(places: Mapping[tuple[str, str], Sequence[int]], limit: int, order: str) -> list[int]:
    """The positions of the sample, sorted; ``places`` has those of each program of a language."""
    chosen: list[int] = []
    for versions in _draw_programs(places, order):
        whole = [place for version in versions for place in places[version]]
        if len(chosen) + len(whole) > limit:
            return sorted(chosen or whole[:limit])
        chosen += whole
    return sorted(chosen)


def _draw_programs(programs: Collection[tuple[str, str]], order: str) -> Iterator[list[tuple[str, str]]]:
    """The programs in random order, each in all its languages. Languages take turns, if their programs differ."""
    names: dict[str, list[str]] = {}
    for language, name in programs:
        names.setdefault(language, []).append(name)
    drawn = {language: sorted(own, key=lambda name: digest(order, name)) for language, own in names.items()}
    seen: set[str | None] = {None}
    for row in itertools.zip_longest(*drawn.values()):
        for name in row:
            if name not in seen:
                seen.add(name)
                yield [(language, name) for language in names if (language, name) in programs]


def _read_ids(cells: Sequence[Cell]) -> dict[str, Cell]:
    """The conditions by the part of an id within the brackets."""
    return {Spec("", "", cell).cell: cell for cell in cells}


def _find_in_any_order(conditions: Mapping[str, Cell], cell: str) -> Cell | None:
    """The condition whose axes are those of ``cell`` in another order."""
    wanted = sorted(cell.split(","))
    return next((axes for own, axes in conditions.items() if sorted(own.split(",")) == wanted), None)
