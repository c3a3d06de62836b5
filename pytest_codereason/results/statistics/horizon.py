"""The horizon: the place on an axis at which half of the answers are right, such as 37 executed steps.

Example: a model is right in 6 of 6 questions of 4 steps, in 4 of 6 of 16 steps and in none of 64 steps. Its horizon is
about 20 steps, and lies with 95 % certainty between 9 and 40.

The chance of a right answer at the place n is a falling curve, P(n) = (1 - lapse) / (1 + (n / H) ** slope). The *lapse
rate* is the share of answers that are wrong however easy the question is. The *horizon* h50 is the n at which P is one
half. All curves of a fixed grid are weighed by the answers (Bayes' rule), so nothing is searched for, nothing can fail
to converge, and the same answers give the same numbers in every process.

Source: the logistic curve over log n with a lapse rate, Wichmann and Hill 2001, "The psychometric function: I. Fitting,
sampling, and goodness of fit"; its posterior on a grid, Kontsevich and Tyler 1999, "Bayesian adaptive estimation of
psychometric slope and threshold".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_codereason.results.statistics.intervals import Floats

#: Raised whenever the same answers would give another curve.
VERSION = 1
DRAWS = 2_000
_LOG_PLACES = np.linspace(-1, 17, 181)  # of log2 H
_SLOPES = np.geomspace(0.5, 4, 15)
_LAPSES = np.array([0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4])
_LAPSE_WEIGHTS = np.array([8.0, 8, 6, 4, 2, 1, 0.5])  # most models lapse rarely
_LEAST = 1e-9  # no answer is impossible

_LOG_H, _SLOPE, _LAPSE = (grid.ravel() for grid in np.meshgrid(_LOG_PLACES, _SLOPES, _LAPSES, indexing="ij"))
_PRIOR = np.log(np.broadcast_to(_LAPSE_WEIGHTS, (len(_LOG_PLACES), len(_SLOPES), len(_LAPSES))).ravel())
_LOG_H50 = _LOG_H + np.log2(1 - 2 * _LAPSE) / _SLOPE
_ORDER = np.argsort(_LOG_H50, kind="stable")
_SORTED_H50 = _LOG_H50[_ORDER]


class RungCount(NamedTuple):
    """The answers at one place of the axis. A question with several samples counts once, by its share of right ones."""

    right: float
    asked: float


class Credible(NamedTuple):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


class Rungs(NamedTuple):
    """The first and the last place above 0 that can be asked about: a horizon beyond them is not measured."""

    bottom: float
    top: float

    def clamp(self, logs: Floats) -> Floats:
        """Logarithms (base 2) of horizons, those below the rungs as half of the first, those above as the last."""
        logs = np.where(logs < np.log2(self.bottom), np.log2(self.bottom) - 1, logs)
        clamped: Floats = np.minimum(logs, np.log2(self.top))
        return clamped


@dataclass(frozen=True)
class Curve:
    """How likely each curve of the grid is after the answers. ``weights`` has the grid's length and adds up to 1."""

    weights: Floats

    @cached_property
    def _cumulated(self) -> Floats:
        cumulated = np.cumsum(self.weights[_ORDER])
        shares: Floats = cumulated / cumulated[-1]
        return shares

    def log_h50(self, shares: Floats) -> Floats:
        """The logarithm (base 2) of h50 at these quantiles (0 to 1) of the posterior."""
        places = np.searchsorted(self._cumulated, shares, side="left")
        logs: Floats = _SORTED_H50[np.minimum(places, len(_SORTED_H50) - 1)]
        return logs

    def share_below(self, log_place: float) -> float:
        """How likely h50 is below a place, which is given as its logarithm."""
        count = int(np.searchsorted(_SORTED_H50, log_place, side="left"))
        return float(self._cumulated[count - 1]) if count else 0.0

    @property
    def octaves(self) -> float:
        """The width of the 95 % interval of h50, in octaves: 2 octaves are from 16 to 64."""
        low, high = self.log_h50(np.array([0.025, 0.975]))
        return float(high - low)

    def horizon(self, rungs: Rungs) -> Credible:
        """h50 with the middle 95 % of the posterior, none beyond the rungs."""
        value, low, high = 2 ** rungs.clamp(self.log_h50(np.array([0.5, 0.025, 0.975])))
        return Credible(float(value), float(low), float(high))

    @cached_property
    def lapse(self) -> Credible:
        """The lapse rate, 0 to 0.4."""
        return _find_span(_LAPSES, self.weights.reshape(-1, len(_LAPSES)).sum(axis=0))

    @cached_property
    def slope(self) -> Credible:
        """The slope: how fast the curve falls, 0.5 to 4."""
        return _find_span(_SLOPES, self.weights.reshape(len(_LOG_PLACES), len(_SLOPES), -1).sum(axis=(0, 2)))

    def draw_lapses(self, uniforms: Floats) -> Floats:
        """Lapse rates drawn from the posterior by uniform numbers."""
        cumulated = np.cumsum(self.weights.reshape(-1, len(_LAPSES)).sum(axis=0))
        drawn: Floats = _LAPSES[np.minimum(np.searchsorted(cumulated / cumulated[-1], uniforms), len(_LAPSES) - 1)]
        return drawn

    def chances(self, place: float) -> Credible:
        """The chance of a right answer at a place: the mean over the posterior, with the middle 95 %."""
        chance = _chances(place)
        order = np.argsort(chance, kind="stable")
        cumulated = np.cumsum(self.weights[order])
        low, high = chance[order][np.minimum(np.searchsorted(cumulated, [0.025, 0.975]), len(order) - 1)]
        return Credible(float(self.weights @ chance), float(low), float(high))


def fit_curve(tallies: Mapping[float, RungCount]) -> Curve:
    """The curve through the answers, which are counted by their place on the axis. Without answers it is the prior."""
    logs = _PRIOR.copy()
    for place, (right, asked) in sorted(tallies.items()):
        of_right, of_wrong = _log_chances(place)
        logs += right * of_right + (asked - right) * of_wrong
    weights = np.exp(logs - logs.max())
    return Curve(weights / weights.sum())


def draw_uniforms(seed: int) -> Floats:
    """``DRAWS`` numbers between 0 and 1 in a random order, one in each of as many equal parts."""
    drawn: Floats = (np.random.default_rng(seed).permutation(DRAWS) + 0.5) / DRAWS
    return drawn


def average_horizons(curves: Sequence[Curve], rungs: Rungs, groups: Sequence[int]) -> Floats:
    """Draws of the mean logarithm of h50 over several cells; ``2 **`` a draw is a geometric mean.

    Args:
        groups: a number for each cell. Cells of one number ask about the same programs. They may err together, so
            their draws rise and fall together; draws of different numbers are independent.
    """
    drawn = [rungs.clamp(curve.log_h50(draw_uniforms(group))) for curve, group in zip(curves, groups, strict=True)]
    mean: Floats = np.mean(drawn, axis=0)
    return mean


def average_lapses(curves: Sequence[Curve], groups: Sequence[int]) -> Floats:
    """Draws of the mean lapse rate over several cells."""
    pairs = zip(curves, groups, strict=True)
    mean: Floats = np.mean([curve.draw_lapses(draw_uniforms(group)) for curve, group in pairs], axis=0)
    return mean


def find_middle(draws: Floats) -> Credible:
    """The median of draws with the middle 95 %."""
    value, low, high = np.quantile(draws, [0.5, 0.025, 0.975])
    return Credible(float(value), float(low), float(high))


@lru_cache(maxsize=256)
def _log_chances(place: float) -> tuple[Floats, Floats]:
    """The logarithms of the chances of a right and of a wrong answer at a place, for each curve of the grid."""
    chances = np.clip(_chances(place), _LEAST, 1 - _LEAST)
    return np.log(chances), np.log1p(-chances)


def _chances(place: float) -> Floats:
    if place <= 0:
        most: Floats = 1 - _LAPSE
        return most
    chances: Floats = (1 - _LAPSE) / (1 + np.exp2(np.clip(_SLOPE * (np.log2(place) - _LOG_H), -60, 60)))
    return chances


def _find_span(values: Floats, weights: NDArray[np.float64]) -> Credible:
    """The mean of a coarse grid, with the middle 95 %."""
    low, high = values[np.minimum(np.searchsorted(np.cumsum(weights), [0.025, 0.975]), len(values) - 1)]
    return Credible(float(values @ weights), float(low), float(high))
