"""Programs that a seed draws one by one, no two the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import Generic, TypeVar

from pytest_codereason.core import derive_seed
from pytest_codereason.core.endless import SPLITS
from pytest_codereason.errors import UsageError

T = TypeVar("T")
#: One program in so many is of the side ``test``.
_ONE_IN = 8
#: Draws in a row that give no further program, before the series is at its end.
_DRAWS = 100_000


def find_split(identity: Hashable) -> str:
    """The side of a program. It follows from the program alone, so no seed gives it on both sides."""
    return SPLITS[derive_seed(0, "split", repr(identity)) % _ONE_IN == 0]


class ProgramSeries(Generic[T]):
    """The programs of one seed, each drawn when somebody first asks for it, and some worked examples apart.

    Program ``i`` is drawn from a seed of its own, and drawn again if it equals an earlier program. So it depends on the
    seed and on ``i``, but not on the number of programs, nor on which program is built first.

    Args:
        draw: gives the program for a purpose (``example`` or ``program``), an index and the number of the attempt;
            ``None`` where this attempt gives none.
        identify: what two programs that are the same have in common.
        examples: the number of worked examples.
        split: the side that programs are of, see :func:`find_split`; empty for both. Worked examples are of either.
    """

    def __init__(
        self,
        draw: Callable[[str, int, int], T | None],
        identify: Callable[[T], Hashable],
        examples: int,
        split: str = "",
    ) -> None:
        self._draw = draw
        self._identify = identify
        self._split = split
        self._seen: set[Hashable] = set()
        self.examples = [self._next("example", i, "") for i in range(examples)]
        self._shown = frozenset(self._seen)
        self._programs: list[T] = []

    def __getitem__(self, index: int) -> T:
        while len(self._programs) <= index:
            self._programs.append(self._next("program", len(self._programs), self._split))
        return self._programs[index]

    def draw(self, number: int) -> T:
        """The program of any number, drawn without those before it. Two numbers may have the same program.

        It is none of the worked examples.
        """
        return self._find("endless", number, self._split, self._shown)

    def _next(self, purpose: str, index: int, split: str) -> T:
        program = self._find(purpose, index, split, self._seen)
        self._seen.add(self._identify(program))
        return program

    def _find(self, purpose: str, index: int, split: str, taken: Collection[Hashable]) -> T:
        for attempt in range(_DRAWS):
            if (program := self._draw(purpose, index, attempt)) is None:
                continue
            identity = self._identify(program)
            if identity not in taken and (not split or find_split(identity) == split):
                return program
        raise UsageError(f"there are too few different programs: none is left for number {index:,}")


def list_numbers(count: int) -> Iterator[str]:
    """The names of so many programs: ``0000``, ``0001`` and so on."""
    return (f"{i:04d}" for i in range(count))


def read_number(source: str, name: str, count: int) -> int:
    """The index of the program of that name.

    Raises:
        UsageError: the source has no program of that name.
    """
    if not name.isdecimal() or int(name) >= count or name != f"{int(name):04d}":
        raise UsageError(f"{source} has no program {name!r}: there are 0000 to {count - 1:04d}")
    return int(name)
