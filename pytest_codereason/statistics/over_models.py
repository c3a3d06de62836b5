"""Means over several models that were asked the same programs.

Example: three models find 10, 20 and 60 % of the faults. Their average is 30 %. If the third was asked only a few
questions, the share of all answers together, the pooled share, is nearer to 15 %.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np

from pytest_codereason.statistics.intervals import (
    RESAMPLES,
    UNDEFINED,
    Floats,
    Interval,
    find_middle_95,
    unanimous_interval,
)

#: A number of each resample, from totals of shape ``(resamples, models, 2)`` and how often each model was drawn.
Statistic = Callable[[Floats, Floats], Floats]


def average_models(columns: Floats) -> tuple[float, Interval]:
    """The mean of the models' means, each model alike, with its 95 % interval.

    ``columns`` has shape ``(models, families, 2)``: sums and counts. Each model has a count.

    Source: both models and families are drawn with replacement, the "pigeonhole" bootstrap: Owen 2007, "The pigeonhole
    bootstrap". So the interval says what other models and other programs would give.
    """
    return _estimate(columns, _average)


def pool_models(columns: Floats) -> tuple[float, Interval]:
    """The mean of all answers of all models together, with its 95 % interval, drawn as :func:`average_models` does."""
    return _estimate(columns, _pool)


def _average(totals: Floats, drawn: Floats) -> Floats:
    counted = totals[:, :, 1] > 0
    means = np.divide(totals[:, :, 0], totals[:, :, 1], out=np.zeros(counted.shape), where=counted)
    weights = drawn * counted
    return np.asarray((means * weights).sum(axis=1) / weights.sum(axis=1))


def _pool(totals: Floats, drawn: Floats) -> Floats:
    sums = (totals * drawn[:, :, None]).sum(axis=1)
    return np.asarray(sums[:, 0] / sums[:, 1])


def _estimate(columns: Floats, statistic: Statistic) -> tuple[float, Interval]:
    columns = np.ascontiguousarray(columns[:, columns.any(axis=(0, 2)), :], dtype=np.float64)
    models, families, _ = columns.shape
    value = float(statistic(columns.sum(axis=1)[None], np.ones((1, models)))[0])
    random = np.random.default_rng(int(hashlib.sha256(columns.tobytes()).hexdigest()[:16], 16))
    times = random.multinomial(families, np.full(families, 1 / families), size=RESAMPLES).astype(np.float64)
    drawn = random.multinomial(models, np.full(models, 1 / models), size=RESAMPLES).astype(np.float64)
    totals = np.stack([times @ each for each in columns], axis=1)
    is_defined = ((totals[:, :, 1] > 0) & (drawn > 0)).any(axis=1)
    spread = find_middle_95(statistic(totals[is_defined], drawn[is_defined]))
    return value, spread or (unanimous_interval(value, families, (0.0, 1.0)) if 0 <= value <= 1 else UNDEFINED)
