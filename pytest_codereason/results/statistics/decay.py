"""An exponential trend through points, with a bootstrapped band.

Source: Sense and Sensitivity, figures 1 and 3, for the form of the trend; Golub and Pereyra 1973 for variable
projection; Davison and Hinkley 1997, section 3.8, for the band over whole families; Owen 2007, "The pigeonhole
bootstrap", for that over families and models.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_codereason.results.statistics.intervals import Floats

RESAMPLES = 200
#: Rates tried: from hardly any decay over 100 % to none left after one hundredth of it.
_RATES = np.concatenate([[0.0], np.geomspace(1e-4, 10, 240)])


@dataclass(frozen=True)
class Decay:
    """The trend ``start * exp(-rate * x)``, and the start and rate of each resample."""

    start: float
    rate: float
    starts: Floats
    rates: Floats

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """The trend at ``x`` (shape ``(n,)``) and the 95 % band around it."""
        resampled = self.starts[:, None] * np.exp(-self.rates[:, None] * x[None, :])
        low, high = np.percentile(resampled, [2.5, 97.5], axis=0)
        return self.start * np.exp(-self.rate * x), low, high

    def loss(self, share: float) -> float:
        """The part of its start (0 to 1) that the trend has lost at a ``share`` (0 to 1) of the axis."""
        return float(1 - np.exp(-self.rate * 100 * share))


def fit_decay(x: Floats, y: Floats, families: NDArray[Any], models: NDArray[Any] | None = None) -> Decay | None:
    """The least-squares trend of ``y`` over ``x`` in percent; ``None`` if there is nothing to fit.

    All arrays have shape ``(n,)``. For a given rate, linear least squares gives the best start. So only the rate
    is searched (variable projection), over a fixed grid, which gives the same result in every process. The band
    comes from resampled families; with several ``models``, these are drawn again as well. There is nothing to fit with
    fewer than two different ``x``, or where every ``y`` is 0.
    """
    if len(np.unique(x)) < 2 or not y.any():
        return None
    _, codes = np.unique(families, return_inverse=True)
    count = int(codes.max()) + 1
    basis = np.exp(-_RATES[:, None] * np.unique(x)[None, :])  # (rates, xs)
    _, places = np.unique(x, return_inverse=True)
    size = basis.shape[1]
    _, owners = np.unique(models, return_inverse=True) if models is not None else (None, np.zeros(len(y), dtype=int))
    several = int(owners.max()) + 1
    cells, shape = (owners * count + codes) * size + places, (several, count, size)
    ys = np.bincount(cells, weights=y, minlength=several * count * size).reshape(shape)
    ns = np.bincount(cells, minlength=several * count * size).reshape(shape).astype(np.float64)
    random = np.random.default_rng(count * 1_000_003 + len(y))
    weights = _draw_weights(random, count)
    shares = _draw_weights(random, several) if several > 1 else np.ones((RESAMPLES + 1, 1))
    totals = (np.einsum("rf,rm,mfx->rx", weights, shares, table, optimize=True) for table in (ys, ns))
    starts, rates = _fit_rates(basis, *totals)
    return Decay(float(starts[0]), float(rates[0]), starts[1:], rates[1:])


def _draw_weights(random: np.random.Generator, count: int) -> Floats:
    """How often each of ``count`` is drawn: once, and then in each resample."""
    drawn = [np.bincount(random.integers(0, count, count), minlength=count) for _ in range(RESAMPLES)]
    return np.stack([np.ones(count), *drawn]).astype(np.float64)


def _fit_rates(basis: Floats, ys: Floats, ns: Floats) -> tuple[Floats, Floats]:
    """The start and rate of least squares for each row of sums ``ys`` and counts ``ns`` at the same xs."""
    above = ys @ basis.T
    below = np.maximum(ns @ (basis**2).T, 1e-12)
    # The squared error is a constant less above² / below.
    chosen = np.argmax(above**2 / below, axis=1)
    rows = np.arange(len(ys))
    return above[rows, chosen] / below[rows, chosen], _RATES[chosen]
