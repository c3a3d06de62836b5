"""Whether a mean is above or below a bound, for somebody who looks after every family and stops when it is clear.

Example: a gate asks for at least 80 % right answers of 400 programs. The programs are asked in a random order. After
each of them a gambler, who starts with 1, bets that the next one does better than 80 %. If the gate's figure is at most
80 %, the bets are fair or bad for the gambler, whatever the figure is. So the gambler's wealth ever reaches 20 in at
most 1 of 20 runs, and a wealth of 20 is evidence at the level of 5 % at whatever moment it is reached.

Values lie in [0, 1]. One run is an array of shape ``(n,)``, the values in the random order; several runs of one length
are ``(runs, n)``. Of a finite ``population`` of N values the first n have been drawn without replacement, and the claim
is about the mean of these N values. With ``population=None`` the values are independent draws, and the claim is about
the mean of what they are drawn from.

Sources: Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting", JRSS B 86, sections 4
and 5 (without replacement); the same 2020, "Confidence sequences for sampling without replacement", NeurIPS; Ville 1939
for the level under continuous looking.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytest_codereason.results.statistics.intervals import Floats

LEVEL = 0.05  #: how often a one-sided claim may be wrong
#: The shares of what may be bet, each by a gambler with an equal part of the wealth. So nobody has to guess the mean.
#: Fixed shares also make wealth fall as the bound rises, so that all bounds give one limit.
FRACTIONS = np.geomspace(0.05, 0.95, 8)
_ROUNDING = 1e-9  # of a mean; differences of this size come from rounding
_HALVINGS = 30  # until the limit is known to 1e-9


def measure_evidence(values: Floats, bound: float, population: int | None = None) -> Floats:
    """The logarithm of the wealth against "the mean is at most ``bound``", after each value; the shape of ``values``.

    ``bound`` lies in [0, 1]. The result is infinite from the moment at which the values of a population alone exceed
    the bound: then no value that is left can bring the mean back.

    Raises:
        ValueError: there are more values than the population has.
    """
    n = values.shape[-1]
    if population is not None and n > population:
        raise ValueError(f"{n} values of a population of {population}")
    exceeded = np.zeros(values.shape, dtype=np.bool_)
    if population is None:
        expected: Floats = np.full(values.shape, float(bound))
    else:
        after = population * bound - np.cumsum(values, axis=-1)  # what the values that are left add up to, at most
        expected = (after + values) / (population - np.arange(n))
        exceeded = after < -_ROUNDING * population
    gains = np.divide(values, expected, out=np.ones_like(values, dtype=np.float64), where=expected > _ROUNDING) - 1
    wealth = np.full(values.shape, -np.inf)
    for fraction in FRACTIONS:
        np.logaddexp(wealth, np.cumsum(np.log1p(fraction * gains), axis=-1), out=wealth)
    wealth -= np.log(len(FRACTIONS))
    wealth[exceeded] = np.inf
    return wealth


def exceeds(values: Floats, bound: float, population: int | None = None, level: float = LEVEL) -> NDArray[np.bool_]:
    """Whether the mean is known to be above ``bound`` after each value; the shape of ``values``.

    Once it is known it stays known. If the mean is at most ``bound``, it is ever "known" in at most ``level`` of all
    runs. To ask whether the mean is below a bound, give ``1 - values`` and ``1 - bound``.
    """
    return np.logical_or.accumulate(measure_evidence(values, bound, population) >= -np.log(level), axis=-1)


def limit_mean(
    values: Floats,
    population: int | None = None,
    *,
    below: float = LEVEL,
    above: float = LEVEL,
    padding: Floats | float = 0.0,
) -> tuple[float, float]:
    """The lower and the upper limit of the mean that the ``values`` of one run leave, shape ``(n,)``.

    Over all moments at which somebody may look, the mean ever lies below the lower limit in at most the share
    ``below`` of runs, and above the upper limit in at most the share ``above``. The lower limit is the highest bound
    that the mean is known to be above, see :func:`exceeds`. Both limits are exact if the whole population was drawn.

    ``padding`` is the share of each value that nothing was measured for. It counts as the mean itself, whatever the
    mean is, so that it moves no limit: a family with two answers of four has 0.5.
    """
    low = _find_lower(values, padding, population, below)
    return low, 1 - _find_lower(1 - values - padding, padding, population, above)


def _find_lower(values: Floats, padding: Floats | float, population: int | None, level: float) -> float:
    low, high = 0.0, 1.0
    if not len(values):
        return low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if exceeds(values + padding * middle, middle, population, level)[-1]:
            low = middle
        else:
            high = middle
    return low
