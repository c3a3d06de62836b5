"""Measures what a gate speaks of: a metric, a drop, or how far either is from the baseline.

Each is a sum of means over the same programs. ``drop(misleading.exact[perturbation=comments])`` is the mean at
``vanilla`` minus the mean at ``comments``. Compared with the baseline it is this drop minus that of the earlier run,
so four means. Only questions that all means have count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pytest_codereason.core import AxisValue, Metric
from pytest_codereason.results.measures.measures import (
    Scored,
    count_clusters,
    estimate_metric,
    explain_missing,
    find_ends,
    find_scored,
    name_unit,
    sum_by_family,
)
from pytest_codereason.results.measures.noise import Noise
from pytest_codereason.results.measures.pairing import count_flips, number_pairs
from pytest_codereason.results.records.axes import select_condition
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.statistics.limits import Contrast
from pytest_codereason.results.values import Bounds, Estimate, Flips, Undefined, Why
from pytest_codereason.results.verdicts.gates import Gate


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """A quantity and what it was measured from."""

    value: float  #: the quantity itself; of a drop the reference minus the figure
    low: float | None  #: of the 95 % interval of a metric alone
    high: float | None
    contrast: Contrast  #: what is compared with the gate's number: the quantity, or its distance to the baseline
    n: int  #: answers of this run, or pairs
    families: int
    unit: str  #: what a family is: a program, or a repository
    means: tuple[float, ...]  #: before and after a drop; else the value alone
    baseline: float | None = None  #: the quantity in the baseline
    flips: Flips | None = None
    noise: Noise | None = None  #: how often answers change by themselves, beside a drop or a difference
    bounds: Bounds | None = None  #: of what ``contrast`` compares
    truncated: tuple[int, ...] = ()  #: truncated answers of each term; empty without bounds


@dataclass(frozen=True, kw_only=True)
class Term:
    """The answers at one value of each axis that a quantity names, in one of two runs."""

    rows: pd.DataFrame
    where: Mapping[str, AxisValue]
    factor: float
    of_baseline: bool


def list_terms(gate: Gate, suite: SuiteInfo, rows: pd.DataFrame, baseline: pd.DataFrame | None) -> list[Term]:
    """The answers that the gate is about, one term for each mean of the quantity.

    Args:
        rows: all answers of one model to the suite.
        baseline: those of the same model in the baseline; ``None`` if the gate does not name the baseline.
    """
    values = gate.resolve_values(suite.axes)
    origin = gate.find_origin(suite.axes, values) if gate.quantity.is_drop else {}
    places: list[tuple[Mapping[str, AxisValue], float]] = [(values, -1.0 if origin else 1.0)]
    if origin:
        places.insert(0, ({**values, **origin}, 1.0))
    runs = [rows] if baseline is None else [rows, baseline]
    joined = join_rows(runs)
    if len(places) * len(runs) > 1:
        joined = number_pairs(joined, suite, {"run", "model", *origin})
    first = len(rows)
    return [
        Term(rows=select_condition(term, where), where=where, factor=sign * factor, of_baseline=sign < 0)
        for sign, term in ((1.0, joined.iloc[:first]), (-1.0, joined.iloc[first:]))[: len(runs)]
        for where, factor in places
    ]


def join_rows(terms: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The rows of several runs one after the other, whose labels are categories that all share."""
    if len(terms) == 1:
        return terms[0]
    joined = pd.concat(terms, ignore_index=True)
    labels = {name for term in terms for name in term.columns if isinstance(term[name].dtype, pd.CategoricalDtype)}
    return joined.astype(dict.fromkeys(labels, "category"))


def measure(terms: Sequence[Term], metric: Metric) -> Measurement | Undefined:
    """The quantity over the terms that :func:`list_terms` gave; if it is undefined, the reason."""
    scored = [find_scored(term.rows, metric) for term in terms]
    for term, own in zip(terms, scored, strict=True):
        if not len(own.places):
            return Undefined(explain_missing(term.rows, metric), "baseline" if term.of_baseline else "")
    if len(terms) > 1:
        scored = _keep_common(terms, scored)
        if not len(scored[0].places):
            return Undefined(Why.NOT_ASKED, "any question in both ways")
    families = count_clusters(terms[0].rows)
    summed = [np.stack(sum_by_family(own, families), axis=1) for own in scored]
    columns = np.concatenate(summed, axis=1)
    columns = columns[columns[:, 1::2].any(axis=1)]
    ends = (0.0, 1.0) if metric.binary or metric.proportion or metric.k or metric.ratio else None
    contrast = Contrast(columns, [term.factor for term in terms], ends)
    means = [float(each[:, 0].sum() / each[:, 1].sum()) for each in summed]
    own_means = [mean for mean, term in zip(means, terms, strict=True) if not term.of_baseline]
    weighed = [mean * term.factor for mean, term in zip(means, terms, strict=True)]
    alone = estimate_metric(terms[0].rows, metric) if len(terms) == 1 else Estimate(value=None)
    bounds, truncated = _find_bounds(terms, scored, metric)
    return Measurement(
        value=means[0] if len(terms) == 1 else round(sum(weighed[: len(own_means)]), 12),
        low=alone.low,
        high=alone.high,
        contrast=contrast,
        n=len(scored[0].places),
        families=len(columns),
        unit=name_unit(terms[0].rows),
        means=tuple(own_means),
        baseline=round(-sum(weighed[len(own_means) :]), 12) if terms[-1].of_baseline else None,
        flips=_count_flips(terms, metric),
        bounds=bounds,
        truncated=truncated,
    )


def _find_bounds(
    terms: Sequence[Term], scored: Sequence[Scored], metric: Metric
) -> tuple[Bounds | None, tuple[int, ...]]:
    """The bounds, and the truncated answers of each term; neither if none was truncated or there are no bounds."""
    ends = [find_ends(term.rows, own, metric) for term, own in zip(terms, scored, strict=True)]
    known = [each for each in ends if each is not None]
    truncated = tuple(int(each.truncated.sum()) for each in known)
    if len(known) < len(terms) or not any(truncated):
        return None, ()
    wrong, right = (
        round(float(sum(term.factor * values.mean() for term, values in zip(terms, side, strict=True))), 12)
        for side in ([each.wrong for each in known], [each.right for each in known])
    )
    return Bounds(all_wrong=wrong, all_right=right, truncated=sum(truncated)), truncated


def _keep_common(terms: Sequence[Term], scored: Sequence[Scored]) -> list[Scored]:
    """The answers whose question every term has."""
    numbers = [term.rows["question"].to_numpy()[own.places] for term, own in zip(terms, scored, strict=True)]
    common = numbers[0]
    for each in numbers[1:]:
        common = np.intersect1d(common, each)
    return [own.keep(np.isin(each, common)) for own, each in zip(scored, numbers, strict=True)]


def _count_flips(terms: Sequence[Term], metric: Metric) -> Flips | None:
    """How answers changed between the two sides; ``None`` if there are not two."""
    if len(terms) != 2:
        return None
    first, second = (term.rows for term in terms)
    return count_flips(*((second, first) if terms[1].of_baseline else (first, second)), metric)
