"""How a metric differs between two sides, in each condition of a suite.

All figures are over the questions that both sides have, so the difference is exactly that of the two means beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, final

import numpy as np

from pytest_codereason.core import AxisValue, Metric
from pytest_codereason.errors import UsageError
from pytest_codereason.reports.comparing.matching import Matching
from pytest_codereason.reports.comparing.sides import Side
from pytest_codereason.results.measures.measures import explain_missing, find_scored, name_unit
from pytest_codereason.results.measures.pairing import bound_change, count_flips, judge_change, sum_pairs
from pytest_codereason.results.records.axes import list_conditions, select_condition
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.statistics.chance import LEVEL, count_needed, count_needed_in_groups
from pytest_codereason.results.statistics.intervals import Floats, resample_families
from pytest_codereason.results.statistics.power import find_smallest_change
from pytest_codereason.results.values import ChangeBounds, Flips, Undefined

#: What a row says of the later side. ``same`` is said where no answer differs, ``unclear`` where chance may do it,
#: ``too-few`` where no difference could have been clear.
Finding = Literal["worse", "better", "unclear", "too-few", "same", "undefined"]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Two means over the same questions, and the later minus the earlier one with its 95 % interval."""

    before: float
    after: float
    value: float
    low: float | None
    high: float | None
    pairs: int  #: pairs of answers; 0 if too few answers pair up, and the sides are compared as groups
    families: int
    unit: str  #: what a family is: a program, or a repository
    flips: Flips
    p: float | None  #: how often chance alone makes such a difference
    bounds: ChangeBounds | None  #: if some answers are truncated, and each adds from 0 to 1
    same: bool  #: whether no family differs; for the first metric of a suite, no answer flips either

    @property
    def leaves_out_zero(self) -> bool:
        """Whether zero is outside the interval. Where every program differs alike there is none, and no zero in it."""
        if self.low is None or self.high is None:
            return self.value != 0
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRow:
    """One metric in one condition."""

    metric: Metric
    where: Mapping[str, AxisValue]  #: the condition; empty if it is the whole suite
    along: str  #: the axis that the row looks along; empty for a headline
    is_headline: bool  #: whether the metric is the first of its suite
    difference: Difference | Undefined
    p: float | None = None  #: corrected for all rows of the comparison
    finding: Finding = "undefined"
    smallest: float | None = None  #: the smallest true difference that is clear in 80 % of such comparisons
    #: sums and counts by family on both sides, for :func:`find_smallest`
    columns: Floats | None = field(default=None, repr=False, compare=False)

    @property
    def shows_nothing(self) -> bool:
        """Whether no difference is clear, so that a reader must know which one would have been."""
        return self.finding in ("unclear", "too-few", "same")


def keep_shared(suite: SuiteInfo, name: str, sides: tuple[Side, Side]) -> SuiteInfo:
    """The suite with the metrics that both sides measure.

    Raises:
        UsageError: there is none.
    """
    measured = [[metric.name for metric in side.info.suites[name].measured] for side in sides]
    metrics = tuple(metric for metric in suite.metrics if all(metric.name in names for names in measured))
    if not metrics:
        scores = " and ".join(f"{side.subject.run} has {', '.join(m)}" for side, m in zip(sides, measured, strict=True))
        raise UsageError(f"{name}: nothing can be compared, for the sides share no score: {scores}")
    return replace(suite, metrics=metrics)


def measure_rows(matching: Matching, suite: SuiteInfo) -> Iterator[MetricRow]:
    """Every metric in the headline conditions, then the headline metric at each value of each axis.

    A condition that no side was asked in, and a metric that no headline answer has, give no row.
    """
    seen: set[frozenset[tuple[str, AxisValue]]] = set()
    for where in list_conditions(suite.axes, pools=suite.headline.pools):
        seen.add(frozenset(where.items()))
        for metric in suite.measured:
            row = _measure_row(matching, suite, metric, where, "")
            if row is not None and (row.difference or metric == suite.headline):
                yield row
    for axis, values in suite.axes.items():
        if len(values) < 2:
            continue
        for around in list_conditions(suite.axes, axis, suite.headline.pools):
            for value in values:
                where = {**around, axis: value}
                if frozenset(where.items()) in seen:
                    continue
                seen.add(frozenset(where.items()))
                if (row := _measure_row(matching, suite, suite.headline, where, axis)) is not None:
                    yield row


def _measure_row(
    matching: Matching, suite: SuiteInfo, metric: Metric, where: Mapping[str, AxisValue], along: str
) -> MetricRow | None:
    before, after = (select_condition(part, where) for part in (matching.before, matching.after))
    if not len(before) and not len(after):
        return None
    columns: Floats | None = None
    sides = sum_pairs(before, after, metric)
    if sides is None:
        place = 1 if not len(find_scored(after, metric).places) else 0
        why, side = explain_missing((before, after)[place], metric), matching.sides[place]
        difference: Difference | Undefined = Undefined(why, side.letter)
    else:
        columns, pairs = sides
        columns = columns[columns.any(axis=1)]
        change, p = judge_change(columns, pairs, metric, _draw_families)
        old, old_weight, new, new_weight = (float(total) for total in columns.sum(axis=0))
        flips = count_flips(before, after, suite.headline)
        difference = Difference(
            before=old / old_weight,
            after=new / new_weight,
            value=change.value,
            low=change.interval.low,
            high=change.interval.high,
            pairs=pairs,
            families=len(columns),
            unit=name_unit(before),
            flips=flips,
            p=p,
            bounds=bound_change(before, after, metric),
            same=not (metric == suite.headline and (flips.lost or flips.won))
            and np.array_equal(columns[:, :2], columns[:, 2:]),
        )
    return MetricRow(
        metric=metric,
        where=where,
        along=along,
        is_headline=metric == suite.headline,
        difference=difference,
        columns=columns,
    )


def _draw_families(columns: Floats) -> Floats:
    """Draws of families that are the same whichever side is named first, so that swapping sides mirrors intervals."""
    swapped = np.ascontiguousarray(columns[:, [2, 3, 0, 1]])
    if swapped.tobytes() < np.ascontiguousarray(columns).tobytes():
        return resample_families(swapped)[:, [2, 3, 0, 1]]
    return resample_families(columns)


def find_smallest(row: MetricRow, rows: int) -> float | None:
    """The smallest true difference that is clear in 80 % of comparisons like this one of ``rows`` rows.

    ``None`` if no difference would be clear, or if :func:`can_have_smallest` says no.
    """
    if row.columns is None or not can_have_smallest(row):
        return None
    return find_smallest_change(row.columns, comparisons=rows)


def can_have_smallest(row: MetricRow) -> bool:
    """Whether answers form pairs, and the values of the metric lie between 0 and 1."""
    metric, difference = row.metric, row.difference
    is_bounded = metric.is_share or metric.proportion or metric.k is not None
    return is_bounded and bool(difference and difference.pairs)


def find_finding(row: MetricRow, p: float | None, *, still_open: int) -> Finding:
    """What a row says once its p-value is corrected: a difference is clear if the interval leaves out zero as well.

    Args:
        row: it has a difference, or says why not.
        p: corrected.
        still_open: how many rows of the comparison are not clear.
    """
    difference = row.difference
    if not difference:
        return "undefined"
    if difference.same:
        return "same"
    if p is None or p > LEVEL or not difference.leaves_out_zero:
        needed = (count_needed if difference.pairs else count_needed_in_groups)(still_open)
        return "too-few" if difference.families < needed else "unclear"
    return "better" if (difference.value > 0) == row.metric.higher_is_better else "worse"
