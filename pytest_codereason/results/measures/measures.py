"""A metric over records: one number with its interval and its denominators."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pytest_codereason.core import SCORED, Metric, Ratio
from pytest_codereason.results.statistics.intervals import Floats, mean_interval, share_interval
from pytest_codereason.results.statistics.pass_at import estimate_pass_at, estimate_pass_every
from pytest_codereason.results.values import Bounds, Estimate, Unit, Why

#: The columns that name a question.
_INSTANCE = ["run", "model", "suite", "id"]

Codes = NDArray[np.integer[Any]]


class Scored(NamedTuple):
    """The answers over which a metric is averaged, as arrays of one length."""

    places: Codes  #: of the answers among the rows that were given
    families: Codes  #: the code of each answer's cluster: its family, or its repository if that is known
    values: Floats
    weights: Floats  #: by which each answer counts: 1, or its part of the whole in a ratio of sums
    languages: Codes | None = None  #: the code of each answer's language, if every language counts the same

    def keep(self, chosen: NDArray[np.bool_]) -> Scored:
        """The chosen ones among these answers."""
        languages = None if self.languages is None else self.languages[chosen]
        return Scored(self.places[chosen], self.families[chosen], self.values[chosen], self.weights[chosen], languages)


def mark_outcomes(part: pd.DataFrame, outcomes: Collection[str]) -> NDArray[np.bool_]:
    """Which of the rows have one of these outcomes."""
    column = part["outcome"].cat
    chosen = np.array([outcome in outcomes for outcome in column.categories], dtype=np.bool_)
    return chosen[column.codes.to_numpy()]


def find_scored(part: pd.DataFrame, metric: Metric) -> Scored:
    """The answers among the rows ``part`` over which ``metric`` is averaged.

    A missing metric counts as 0 where more is better. The answer is left out where less is better, and where only
    some questions of the suite have the metric.
    """
    # Arrays in place of tables: a summary asks for a thousand of these, most of them over a few answers.
    if metric.k:
        return _score_passes(part.reset_index(drop=True), metric)
    places = np.flatnonzero(mark_outcomes(part, metric.of))
    families = _get_clusters(part).codes.to_numpy()[places]
    ones = np.ones(len(places))
    if metric.outcome:
        return Scored(places, families, mark_outcomes(part, (metric.outcome,))[places].astype(np.float64), ones)
    if metric.ratio:
        scored = _score_ratio(part, places, families, metric.ratio)
        # What adds nothing to the whole cannot be lost: a model that never had anything loses an unknown share, not 0.
        return scored if metric.higher_is_better else scored.keep(scored.weights > 0)
    column = f"metrics.{metric.name}"
    values = part[column].to_numpy(np.float64)[places] if column in part else np.full(len(places), np.nan)
    scored = Scored(places, families, values, ones)
    if metric.higher_is_better and metric.only is None:
        return scored._replace(values=np.nan_to_num(values))
    return scored.keep(~np.isnan(values))


def select_scored(part: pd.DataFrame, metric: Metric) -> pd.DataFrame:
    """What :func:`find_scored` finds as rows with the columns ``family`` (its code) and ``value``."""
    places, families, values, *_ = find_scored(part, metric)
    return pd.DataFrame({"family": families, "value": values}, index=part.index[places])


def _get_clusters(part: pd.DataFrame) -> Any:
    """The clusters of the rows as categories. Answers of one cluster are not independent."""
    return part["cluster" if "cluster" in part else "family"].cat


def count_clusters(part: pd.DataFrame) -> int:
    """How many clusters the run has that ``part`` is of."""
    return len(_get_clusters(part).categories)


def name_unit(part: pd.DataFrame) -> str:
    """What the clusters of a run are: ``repository`` if that of any program is known, else ``program``."""
    if "cluster" not in part:
        return "program"
    clusters, families = _get_clusters(part).categories, part["family"].cat.categories
    return "program" if clusters.equals(families) or set(clusters) <= set(families) else "repository"


def _score_ratio(part: pd.DataFrame, places: Codes, families: Codes, ratio: Ratio) -> Scored:
    """What each answer adds to the part and to the whole of a ratio. An answer without the numbers is left out."""

    def add_up(factors: Mapping[str, float]) -> Floats:
        total = np.zeros(len(places))
        for name, factor in factors.items():
            column = f"metrics.{name}"
            total += factor * part[column].to_numpy(np.float64)[places] if column in part else np.nan
        return total

    values, weights = add_up(ratio.part), add_up(ratio.whole)
    languages = part["language"].cat.codes.to_numpy()[places] if ratio.by_language else None
    return Scored(places, families, values, weights, languages).keep(~np.isnan(values + weights))


def _score_passes(part: pd.DataFrame, metric: Metric, right: Collection[str] = ("correct",)) -> Scored:
    """pass@k or pass^k of each instance with at least k scored rows of ``part``, whose index counts from 0.

    It stands in the row of the instance's first sample, scored or not, so that instances pair up in any case.
    """
    k, instance = metric.k or 1, _INSTANCE
    estimate = estimate_pass_every if metric.every else estimate_pass_at
    rows = part[mark_outcomes(part, metric.of)]
    tallies = (
        rows.assign(right=rows["outcome"].isin(right)).groupby(instance, observed=True)["right"].agg(["size", "sum"])
    )
    first = part.sort_values("sample").drop_duplicates(instance).sort_index()
    counts = tallies.reindex(pd.MultiIndex.from_frame(first[instance].astype(str)), fill_value=0).to_numpy()
    first, counts = first[counts[:, 0] >= k], counts[counts[:, 0] >= k]
    values = [estimate(k, int(samples), int(right)) for samples, right in counts]
    families = _get_clusters(first).codes.to_numpy()
    return Scored(first.index.to_numpy(), families, np.array(values, dtype=np.float64), np.ones(len(values)))


def does_apply(metric: Metric, axis: str, rows: pd.DataFrame) -> bool:
    """Whether a metric is about the rows at one value of an axis.

    A metric that pools the axis may compare with this value already; then no answer at the value has the metric.
    """
    return axis not in metric.pools or estimate_metric(rows, metric).why is not Why.UNKNOWN


def estimate_metric(part: pd.DataFrame, metric: Metric, unit: Unit | None = None) -> Estimate:
    """The mean of ``metric`` over ``part`` with its interval; if nothing is scored, the reason."""
    unit = unit or ("share" if metric.is_share else "mean")
    scored = find_scored(part, metric)
    if not len(scored.places):
        return Estimate(value=None, unit=unit, why=explain_missing(part, metric))
    sums, counts = sum_by_family(scored, count_clusters(part))
    sums, counts = sums[counts > 0], counts[counts > 0]
    interval = (share_interval if metric.binary else mean_interval)(sums, counts)
    return Estimate(
        value=float(sums.sum() / counts.sum()),
        low=interval.low,
        high=interval.high,
        # Without those that add nothing to the whole of a ratio; if none adds anything, the ratio is 0 over all.
        n=int(np.count_nonzero(scored.weights)) or len(scored.places),
        families=len(counts),
        cluster=name_unit(part),
        unit=unit,
        bounds=_find_bounds(part, scored, metric),
    )


def explain_missing(part: pd.DataFrame, metric: Metric) -> Why:
    """Why ``part`` has nothing over which ``metric`` could be averaged."""
    if part.empty:
        return Why.NOT_ASKED
    if not mark_outcomes(part, SCORED).any():
        return Why.UNANSWERED if mark_outcomes(part, ("error",)).any() else Why.SKIPPED
    if not mark_outcomes(part, metric.of).any():
        return Why.NONE_COUNTS
    if metric.ratio and not metric.higher_is_better:
        places = np.flatnonzero(mark_outcomes(part, metric.of))
        counted = _score_ratio(part, places, _get_clusters(part).codes.to_numpy()[places], metric.ratio)
        return Why.NEVER_RIGHT if len(counted.places) else Why.UNKNOWN
    return Why.TOO_FEW if metric.k else Why.UNKNOWN


class Ends(NamedTuple):
    """What scored answers would be without the token limit, as arrays of one length."""

    wrong: Floats  #: the value of each if every truncated answer were wrong
    right: Floats  #: the value of each if every one were right
    truncated: Codes  #: how many truncated answers each rests on: at most 1, and more for pass@k


def find_ends(part: pd.DataFrame, scored: Scored, metric: Metric) -> Ends | None:
    """What the ``scored`` answers of ``part`` would be if every truncated one were wrong, or right.

    ``None`` if a truncated answer does not add from 0 to 1 to the metric: it must count right answers, or parts of
    them.
    """
    if not metric.higher_is_better or metric.outcome or "truncated" not in metric.of:
        return None
    if metric.k:
        return _find_pass_ends(part.reset_index(drop=True), scored, metric)
    if not (metric.binary or metric.proportion):
        return None
    is_truncated = mark_outcomes(part, ("truncated",))[scored.places]
    wrong, right = (np.where(is_truncated, end, scored.values) for end in (0.0, 1.0))
    return Ends(wrong, right, is_truncated.astype(np.intp))


def _find_pass_ends(part: pd.DataFrame, scored: Scored, metric: Metric) -> Ends:
    """The ends of pass@k or pass^k: truncated samples count as wrong in the score, and as right at the upper end."""
    names = pd.MultiIndex.from_frame(part[_INSTANCE].astype(str))
    cut_off = names[mark_outcomes(part, ("truncated",))].value_counts()
    truncated = cut_off.reindex(names[scored.places], fill_value=0).to_numpy().astype(np.intp)
    best = _score_passes(part, metric, right=("correct", "truncated"))
    return Ends(scored.values, best.values[np.isin(best.places, scored.places)], truncated)


def _find_bounds(part: pd.DataFrame, scored: Scored, metric: Metric) -> Bounds | None:
    """The bounds of the mean over the ``scored`` answers of ``part``; ``None`` if none of them is truncated."""
    ends = find_ends(part, scored, metric)
    if ends is None or not ends.truncated.any():
        return None
    wrong, right = float(ends.wrong.mean()), float(ends.right.mean())
    return Bounds(all_wrong=wrong, all_right=right, truncated=int(ends.truncated.sum()))


def sum_by_family(scored: Scored, families: int) -> tuple[Floats, Floats]:
    """Sums and weights by family; arrays of shape ``(families,)``. The metric is the ratio of their totals.

    Where every language counts the same, the answers of each are divided by its total weight. Then the ratio of the
    totals is the mean of the languages' own ratios, because each language adds its own ratio above and 1 below.

    A ratio whose whole is nothing, such as the precision of a model that names no edge, is 0.
    """
    values, weights = scored.values, scored.weights
    groups = np.zeros(len(values), dtype=np.intp) if scored.languages is None else scored.languages
    totals = np.bincount(groups, weights=weights)
    weights = np.where(totals[groups] > 0, weights, 1.0)
    if scored.languages is not None:
        share = 1 / np.maximum(np.bincount(groups, weights=weights)[groups], np.finfo(float).tiny)
        values, weights = values * share, weights * share
    sums = np.bincount(scored.families, weights=values, minlength=families).astype(np.float64)
    return sums, np.bincount(scored.families, weights=weights, minlength=families).astype(np.float64)
