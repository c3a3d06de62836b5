"""Pairs of answers that differ in one condition only, and how metrics change between the two sides.

Example: ``number_pairs(rows, suite, {"perturbation"})`` gives the answer about a vanilla program and the answer
about its renamed form the same number. ``{"model"}`` pairs two models, ``{"run"}`` two runs, ``{"position"}`` two
positions in a context.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.results.measures.measures import (
    Scored,
    count_clusters,
    explain_missing,
    find_ends,
    find_scored,
    mark_outcomes,
    name_unit,
    sum_by_family,
)
from pytest_codereason.results.measures.resolved import mark_right
from pytest_codereason.results.records.axes import axis_column
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.statistics import chance
from pytest_codereason.results.statistics.chance import LEVEL, judge_groups, judge_pairs
from pytest_codereason.results.statistics.intervals import (
    Floats,
    Interval,
    MeanChange,
    change_between_groups,
    change_of_means,
    join_intervals,
    resample_families,
)
from pytest_codereason.results.values import ChangeBounds, Delta, Flips, Undefined

_IDENTITY = ("run", "model", "family", "sample")


def number_pairs(rows: pd.DataFrame, suite: SuiteInfo, across: Collection[str]) -> pd.DataFrame:
    """The rows of one suite with a column ``pair``: rows of the same number differ in nothing but ``across``.

    A second column, ``question``, says which answers a change of means compares. It is ``pair``, unless the sides give
    a question different numbers of answers, as a suite may that asks directly three times and with reasoning once. Then
    all answers to a question have one number, so that the change is the difference of the two scores beside it.

    ``across`` holds axes of the suite, ``model`` or ``run``.
    """
    columns = [name for name in _IDENTITY if name not in across]
    columns += [column for axis in suite.axes if axis not in across and (column := axis_column(axis)) in rows]
    pairs = _number(rows, columns)
    sides = [each for name in across if (each := name if name in _IDENTITY else axis_column(name)) in rows]
    uneven = bool(sides) and rows.groupby(sides, observed=True, dropna=False)["sample"].max().nunique() > 1
    questions = _number(rows, [name for name in columns if name != "sample"]) if uneven else pairs
    return rows.assign(pair=pairs, question=questions)


def _number(rows: pd.DataFrame, columns: list[str]) -> pd.Series[int]:
    return rows.groupby(columns, observed=True, dropna=False, sort=False).ngroup()


def compare(before: pd.DataFrame, after: pd.DataFrame, metrics: Sequence[Metric]) -> dict[str, Delta | Undefined]:
    """How each metric changes from ``before`` to ``after``, two parts of what :func:`number_pairs` gave.

    Only pairs that are scored on both sides count. Where there is no such pair, or fewer than half of the answers of
    both sides have a partner, the two sides are compared as groups, and ``pairs`` is 0. A metric without a scored
    answer on one side is undefined, and the reason names the side. The delta of a metric depends on its own answers
    alone, so it is the same in every figure.
    """
    flips = count_flips(before, after, metrics[0])
    return {metric.name: _compare_metric(before, after, metric, flips) for metric in metrics}


def _compare_metric(before: pd.DataFrame, after: pd.DataFrame, metric: Metric, flips: Flips) -> Delta | Undefined:
    sides = sum_pairs(before, after, metric)
    if sides is not None:
        delta = _build_delta(sides[0][sides[0].any(axis=1)], sides[1], flips, metric)
        return replace(delta, bounds=bound_change(before, after, metric), cluster=name_unit(before))
    if not len(find_scored(after, metric).places):
        return Undefined(explain_missing(after, metric))
    return Undefined(explain_missing(before, metric), "reference")


def sum_pairs(before: pd.DataFrame, after: pd.DataFrame, metric: Metric) -> tuple[Floats, int] | None:
    """Sums and counts by family before and after, shape ``(families, 4)``, and the number of pairs, 0 for groups.

    ``None`` if one side has no scored answer.
    """
    sides = _find_compared(before, after, metric)
    if sides is None:
        return None
    old, new, pairs = sides
    families = count_clusters(before)
    columns = np.stack([*sum_by_family(old, families), *sum_by_family(new, families)], axis=1)
    return columns, pairs


def _find_compared(before: pd.DataFrame, after: pd.DataFrame, metric: Metric) -> tuple[Scored, Scored, int] | None:
    """The scored answers that a delta compares, and the number of pairs among them, 0 for groups.

    ``None`` if one side has no scored answer.
    """
    old, new = find_scored(before, metric), find_scored(after, metric)
    if not len(old.places) or not len(new.places):
        return None
    old_pairs, new_pairs = (part["question"].to_numpy()[side.places] for part, side in ((before, old), (after, new)))
    in_old, in_new = np.isin(old_pairs, new_pairs), np.isin(new_pairs, old_pairs)
    pairs = int(in_new.sum()) if 2 * in_old.sum() >= len(in_old) or 2 * in_new.sum() >= len(in_new) else 0
    return (old.keep(in_old), new.keep(in_new), pairs) if pairs else (old, new, 0)


def bound_change(before: pd.DataFrame, after: pd.DataFrame, metric: Metric) -> ChangeBounds | None:
    """The bounds of the delta that :func:`compare` gives; ``None`` if none of its answers is truncated."""
    if not any(mark_outcomes(part, ("truncated",)).any() for part in (before, after)):
        return None
    sides = _find_compared(before, after, metric)
    if sides is None:
        return None
    old, new = find_ends(before, sides[0], metric), find_ends(after, sides[1], metric)
    if old is None or new is None or not (old.truncated.any() or new.truncated.any()):
        return None
    (first, before_right), (last, after_right) = ((float(s.wrong.mean()), float(s.right.mean())) for s in (old, new))
    return ChangeBounds(
        all_wrong=last - first,
        all_right=after_right - before_right,
        lowest=last - before_right,
        highest=after_right - first,
        relative_all_wrong=last / first - 1 if first else None,
        relative_all_right=after_right / before_right - 1 if before_right else None,
        before=int(old.truncated.sum()),
        after=int(new.truncated.sum()),
    )


def _build_delta(columns: Floats, pairs: int, flips: Flips, metric: Metric) -> Delta:
    """The difference of two means, from sums and counts by family before and after."""
    change, p = judge_change(columns, pairs, metric, resample_families)
    return Delta(
        value=change.value,
        low=change.interval.low,
        high=change.interval.high,
        relative=change.relative,
        relative_low=change.relative_interval.low,
        relative_high=change.relative_interval.high,
        pairs=pairs,
        families=len(columns),
        flips=flips,
        p=p,
    )


def judge_change(
    columns: Floats, pairs: int, metric: Metric, draw: Callable[[Floats], Floats]
) -> tuple[MeanChange, float | None]:
    """The difference of two means and how often chance alone makes it, from what :func:`sum_pairs` gives.

    The interval reaches zero unless the p-value is at most 5 %: on few programs resampling gives intervals that are too
    narrow, and the test does not.

    Args:
        draw: gives totals of resamples of families, as
            :func:`~pytest_codereason.results.statistics.intervals.resample_families` does.
    """
    p = judge_sums(columns, pairs)
    if pairs:
        change = change_of_means(columns, draw(columns))
    else:
        change = change_between_groups(_select_side(columns, 0), _select_side(columns, 2), binary=metric.binary)
    if p is None or p > LEVEL:
        change = change._replace(
            interval=_reach_zero(change.interval), relative_interval=_reach_zero(change.relative_interval)
        )
    return change, p


def _reach_zero(interval: Interval) -> Interval:
    return interval if interval.low is None else join_intervals(interval, Interval(0.0, 0.0))


def _select_side(columns: Floats, first: int) -> tuple[Floats, Floats]:
    """Sums and counts of the families that have a side, which begins with column ``first``."""
    asked = columns[columns[:, first + 1] > 0]
    return asked[:, first], asked[:, first + 1]


class Judged(NamedTuple):
    """The difference of two means, and how often chance alone makes such a difference."""

    value: float
    p: float | None


def judge_difference(before: pd.DataFrame, after: pd.DataFrame, metric: Metric) -> Judged | None:
    """The difference that :func:`compare` gives, without its interval; ``None`` if a side has no answer."""
    sides = sum_pairs(before, after, metric)
    if sides is None:
        return None
    old, old_count, new, new_count = sides[0].sum(axis=0)
    return Judged(float(new / new_count - old / old_count), judge_sums(*sides))


def judge_course(parts: Sequence[pd.DataFrame], metric: Metric) -> float | None:
    """How often chance alone makes a metric vary as much over ``parts``, the answers at each value of an axis.

    ``None`` if fewer than two parts have a scored answer.
    """
    return chance.judge_course(tabulate_families(parts, metric))


def tabulate_families(parts: Sequence[pd.DataFrame], metric: Metric) -> Floats:
    """The mean of each family in each of ``parts``, shape ``(families, parts)``; ``nan`` where none is scored."""
    families = count_clusters(parts[0])
    values = np.full((families, len(parts)), np.nan)
    for place, part in enumerate(parts):
        sums, counts = sum_by_family(find_scored(part, metric), families)
        asked = counts > 0
        values[asked, place] = sums[asked] / counts[asked]
    return values


def judge_sums(columns: Floats, pairs: int) -> float | None:
    """How often chance alone makes such a difference, from what :func:`sum_pairs` gives.

    ``None`` if one side of groups is empty.
    """
    if pairs:  # a family may add nothing to the whole of a ratio on one side
        columns = columns[(columns[:, 1] > 0) & (columns[:, 3] > 0)]
    old, new = (columns[columns[:, i + 1] > 0, i] / columns[columns[:, i + 1] > 0, i + 1] for i in (0, 2))
    if not pairs:
        return judge_groups(old, new)
    sizes = (columns[:, 1] + columns[:, 3]) / 2  # a family counts as often as in the difference of the means
    return judge_pairs((new - old) * sizes)


def count_flips(before: pd.DataFrame, after: pd.DataFrame, metric: Metric) -> Flips:
    """The answers that turned from right to wrong and from wrong to right, among pairs that were both answered.

    What is right is what ``metric`` counts, the first of a suite.
    """
    sides = []
    for part in (before, after):
        answered = ~mark_outcomes(part, ("error", "skipped"))
        pairs, first, times = np.unique(part["pair"].to_numpy()[answered], return_index=True, return_counts=True)
        right = mark_right(part, metric)[answered][first]
        sides.append((pairs[times == 1], right[times == 1]))
    (pairs, right), (other_pairs, other_right) = sides
    common, places, other_places = np.intersect1d(pairs, other_pairs, assume_unique=True, return_indices=True)
    was, is_now = right[places], other_right[other_places]
    return Flips(lost=int((was & ~is_now).sum()), won=int((~was & is_now).sum()), pairs=len(common))
