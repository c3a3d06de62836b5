"""A metric over several models, as one estimate: the average of the models, or all of their answers together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.results.measures.measures import count_clusters, estimate_metric, find_scored
from pytest_codereason.results.statistics.intervals import Floats, Interval
from pytest_codereason.results.statistics.over_models import average_models, pool_models
from pytest_codereason.results.values import Estimate, Undefined, Why


class OverModels(NamedTuple):
    """A metric over several models, in both ways."""

    average: Estimate | Undefined  #: each model counts alike
    pooled: Estimate | Undefined  #: each answer counts alike


def measure_models(parts: Sequence[pd.DataFrame], metric: Metric) -> OverModels:
    """The metric over the answers of several models, each with rows of its own of one run or of several joined.

    A model without an answer that counts makes the average undefined: that of the others would be of other models.
    """
    scored = [find_scored(part, metric) for part in parts]
    columns = np.stack(
        [
            _sum_families(each.families, each.values, each.weights, count_clusters(part))
            for each, part in zip(scored, parts, strict=True)
        ]
    )
    # Without those that add nothing to the whole of a ratio, as in the estimate of one model.
    n = sum(int(np.count_nonzero(each.weights)) for each in scored)
    have_counts = (columns[:, :, 1].sum(axis=1) > 0).tolist()
    pooled = _estimate(pool_models, columns, n) if any(have_counts) else Undefined(Why.NONE_COUNTS)
    average = _estimate(average_models, columns, n) if all(have_counts) else Undefined(_explain(parts, have_counts))
    return OverModels(average, pooled)


def pool_answers(parts: Sequence[pd.DataFrame], metric: Metric) -> Estimate:
    """A metric over the answers of several models together, as of one; the interval counts models as well as programs.

    ``parts`` has the rows of each model. For a single model with answers it is that of the answers.
    """
    estimate = estimate_metric(pd.concat(parts), metric)
    answered = [part for part in parts if len(find_scored(part, metric).places)]
    pooled = measure_models(answered, metric).pooled if len(answered) > 1 else None
    return replace(estimate, low=pooled.low, high=pooled.high) if isinstance(pooled, Estimate) else estimate


def _sum_families(families: np.ndarray, values: Floats, weights: Floats, count: int) -> Floats:
    sums = [np.bincount(families, weights=each, minlength=count) for each in (values, weights)]
    return np.stack(sums, axis=1)


def _estimate(find: Callable[[Floats], tuple[float, Interval]], columns: Floats, n: int) -> Estimate:
    value, (low, high) = find(columns)
    families = int(columns.any(axis=(0, 2)).sum())
    return Estimate(value=value, low=low, high=high, n=n, families=families)


def _explain(parts: Sequence[pd.DataFrame], have_counts: Sequence[bool]) -> Why:
    """Why a model has no answer that counts: it was asked nothing, or nothing of it can be counted."""
    missing = [part for part, has_counts in zip(parts, have_counts, strict=True) if not has_counts]
    return Why.NOT_ASKED if any(part.empty for part in missing) else Why.NEVER_RIGHT
