"""95 % intervals for answers that come in families.

Answers about one program resemble each other, so the family is what is drawn at random, not the
answer. Everything here takes sums over families: ``sums[f]`` is the total of a metric over the
``counts[f]`` answers of family ``f`` (arrays of shape ``(families,)``, float, no zero counts).
``docs/scores.md`` gives the reasons, the references and the measured coverage.
"""

from __future__ import annotations

import hashlib
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

Z = 1.959963984540054  #: the 97.5 % point of the normal distribution
RESAMPLES = 2_000
_NOISE = 1e-12  # differences of this size come from rounding


class Interval(NamedTuple):
    """Lower and upper limit; both ``None`` where there is none to give."""

    low: float | None
    high: float | None


UNDEFINED = Interval(None, None)


class Change(NamedTuple):
    """A difference of two means and the same relative to the first, each with its interval."""

    value: float
    interval: Interval
    relative: float | None
    relative_interval: Interval


def wilson(share: float, size: float) -> Interval:
    """Wilson's score interval of a ``share`` in 0..1 seen in ``size`` > 0 independent answers.

    (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n), Wilson 1927. ``size`` need not be whole.
    """
    centre = share + Z * Z / (2 * size)
    spread = Z * math.sqrt(share * (1 - share) / size + Z * Z / (4 * size * size))
    scale = 1 + Z * Z / size
    # At 0 and 1 the limit is exact in theory and off by rounding in practice.
    low = 0.0 if share == 0 else (centre - spread) / scale
    high = 1.0 if share == 1 else (centre + spread) / scale
    return Interval(max(0.0, low), min(1.0, high))


def effective_size(sums: Floats, counts: Floats) -> float:
    """How many independent answers tell as much about a proportion as these do.

    n / deff, where deff (Kish 1965, section 8.2) is the variance of the mean that counts families as the
    unit, F/(F-1) Σ (s_f - p n_f)² / n², over the variance p(1-p)/(n-1) of n independent answers. It is held
    between 1 and n, so that families that happen to disagree never buy precision. Where all answers are
    equal the data do not show how alike families are: their number is taken.
    """
    n, families = float(counts.sum()), len(counts)
    share = float(sums.sum()) / n
    independent = share * (1 - share) / (n - 1) if n > 1 else 0.0
    if families < 2 or independent <= 0:
        return float(families)
    residuals = sums - share * counts
    clustered = families / (families - 1) * float(residuals @ residuals) / n**2
    return min(n, max(1.0, n * independent / clustered)) if clustered > 0 else n


def proportion(sums: Floats, counts: Floats) -> Interval:
    """The interval of a share of answers: Wilson's, on the effective sample size (Korn and Graubard 1998)."""
    return wilson(float(sums.sum() / counts.sum()), effective_size(sums, counts))


def mean(sums: Floats, counts: Floats) -> Interval:
    """The interval of a mean over answers, by resampling families (percentile bootstrap)."""
    value = float(sums.sum() / counts.sum())
    totals = resample(np.stack([sums, counts], axis=1))
    return _percentiles(totals[:, 0] / totals[:, 1]) or unanimous(value, len(counts), (0.0, 1.0))


def change(columns: Floats, drawn: Floats) -> Change:
    """How a mean differs between two conditions seen on the same families.

    ``columns`` has shape ``(families, 4)``: sums and counts before, sums and counts after; a family that
    lacks a condition has 0 there. ``drawn`` are their totals in resamples of families, ``(resamples, 4)``.
    The interval follows how far the two conditions go together, so shared families make it narrow. The
    relative change is undefined where the mean before is zero, and so is its interval where that happens
    in a resample.
    """
    totals = columns.sum(axis=0)
    old, new = float(totals[0] / totals[1]), float(totals[2] / totals[3])
    drawn = drawn[(drawn[:, 1] > 0) & (drawn[:, 3] > 0)]
    olds, news = drawn[:, 0] / drawn[:, 1], drawn[:, 2] / drawn[:, 3]
    interval = _percentiles(news - olds)
    if interval is None:
        shares = 0 <= old <= 1 and 0 <= new <= 1
        interval = unanimous(new - old, len(columns), (-1.0, 1.0)) if shares else UNDEFINED
    relative = new / old - 1 if old else None
    spread = _percentiles(news / olds - 1) if relative is not None and olds.all() else None
    return Change(new - old, interval, relative, spread or UNDEFINED)


def unanimous(value: float, families: int, bounds: tuple[float, float]) -> Interval:
    """The interval where all families give the same ``value``, and resampling has nothing to vary.

    At most u = z²/(F + z²) of all families differ (Wilson's upper limit of 0 in F), and a family that
    differs goes no further than ``bounds``. Undefined for a value outside them.
    """
    bottom, top = bounds
    if not bottom <= value <= top:
        return UNDEFINED
    differing = Z * Z / (families + Z * Z)
    return Interval(value - differing * (value - bottom), value + differing * (top - value))


def resample(columns: Floats) -> Floats:
    """Column totals of ``RESAMPLES`` draws of families with replacement.

    ``columns`` has shape ``(families, k)``, the result ``(RESAMPLES, k)``. The draws are seeded by the
    content, so the same records give the same interval in every process.
    """
    columns = np.ascontiguousarray(columns, dtype=np.float64)
    families = len(columns)
    random = np.random.default_rng(int(hashlib.sha256(columns.tobytes()).hexdigest()[:16], 16))
    totals = np.empty((RESAMPLES, columns.shape[1]))
    # One draw at a time stays in the processor's cache: three times as fast as one large matrix.
    for total in totals:
        total[:] = np.bincount(random.integers(0, families, families), minlength=families) @ columns
    return totals


def _percentiles(values: Floats) -> Interval | None:
    if not len(values) or float(np.ptp(values)) < _NOISE:
        return None
    low, high = np.percentile(values, [2.5, 97.5])
    return Interval(float(low), float(high))
