"""95 % intervals for answers that come in families.

Example: four answers about each of 100 programs are 400 answers in 100 families. Answers about one program
resemble each other, so the family is the unit that is drawn at random. Every function takes sums over
families: ``sums[f]`` is the total of a metric over the ``counts[f]`` answers of family ``f``. Both are arrays
of floats of shape ``(families,)`` without zero counts. ``docs/scores.md`` gives reasons, references and the
measured coverage.
"""

from __future__ import annotations

import hashlib
import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

Z = 1.959963984540054  #: the 97.5 % point of the normal distribution
RESAMPLES = 2_000
_SPARSE = 5  # families that differ, from which on resampling is trusted
_BLOCK = 32_768  # numbers drawn at a time
_ROUNDING = 1e-12  # differences of this size come from rounding


class Interval(NamedTuple):
    """Lower and upper limit. Both are ``None`` if the interval is undefined."""

    low: float | None
    high: float | None


UNDEFINED = Interval(None, None)


class MeanChange(NamedTuple):
    """The difference of two means, and the difference as a share of the first mean, each with its interval."""

    value: float
    interval: Interval
    relative: float | None
    relative_interval: Interval


def wilson_interval(share: float, size: float) -> Interval:
    """Wilson's score interval of a ``share`` (0 to 1) seen in ``size`` > 0 independent answers.

    The formula is (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n). ``size`` need not be a whole number.

    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference".
    """
    centre = share + Z * Z / (2 * size)
    spread = Z * math.sqrt(share * (1 - share) / size + Z * Z / (4 * size * size))
    scale = 1 + Z * Z / size
    # At 0 and 1 the limit is exact in theory and off by rounding in practice.
    low = 0.0 if share == 0 else (centre - spread) / scale
    high = 1.0 if share == 1 else (centre + spread) / scale
    return Interval(max(0.0, low), min(1.0, high))


def effective_size(sums: Floats, counts: Floats) -> float:
    """The number of independent answers that say as much about a share as these answers do.

    The result is n / deff. The design effect deff is the ratio of two variances of the mean: with families as
    the unit, F/(F-1) Σ (s_f - p n_f)² / n², over that of n independent answers, p(1-p)/(n-1). The result stays
    between 1 and n, so families that disagree by chance never narrow an interval. Where all answers are equal,
    the data cannot show how alike families are, and the result is the number of families.

    Source: Kish 1965, *Survey Sampling*, section 8.2.
    """
    n, families = float(counts.sum()), len(counts)
    share = float(sums.sum()) / n
    independent = share * (1 - share) / (n - 1) if n > 1 else 0.0
    if families < 2 or independent <= 0:
        return float(families)
    residuals = sums - share * counts
    clustered = families / (families - 1) * float(residuals @ residuals) / n**2
    return min(n, max(1.0, n * independent / clustered)) if clustered > 0 else n


def share_interval(sums: Floats, counts: Floats) -> Interval:
    """The interval of a share of answers: Wilson's interval on the effective sample size.

    Source: Korn and Graubard 1998, "Confidence intervals for proportions with small expected number of positive
    counts estimated from survey data".
    """
    return wilson_interval(float(sums.sum() / counts.sum()), effective_size(sums, counts))


def mean_interval(sums: Floats, counts: Floats) -> Interval:
    """The interval of a mean over answers, or of a ratio of sums: the percentile bootstrap over families.

    Of a ratio such as F1, ``sums`` is the part and ``counts`` the whole. Families that are drawn again change both, so
    the interval is that of the ratio, not of a mean over programs.

    Where hardly any family differs from the others, it is at least as wide as :func:`sparse_interval`.

    Source: Efron and Tibshirani 1993, *An Introduction to the Bootstrap*, chapter 13; families as the unit:
    Davison and Hinkley 1997, *Bootstrap Methods and their Application*, section 3.8.
    """
    value = float(sums.sum() / counts.sum())
    totals = resample_families(np.stack([sums, counts], axis=1))
    totals = totals[totals[:, 1] > 0]
    drawn = find_middle_95(totals[:, 0] / totals[:, 1]) or UNDEFINED
    asked = counts > 0
    return join_intervals(drawn, sparse_interval(value, sums[asked] / counts[asked], (0.0, 1.0)))


def change_of_means(columns: Floats, drawn: Floats) -> MeanChange:
    """The change of a mean between two conditions that were seen on the same families.

    ``columns`` has shape ``(families, 4)``: sums and counts before, sums and counts after. A family that
    lacks a condition has 0 there. ``drawn`` holds the totals of resamples of families, shape ``(resamples, 4)``.
    Both means come from the same draw, so what a family adds to both cancels, and shared families make the
    interval narrow. The relative change is undefined if the mean before is zero. Its interval is undefined
    where the mean before is zero in any resample. Where hardly any family changes otherwise than the others, the
    interval of the difference is at least as wide as :func:`sparse_interval`.

    Source: the paired percentile bootstrap, Efron and Tibshirani 1993, chapter 13; paired by cluster as in
    Miller 2024, "Adding error bars to evals", arXiv:2411.00640.
    """
    totals = columns.sum(axis=0)
    old, new = float(totals[0] / totals[1]), float(totals[2] / totals[3])
    drawn = drawn[(drawn[:, 1] > 0) & (drawn[:, 3] > 0)]
    olds, news = drawn[:, 0] / drawn[:, 1], drawn[:, 2] / drawn[:, 3]
    interval = find_middle_95(news - olds) or UNDEFINED
    if 0 <= old <= 1 and 0 <= new <= 1:
        asked = columns[(columns[:, 1] > 0) & (columns[:, 3] > 0)]
        changes = asked[:, 2] / asked[:, 3] - asked[:, 0] / asked[:, 1]
        interval = join_intervals(interval, sparse_interval(new - old, changes, (-1.0, 1.0)))
    relative = new / old - 1 if old else None
    spread = find_middle_95(news / olds - 1) if relative is not None and olds.all() else None
    return MeanChange(new - old, interval, relative, spread or UNDEFINED)


def change_between_groups(before: tuple[Floats, Floats], after: tuple[Floats, Floats], *, binary: bool) -> MeanChange:
    """The change of a mean between two groups of families: sums and counts before, sums and counts after.

    Each mean has its own interval, :func:`share_interval` if the answers are right or wrong (``binary``), else
    :func:`mean_interval`. From these come the intervals of the difference and of the relative change. So a group of one
    program makes a wide interval, even though resampling has nothing to vary in it. The relative interval is undefined
    where the mean before may be close to zero.

    Source: Newcombe 1998, "Interval estimation for the difference between independent proportions", method 10; for
    other means and for ratios Donner and Zou 2012, "Closed-form confidence intervals for functions of the normal mean
    and standard deviation".
    """
    old, new = (float(sums.sum() / counts.sum()) for sums, counts in (before, after))
    relative = new / old - 1 if old else None
    find_interval = share_interval if binary else mean_interval
    (old_low, old_high), (new_low, new_high) = find_interval(*before), find_interval(*after)
    if old_low is None or old_high is None or new_low is None or new_high is None:
        return MeanChange(new - old, UNDEFINED, relative, UNDEFINED)
    interval = Interval(
        new - old - math.hypot(new - new_low, old_high - old),
        new - old + math.hypot(new_high - new, old - old_low),
    )
    if old_low <= 0 or old_high >= 2 * old:
        return MeanChange(new - old, interval, relative, UNDEFINED)
    product = old * new
    below = product**2 - new_low * old_high * (2 * new - new_low) * (2 * old - old_high)
    above = product**2 - new_high * old_low * (2 * new - new_high) * (2 * old - old_low)
    spread = Interval(
        (product - math.sqrt(max(0.0, below))) / (old_high * (2 * old - old_high)) - 1,
        (product + math.sqrt(max(0.0, above))) / (old_low * (2 * old - old_low)) - 1,
    )
    return MeanChange(new - old, interval, relative, spread)


def sparse_interval(value: float, of_families: Floats, bounds: tuple[float, float]) -> Interval:
    """The interval of a mean where fewer than five families differ from the others, so that resampling sees too little.

    ``of_families`` has the value of each family, ``value`` is the mean. If d of F families differ from the commonest
    value, at most a share w of all families does, where w is the upper limit of Wilson's interval for d of F. Those of
    w that were not seen go no further than ``bounds``. The interval is undefined where five families or more differ,
    and for a value outside ``bounds``.

    Source: Wilson 1927. Five is the number of events below which normal limits are not trusted: Cochran 1954, "Some
    methods for strengthening the common chi-square tests".
    """
    families = len(of_families)
    differing = families - int(np.unique(of_families.round(12), return_counts=True)[1].max(initial=0))
    if differing >= _SPARSE or not families:
        return UNDEFINED
    return unseen_interval(value, differing, families, bounds)


def unseen_interval(value: float, differing: int, families: int, bounds: tuple[float, float]) -> Interval:
    """The interval of a mean if all that is unknown are the families that differ, see :func:`sparse_interval`."""
    bottom, top = bounds
    if not bottom <= value <= top:
        return UNDEFINED
    high = wilson_interval(differing / families, families).high
    assert high is not None
    unseen = high - differing / families
    return Interval(value - unseen * (value - bottom), value + unseen * (top - value))


def join_intervals(one: Interval, other: Interval) -> Interval:
    """The least interval that holds both; an undefined one holds nothing."""
    lows = [each.low for each in (one, other) if each.low is not None]
    highs = [each.high for each in (one, other) if each.high is not None]
    return Interval(min(lows), max(highs)) if lows and highs else UNDEFINED


def resample_families(columns: Floats) -> Floats:
    """The column totals of ``RESAMPLES`` draws of families with replacement.

    ``columns`` has shape ``(families, k)``, the result ``(RESAMPLES, k)``. A digest of ``columns`` seeds the
    draws, so the same records give the same interval in every process.

    Source: Davison and Hinkley 1997, section 3.8 (whole clusters are drawn).
    """
    columns = np.ascontiguousarray(columns, dtype=np.float64)
    return _draw_totals(columns.tobytes(), columns.shape[1])


@lru_cache(maxsize=64)  # one delta stands in several figures
def _draw_totals(content: bytes, width: int) -> Floats:
    columns = np.frombuffer(content).reshape(-1, width)
    families = len(columns)
    random = np.random.default_rng(int(hashlib.sha256(content).hexdigest()[:16], 16))
    totals = np.empty((RESAMPLES, width))
    # A block of draws stays in the processor's cache: faster than one draw at a time, and than one large matrix.
    for block in np.split(totals, range(step := max(1, _BLOCK // families), RESAMPLES, step)):
        drawn = random.integers(0, families, (len(block), families))
        drawn += families * np.arange(len(block))[:, np.newaxis]
        times = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(np.float64)
        np.einsum("df,fk->dk", times, columns, out=block)  # a product of matrices would round by the block's size
    totals.setflags(write=False)
    return totals


def find_middle_95(values: Floats) -> Interval | None:
    """The middle 95 % of resampled ``values``; ``None`` if they are all alike."""
    if not len(values) or float(np.ptp(values)) < _ROUNDING:
        return None
    low, high = np.percentile(values, [2.5, 97.5])
    return Interval(float(low), float(high))
