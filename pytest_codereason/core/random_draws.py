"""Random draws that are the same on every machine, in every process and after any other draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeVar

from pytest_codereason.core.lazy import lazy

T = TypeVar("T")
#: A linear congruential generator of 64 bits. Its multiplier: Steele and Vigna, "Computationally easy, spectrally good
#: multipliers for congruential pseudorandom number generators" (2022), table 4.
_BITS, _MULTIPLIER = 64, 0xD1342543DE82EF95


class Draws:
    """Draws from one seed, by ``Random(seed).random()`` only, whose stream Python promises to keep."""

    def __init__(self, seed: int) -> None:
        self._seed, self._skipped = seed, 0

    @lazy
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

    def light(self) -> LightDraws:
        """Draws apart from all others, for a change that draws little."""
        return LightDraws(self._seed)

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
    """A handful of draws that are split from a single one, of a few hundred things at most.

    Each takes some of the 53 bits of that one. A generator for every piece of a program would take longer to make than
    the piece.

    Args:
        drawn: a float in [0, 1), such as :attr:`Draws.uniform` draws.
    """

    def __init__(self, drawn: float) -> None:
        self._rest = drawn

    def below(self, count: int) -> int:
        """A whole number from 0 to ``count - 1``."""
        scaled = self._rest * count
        whole = int(scaled)
        self._rest = scaled - whole
        return whole

    def choice(self, items: Sequence[T]) -> T:
        """One of ``items``, which must not be empty."""
        return items[self.below(len(items))]


class LightDraws:
    """Draws of a linear congruential generator, which needs no state of 624 words: for changes that draw little.

    Args:
        seed: evenly distributed over 64 bits, as :func:`~pytest_codereason.core.derive_seed` makes seeds.
    """

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, count: int) -> int:
        """A whole number from 0 to ``count - 1``, of which there are far fewer than states."""
        self._state = (self._state * _MULTIPLIER + 1) % (1 << _BITS)
        return self._state * count >> _BITS
