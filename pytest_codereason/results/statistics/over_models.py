"""Means over several models that were asked the same programs.

Example: three models find 10, 20 and 60 % of the faults. Their average is 30 %. If the third was asked only a few
questions, the share of all answers together, the pooled share, is nearer to 15 %.
"""

from __future__ import annotations

import math

from pytest_codereason.results.statistics.intervals import (
    UNDEFINED,
    Floats,
    Interval,
    resample_families,
    unseen_interval,
)
from pytest_codereason.results.statistics.two_way import average_interval


def average_models(columns: Floats) -> tuple[float, Interval]:
    """The mean of the models' means, each model alike, with its 95 % interval.

    ``columns`` has shape ``(models, families, 2)``: sums and counts. Each model has a count.

    Source: :func:`~pytest_codereason.results.statistics.two_way.average_interval`. So the interval says what other
    models and other programs would give.
    """
    values, interval = _measure(columns)
    return float(values.mean()), interval


def pool_models(columns: Floats) -> tuple[float, Interval]:
    """The mean of all answers of all models together, with the interval of :func:`average_models` around it."""
    values, (low, high) = _measure(columns)
    sums, counts = columns.sum(axis=(0, 1))
    pooled = float(sums / counts)
    if low is None or high is None:
        return pooled, UNDEFINED
    shift, (bottom, top) = pooled - float(values.mean()), _find_bounds(values)
    return pooled, Interval(max(bottom, low + shift), min(top, high + shift))


def _measure(columns: Floats) -> tuple[Floats, Interval]:
    """The mean of each model that has a count, and the interval of their mean."""
    counted = columns[columns[:, :, 1].sum(axis=1) > 0]
    counted = counted[:, counted.any(axis=(0, 2)), :]
    models, families, _ = counted.shape
    totals = counted.sum(axis=1)
    values: Floats = totals[:, 0] / totals[:, 1]
    drawn = resample_families(counted.transpose(1, 0, 2).reshape(families, 2 * models))
    drawn = drawn[(drawn[:, 1::2] > 0).all(axis=1)]
    bounds = _find_bounds(values)
    interval = average_interval(values, drawn[:, 0::2] / drawn[:, 1::2], families, bounds)
    if interval == UNDEFINED and bounds == (0.0, 1.0):
        interval = unseen_interval(float(values.mean()), 0, families, bounds)
    return values, interval


def _find_bounds(values: Floats) -> tuple[float, float]:
    """Where means end: those of shares at 0 and 1."""
    are_shares = bool((values >= 0).all() and (values <= 1).all())
    return (0.0, 1.0) if are_shares else (-math.inf, math.inf)
