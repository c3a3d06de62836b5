"""The 95 % interval of an average over models that were asked about the same programs.

Example: three models lose 2, 10 and 24 points on the same 800 programs. Each loss is known within 2 points, but another
three models would lose something else. So the average of 12 points is no better known than the models differ.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from pytest_codereason.results.statistics.intervals import UNDEFINED, Floats, Interval

_STEPS = 20_000
_NORMAL = 10_000.0  #: from so many degrees of freedom on, Student's distribution is as good as normal


def average_interval(
    values: Floats, drawn: Floats, families: int, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> Interval:
    """The interval of the mean of ``values``, one for each model, if models and programs are both drawn at random.

    The variance has two parts. That of the programs, P, comes from resamples. That of the models, M, is the variance of
    ``values`` divided by their number m. What a model finds hard in single programs stands in both; with D, the mean
    variance of one model's value over the resamples, that is (D - P) / (m - 1), which is taken away once. The interval
    is Student's, with Satterthwaite's degrees of freedom: few where models differ most, many where programs do.

    Source: the two-way variance of Cameron, Gelbach and Miller 2011, "Robust inference with multiway clustering";
    crossed random effects of models and programs as in Miller 2024, arXiv:2411.00640; Satterthwaite 1946.

    Args:
        values: of each model, shape ``(models,)``.
        drawn: the values of all models in each resample of programs, shape ``(resamples, models)``.
        families: how many programs there are.
        bounds: what no average goes beyond, such as (-1, 1) for a difference of shares.
    """
    models = len(values)
    if models < 2 or len(drawn) < 2 or families < 2:
        return UNDEFINED
    of_models = float(values.var(ddof=1)) / models
    of_programs = float(drawn.mean(axis=1).var(ddof=1))
    shared = max(0.0, float(drawn.var(axis=0, ddof=1).mean()) - of_programs) / (models - 1)
    variance = max(of_models, of_programs, of_models + of_programs - shared)
    if variance <= 0:
        return UNDEFINED
    freedom = variance**2 / (of_models**2 / (models - 1) + of_programs**2 / (families - 1))
    reach = find_student(round(min(freedom, _NORMAL), 2)) * math.sqrt(variance)
    middle = float(values.mean())
    return Interval(max(bounds[0], middle - reach), min(bounds[1], middle + reach))


@lru_cache(maxsize=1024)
def find_student(freedom: float) -> float:
    """The 97.5 % point of Student's distribution: 12.706 for 1 degree of freedom, 1.960 for very many.

    With t = sqrt(v) tan(a), the share of the distribution between -t and t is the integral of cos(a)^(v - 1) from 0 to
    a, divided by that from 0 to a right angle.
    """
    angles = np.linspace(0.0, math.pi / 2, _STEPS + 1)
    heights = np.cos(angles[:-1] + angles[1] / 2) ** (freedom - 1)
    share = np.concatenate([[0.0], np.cumsum(heights)]) / heights.sum()
    return math.sqrt(freedom) * math.tan(float(np.interp(0.95, share, angles)))
