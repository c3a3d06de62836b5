"""Programs that a seed draws one by one, no two the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

from pytest_codereason.errors import UsageError

T = TypeVar("T")


class ProgramSeries(Generic[T]):
    """The programs of one seed, each drawn when somebody first asks for it, and some worked examples apart.

    Program ``i`` is drawn from a seed of its own, and drawn again if it equals an earlier program. So it depends on the
    seed and on ``i``, but not on the number of programs, nor on which program is built first.

    Args:
        draw: gives the program for a purpose (``example`` or ``program``), an index and the number of the attempt;
            ``None`` where this attempt gives none.
        identify: what two programs that are the same have in common.
        examples: the number of worked examples.
    """

    def __init__(
        self, draw: Callable[[str, int, int], T | None], identify: Callable[[T], Hashable], examples: int
    ) -> None:
        self._draw = draw
        self._identify = identify
        self._seen: set[Hashable] = set()
        self.examples = [self._next("example", i) for i in range(examples)]
        self._programs: list[T] = []

    def __getitem__(self, index: int) -> T:
        while len(self._programs) <= index:
            self._programs.append(self._next("program", len(self._programs)))
        return self._programs[index]

    def _next(self, purpose: str, index: int) -> T:
        attempt = 0
        while (program := self._draw(purpose, index, attempt)) is None or self._identify(program) in self._seen:
            attempt += 1
        self._seen.add(self._identify(program))
        return program


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
