"""Random draws that are the same on every machine, in every process and after any other draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from hashlib import shake_128
from random import Random
from struct import unpack
from typing import TypeVar

T = TypeVar("T")
#: A number below this has too few bits left to draw one of a thousand things evenly.
_USED_UP = 1 << 16


class Draws:
    """Draws from one seed, by ``Random(seed).random()``, whose stream Python promises to keep.

    :meth:`few` and :meth:`list_numbers` do without that generator: they serve changes that draw little.
    """

    def __init__(self, seed: int) -> None:
        self._seed, self._skipped = seed, 0

    @cached_property
    def uniform(self) -> Callable[[], float]:
        """Draws a float in [0, 1). The generator is made at the first draw: many changes draw nothing."""
        uniform = Random(self._seed).random
        for _ in range(self._skipped):
            uniform()
        return uniform

    def skip(self, count: int) -> None:
        """Leaves out the next draws. It costs nothing if nothing was drawn before and nothing is drawn after."""
        if "uniform" in self.__dict__:
            for _ in range(count):
                self.uniform()
        else:
            self._skipped += count

    def few(self) -> FewDraws:
        """A handful of draws apart from all others."""
        return FewDraws(self._seed)

    def list_numbers(self, count: int) -> tuple[int, ...]:
        """Whole numbers of 64 bits, apart from all other draws. The first ones are the same however many are drawn.

        They cost a fraction of what the generator costs that makes the other draws.
        """
        return unpack(f"<{count}Q", shake_128(b"%d" % self._seed).digest(8 * count))

    def below(self, count: int) -> int:
        """A whole number from 0 to ``count - 1``."""
        return int(self.uniform() * count)

    def choice(self, items: Sequence[T]) -> T:
        """One of ``items``, which must not be empty."""
        return items[int(self.uniform() * len(items))]

    def chance(self, probability: float) -> bool:
        """True with this probability. Draws once, whatever the probability."""
        return self.uniform() < probability

    def iterate(self, items: Sequence[T]) -> Iterator[T]:
        """``items`` one by one in a uniformly drawn order, with a draw for each one that is taken and no more."""
        rest = list(items)
        for first in range(len(rest)):
            other = first + self.below(len(rest) - first)
            rest[first], rest[other] = rest[other], rest[first]
            yield rest[first]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """``items`` in a uniformly drawn order (Fisher and Yates)."""
        order, uniform = list(items), self.uniform
        for last in range(len(order) - 1, 0, -1):
            other = int(uniform() * (last + 1))
            order[last], order[other] = order[other], order[last]
        return order


class FewDraws:
    """A handful of draws that are split from one number.

    Each takes some of the number's bits: five draws of a few hundred things take 40. Where the bits are used up, they
    are used again. A generator for every piece of a program would take longer to make than the piece.

    Args:
        number: evenly distributed over 64 bits, as :meth:`Draws.list_numbers` draws numbers and
            :func:`~pytest_codereason.core.derive_seed` makes seeds.
    """

    def __init__(self, number: int) -> None:
        self._number = self._rest = number

    def below(self, count: int) -> int:
        """A whole number from 0 to ``count - 1``, of which there are a thousand at most."""
        rest = self._rest
        if rest < _USED_UP:
            rest = self._number
        self._rest, drawn = divmod(rest, count)
        return drawn

    def choice(self, items: Sequence[T]) -> T:
        """One of ``items``, which must not be empty."""
        return items[self.below(len(items))]
