"""A straight line through answers at several values of a number, with the interval of its slope."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pytest_codereason.results.statistics.intervals import (
    UNDEFINED,
    Floats,
    Interval,
    find_middle_95,
    resample_families,
)


class Slope(NamedTuple):
    """By how much a mean changes with each step, and the 95 % interval."""

    value: float
    interval: Interval


def fit_slope(columns: Floats) -> Slope | None:
    """The least-squares slope of a mean over ``x``; ``None`` if there is one ``x`` only.

    ``columns`` has shape ``(families, 5)``: the sums over the answers of each family of w, w x, w x², y and x y, where
    y is what an answer adds to the mean and w the weight with which it counts. So the slope of a share counts every
    answer, and the slope of a ratio of sums every unit of its whole.

    Source: weighted least squares; the percentile bootstrap over families, Davison and Hinkley 1997, section 3.8.
    """
    columns = columns[columns.any(axis=1)]
    if not len(columns) or not _find_spread(columns.sum(axis=0)[None, :])[0]:
        return None
    value = float(_find_slopes(columns.sum(axis=0)[None, :])[0])
    drawn = resample_families(columns)
    slopes = _find_slopes(drawn[_find_spread(drawn)])
    return Slope(value, find_middle_95(slopes) or UNDEFINED)


def _find_spread(totals: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether the answers of each draw stand at more than one ``x``."""
    below = totals[:, 0] * totals[:, 2] - totals[:, 1] ** 2
    return np.asarray(below > 1e-9 * np.maximum(totals[:, 0] * totals[:, 2], 1e-12))


def _find_slopes(totals: Floats) -> Floats:
    w, wx, wxx, y, xy = totals.T
    return np.asarray((w * xy - wx * y) / (w * wxx - wx**2))
