"""What a run of a given size can see: the smallest change, and the families that would decide a gate.

Example: a model and its earlier self answer 100 programs, and 6 answers flip each way. Nothing is clear of chance. A
drop of 12 points would have been clear in 4 of 5 such runs, a drop of 3 points in hardly any. So "no clear change"
says nothing about 3 points.

Families are the unit, as in ``intervals.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

import numpy as np

from pytest_codereason.results.statistics.chance import LEVEL, count_needed
from pytest_codereason.results.statistics.intervals import Floats

POWER = 0.8  #: in how many runs a change of the stated size is clear
_HALVINGS = 30


def find_smallest_change(columns: Floats, *, comparisons: int = 1, reach: float = 1.0) -> float | None:
    """The smallest true change of a mean that is clear of chance in 80 % of runs of this size, as a number above 0.

    ``columns`` has shape ``(families, 4)``: sums and counts before, sums and counts after, as in
    :func:`~pytest_codereason.results.statistics.intervals.change_of_means`. Families that lack a side are left out. Of
    several ``comparisons`` that are judged together each is held to its part of 5 %. ``reach`` is by how much a family
    can change, 1 for shares. ``None`` if the families are too few for any change.

    Families change by chance as much as they did here, with the variance s² among F families. A true change of size d
    may fall on few families whole, so it adds d times the reach r. The result is the d that solves

        d √F = z(1 - level / 2) √(s² + d r) + z(0.8) √(s² + d r - d²)

    Source: Connor 1987, "Sample size for testing differences in proportions for the paired-sample design", Biometrics
    43; there s² is the share of discordant pairs, and r is 1.
    """
    columns = columns[(columns[:, 1] > 0) & (columns[:, 3] > 0)]
    families = len(columns)
    if families < count_needed(comparisons):
        return None
    spread = measure_spread(columns, (-1, 1))
    chance, power = NormalDist().inv_cdf(1 - LEVEL / comparisons / 2), NormalDist().inv_cdf(POWER)

    def is_seen(change: float) -> bool:
        noise = spread + change * reach
        needed = chance * math.sqrt(noise) + power * math.sqrt(max(0.0, noise - change**2))
        return change * math.sqrt(families) >= needed

    return _find_least(is_seen, reach) if is_seen(reach) else None


def count_needed_families(
    columns: Floats, factors: Sequence[float], bound: float, *, ends: tuple[float, float] = (0.0, 1.0)
) -> int | None:
    """How many families would decide on which side of ``bound`` a figure lies, if the figure stays what it is.

    ``columns`` has shape ``(families, 2 k)``: sums and counts of each of k means. The figure is the sum of these means
    times their ``factors``, such as ``(-1, 1)`` for a difference. The level is 5 % on one side, the power 80 %. The
    result is ``None`` if the figure equals the bound: then no number of families decides.

    ``ends`` are the least and the largest value of an answer. One family is added that pulls the figure towards the
    bound as far as answers can, so that three right answers of three do not pass for a model without errors.

    Source: the sample size of a mean, (z(0.95) s + z(0.8) t)² / (figure - bound)², with the variance t² of the figure
    as measured and s² at the bound; for a share s² / t² is b (1 - b) / p (1 - p). Fleiss 1981, *Statistical Methods for
    Rates and Proportions*, chapter 3.
    """
    gap = _combine(columns, factors) - bound
    if not gap:
        return None
    counts = columns[:, 1::2].mean(axis=0)
    pulled = counts * [ends[0] if factor * gap > 0 else ends[1] for factor in factors]
    columns = np.concatenate([columns, np.stack([pulled, counts], axis=1).reshape(1, -1)])
    spread, figure = measure_spread(columns, factors), _combine(columns, factors)
    inside, at_bound = ((ends[1] - place) * (place - ends[0]) for place in (figure, bound))
    ratio = at_bound / inside if len(factors) == 1 and at_bound > 0 and inside > 0 else 1.0
    chance, power = NormalDist().inv_cdf(1 - LEVEL), NormalDist().inv_cdf(POWER)
    return max(1, math.ceil(spread * ((chance * math.sqrt(ratio) + power) / gap) ** 2))


def _combine(columns: Floats, factors: Sequence[float]) -> float:
    """The sum of means times their factors."""
    totals = columns.sum(axis=0)
    return float((totals[0::2] / totals[1::2]) @ np.asarray(factors, dtype=np.float64))


def measure_spread(columns: Floats, factors: Sequence[float]) -> float:
    """The variance that one family adds to a sum of means times their ``factors``, 0 for a single family.

    The variance of the sum over F families is this number divided by F.

    Source: the linearised variance of a ratio, Kish 1965, *Survey Sampling*, section 6.6.
    """
    families = len(columns)
    if families < 2:
        return 0.0
    totals = columns.sum(axis=0)
    means = totals[0::2] / totals[1::2]
    residuals = families * (columns[:, 0::2] - means * columns[:, 1::2]) / totals[1::2]
    return float(((residuals @ np.asarray(factors, dtype=np.float64)) ** 2).sum() / (families - 1))


def _find_least(holds: Callable[[float], bool], high: float) -> float:
    """The least number up to ``high`` from which on a condition holds."""
    low = 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
