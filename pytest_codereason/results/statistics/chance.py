"""Whether a difference can be chance, and which of several differences cannot.

Example: a model is asked under seven perturbations, and under one of them it gets 8 programs wrong that it had right
before and none the other way. Chance does that to one of seven in 5.5 % of all runs (7 · 2 / 2⁸). So there is nothing
to say yet.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from pytest_codereason.results.statistics.intervals import Floats

LEVEL = 0.05  #: how often a run without any effect may lead to a claim
_ROUNDING = 1e-12  # differences of this size come from rounding
_STEPS = 4_000  # in which the sum of changes is measured that are no whole numbers


def find_clear(p_values: Sequence[float | None]) -> list[bool]:
    """Which of several differences are clear of chance, all of them looked at together.

    Where no difference is real, one is called clear in at most 5 % of runs, however many there are and however they
    depend on each other. A difference without a p-value is never clear and does not count.

    Source: Holm 1979, "A simple sequentially rejective multiple test procedure".
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    clear = [False] * len(p_values)
    for rank, (p, place) in enumerate(known):
        if p > LEVEL / (len(known) - rank):
            break
        clear[place] = True
    return clear


def count_needed(claims: int) -> int:
    """The least number of programs that can make one of several differences clear, if all of them change alike.

    With fewer the test of pairs gives a p-value above the level, whatever the answers are.
    """
    return math.ceil(1 + math.log2(max(1, claims) / LEVEL))


def count_needed_in_groups(claims: int) -> int:
    """As :func:`count_needed`, where half of the programs are asked in one condition and half in the other."""
    return _find_least(lambda size: judge_groups(np.zeros(size // 2), np.ones(size - size // 2)), claims)


def count_needed_along(places: int, claims: int) -> int:
    """As :func:`count_needed`, where each program is asked at so many places and the claim is about all of them."""

    def judge(size: int) -> float | None:
        return judge_course(np.tile(np.arange(places) == 0, (size, 1)).astype(np.float64))

    return _find_least(judge, claims)


def _find_least(judge: Callable[[int], float | None], claims: int) -> int:
    """The least number of programs whose answers, as far apart as they can be, have a small enough p-value."""
    sizes = itertools.count(2)
    return next(size for size in sizes if (p := judge(size)) is not None and p <= LEVEL / max(1, claims))


def correct_together(p_values: Sequence[float | None]) -> list[float | None]:
    """Each p-value as it counts when all of them are looked at together; ``None`` stays ``None``.

    A corrected p-value of at most 5 % says the same as :func:`find_clear`.

    Source: Holm 1979; as p-values in Wright 1992, "Adjusted p-values for simultaneous inference".
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(known):
        highest = max(highest, min(1.0, p * (len(known) - rank)))
        corrected[place] = highest
    return corrected


def judge_pairs(changes: Floats) -> float:
    """The p-value of no change, from the change of each family, shape ``(families,)``.

    If the condition has no effect, every change might as well have the other sign. So the sum of the changes is
    compared with the sums that all choices of signs give. The test is exact for families of any number and size.
    Changes that are no whole numbers are first rounded to 1/4000 of their sum. Beyond 1,000 families that changed, the
    sum is taken as normal.

    Source: the randomisation test for pairs, Fisher 1935, *The Design of Experiments*, section 21. On one right or
    wrong answer for each family it is McNemar's exact test.
    """
    sizes = np.abs(changes[np.abs(changes) > _ROUNDING])
    if not len(sizes):
        return 1.0
    if len(sizes) > 1_000:  # with a continuity correction
        beyond = abs(float(changes.sum())) - float(sizes.min())
        return min(1.0, 2 * NormalDist().cdf(-beyond / math.sqrt(float(sizes @ sizes))))
    unit = 1.0 if np.allclose(sizes, np.round(sizes), rtol=0, atol=1e-6) else float(sizes.sum()) / _STEPS
    whole = np.round(changes / unit).astype(int)
    steps, times = np.unique(np.abs(whole[whole != 0]), return_counts=True)
    sums = np.ones(1)  # how often each sum of the rises comes, if each family rises or falls by chance
    for step, count in zip(steps.tolist(), times.tolist(), strict=True):
        rises = np.zeros(step * count + 1)
        rises[::step] = _toss(count)
        sums = np.convolve(sums, rises)
    differences = 2 * np.arange(len(sums)) - (len(sums) - 1)  # rises less falls
    return min(1.0, float(sums[np.abs(differences) >= abs(int(whole.sum()))].sum()))


@lru_cache(maxsize=256)
def _toss(coins: int) -> Floats:
    """How likely each number of heads is among so many coins."""
    return np.array([math.comb(coins, heads) / 2**coins for heads in range(coins + 1)])


def judge_groups(before: Floats, after: Floats) -> float | None:
    """The p-value of equal means of two groups of families, from the mean of each family; ``None`` for an empty group.

    Source: the two-sample test with a pooled variance and Yates' continuity correction (Yates 1934).
    """
    if not len(before) or not len(after):
        return None
    share = 1 / len(before) + 1 / len(after)
    variance = float(np.concatenate([before, after]).var()) * share
    difference = abs(float(after.mean() - before.mean())) - share / 2
    if variance <= 0 or difference <= 0:
        return 1.0
    return 2 * NormalDist().cdf(-difference / math.sqrt(variance))


def judge_course(values: NDArray[np.float64]) -> float | None:
    """The p-value of one mean at all places, from the mean of each family at each place; ``nan`` where none was asked.

    ``values`` has shape ``(families, places)``. Families that were asked at every place are compared with themselves.
    Where these are fewer than half, every answer is compared with the others. ``None`` if fewer than two places have
    an answer.

    Source: Cochran 1950, "The comparison of percentages in matched samples"; over groups the statistic is that of
    Pearson's test of homogeneity.
    """
    values = values[:, ~np.isnan(values).all(axis=0)]
    places = values.shape[1]
    if places < 2:
        return None
    whole = values[~np.isnan(values).any(axis=1)]
    asked = ~np.isnan(values)
    if 2 * whole.size >= asked.sum():
        residuals = whole - whole.mean(axis=1, keepdims=True)
        squares = float((residuals**2).sum())
        statistic = (places - 1) * float((residuals.sum(axis=0) ** 2).sum()) / squares if squares > _ROUNDING else 0.0
    else:
        known = values[asked]
        spread = float(known.var())
        means = np.nanmean(values, axis=0)
        between = float((asked.sum(axis=0) * (means - known.mean()) ** 2).sum())
        statistic = between / spread if spread > _ROUNDING else 0.0
    return _exceed_chi_square(statistic, places - 1)


def _exceed_chi_square(statistic: float, degrees: int) -> float:
    """How often chi-square exceeds ``statistic``, by the cube root of Wilson and Hilferty 1931."""
    if statistic <= 0:
        return 1.0
    spread = 2 / (9 * degrees)
    return NormalDist().cdf(-((statistic / degrees) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))
