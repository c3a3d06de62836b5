"""Conway's Life on a torus, with worlds kept as frozen sets of living cells."""

from __future__ import annotations

from collections import Counter
from itertools import islice, product
from typing import Iterable, Iterator

Cell = tuple[int, int]


class World:
    def __init__(self, width: int, height: int, living: Iterable[Cell], born=(3,), stays=(2, 3)):
        self.width, self.height = width, height
        self.living = frozenset((x % width, y % height) for x, y in living)
        self.born, self.stays = born, stays

    @classmethod
    def from_picture(cls, picture: str, width: int, height: int, **rule) -> World:
        rows = picture.split("/")
        cells = ((x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "O")
        return cls(width, height, cells, **rule)

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        x, y = cell
        for dx, dy in product((-1, 0, 1), repeat=2):
            if dx or dy:
                yield (x + dx) % self.width, (y + dy) % self.height

    def next(self) -> World:
        counts = Counter(near for cell in self.living for near in self.neighbours(cell))
        living = {cell for cell, count in counts.items() if self.lives_on(cell, count)}
        if 0 in self.stays:
            living |= {cell for cell in self.living if not counts[cell]}
        return World(self.width, self.height, living, self.born, self.stays)

    def lives_on(self, cell: Cell, count: int) -> bool:
        return count in (self.stays if cell in self.living else self.born)

    def __iter__(self) -> Iterator[World]:
        """This world and all that follow; it never ends."""
        world = self
        while True:
            yield world
            world = world.next()

    def __hash__(self) -> int:
        return hash(self.living)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, World) and self.living == other.living

    def __or__(self, other: World) -> World:
        return World(self.width, self.height, self.living | other.living, self.born, self.stays)

    def shifted(self, dx: int, dy: int) -> World:
        moved = ((x + dx, y + dy) for x, y in self.living)
        return World(self.width, self.height, moved, self.born, self.stays)

    def __str__(self) -> str:
        def row(y: int) -> str:
            return "".join("O" if (x, y) in self.living else "." for x in range(self.width))

        return "/".join(map(row, range(self.height)))


def find_cycle(world: World, limit: int = 100) -> tuple[int, int] | None:
    """The generation in which the cycle begins, and its length."""
    seen: dict[World, int] = {}
    for generation, state in enumerate(islice(world, limit)):
        if state in seen:
            return seen[state], generation - seen[state]
        seen[state] = generation
    return None


def describe(world: World) -> str:
    cycle = find_cycle(world)
    if cycle is None:
        return "no cycle"
    start, length = cycle
    final = next(islice(world, start, None))
    fate = "dies out" if not final.living else "stands still" if length == 1 else f"repeats every {length}"
    return f"{fate} from generation {start}"


def population(world: World, generations: int) -> list[int]:
    return [len(state.living) for state in islice(world, generations)]


if __name__ == "__main__":
    blinker = World.from_picture("OOO", 5, 4)
    glider = World.from_picture(".O./..O/OOO", 6, 6)
    print("blinker:", describe(blinker.shifted(1, 1)))
    print("glider:", describe(glider))
    print("pair:", describe(World.from_picture("OO", 8, 8)))
    print("block and glider:", describe(glider | World.from_picture("OO/OO", 6, 6).shifted(4, 3)))
    print("after 4:", next(islice(glider, 4, None)))
    print("moved:", glider.shifted(1, 1) == next(islice(glider, 4, None)))
    print("seeds:", describe(World.from_picture("OO", 4, 4, born=(2,), stays=())))
    print("walls:", describe(World.from_picture("OO/OOO", 6, 4, born=(3, 4), stays=(0, 2, 3))))
