"""Averages of several differences: over perturbations, over models, over data sets weighted by their size.

Example: a model loses 0.1 under comments and 0.3 under hints. Its average drop is 0.2. Programs are drawn once for all
differences, so what they share narrows or widens the interval as it should. Over several models the interval counts
models as well as programs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pytest_codereason.results.statistics.intervals import (
    UNDEFINED,
    Floats,
    Interval,
    find_middle_95,
    resample_families,
)
from pytest_codereason.results.statistics.two_way import average_interval
from pytest_codereason.results.values import ChangeBounds, Delta


@dataclass(frozen=True)
class Comparison:
    """One difference by family: sums and counts before and after, and the data set whose families these are."""

    data: str
    columns: Floats  #: shape ``(families, 4)``
    pairs: int
    bounds: ChangeBounds | None = None  #: if some of the answers are truncated
    model: str = ""


def average_changes(comparisons: Sequence[Comparison], weights: Sequence[float]) -> Delta | None:
    """The weighted mean of differences with its 95 % interval; ``None`` without any difference.

    The relative change is the weighted mean of the relative changes, and undefined if one of them is. ``weights`` need
    not add up to 1.

    Source: of one model the percentile bootstrap over families that
    :func:`~pytest_codereason.results.measures.pairing.compare` uses, with one draw of families of each data set for all
    differences; of several models :func:`~pytest_codereason.results.statistics.two_way.average_interval` over the same
    draws.
    """
    total = float(sum(weights))
    if not comparisons or total <= 0:
        return None
    shares = np.array(weights, dtype=np.float64) / total
    old, new = _find_means(np.concatenate([each.columns.sum(axis=0) for each in comparisons])[None, :])

    blocks: dict[str, Floats] = {}
    for name in dict.fromkeys(each.data for each in comparisons):
        columns = np.concatenate([each.columns for each in comparisons if each.data == name], axis=1)
        blocks[name] = resample_families(columns[columns.any(axis=1)])
    places = dict.fromkeys(blocks, 0)
    parts = []
    for each in comparisons:
        start = places[each.data]
        parts.append(blocks[each.data][:, start : start + 4])
        places[each.data] = start + 4
    drawn = np.concatenate(parts, axis=1)
    drawn = drawn[(drawn[:, 1::2] > 0).all(axis=1)]
    olds, news = _find_means(drawn)
    relative = float((new / old - 1)[0] @ shares) if old.all() else None
    models = [each.model for each in comparisons]
    families = _count_families(comparisons)
    ends = (-1.0, 1.0) if max(old.max(), new.max()) <= 1 and min(old.min(), new.min()) >= 0 else (-math.inf, math.inf)
    interval = _find_interval((new - old)[0], news - olds, shares, models, families, ends)
    spread = UNDEFINED
    if relative is not None and olds.all():
        spread = _find_interval((new / old - 1)[0], news / olds - 1, shares, models, families, (-1.0, math.inf))
    changes = (new - old)[0].tolist(), (new / old - 1)[0].tolist() if old.all() else None
    bounds = _average_bounds(comparisons, *changes, shares.tolist())
    return _build(float((new - old)[0] @ shares), interval, relative, spread, comparisons, bounds)


def _find_interval(
    changes: Floats,
    drawn: Floats,
    shares: Floats,
    models: Sequence[str],
    families: int,
    bounds: tuple[float, float],
) -> Interval:
    """The interval of the weighted mean of ``changes``, which are of these models; ``drawn`` has them in resamples."""
    names = list(dict.fromkeys(models))
    if len(names) == 1:
        return find_middle_95(drawn @ shares) or UNDEFINED
    own = np.array([[each == name for each in models] for name in names]) * shares
    own = len(names) * own  # each model's part of the mean
    return average_interval(own @ changes, drawn @ own.T, families, bounds)


def _average_bounds(
    comparisons: Sequence[Comparison],
    changes: Sequence[float],
    relatives: Sequence[float] | None,
    shares: Sequence[float],
) -> ChangeBounds | None:
    """The bounds of the weighted mean of changes, those without truncated answers as they are."""
    if all(each.bounds is None for each in comparisons):
        return None

    def average(name: str, own: Sequence[float]) -> float:
        values = [
            getattr(each.bounds, name) if each.bounds else old for each, old in zip(comparisons, own, strict=True)
        ]
        return float(np.dot(values, shares))

    def average_relative(name: str) -> float | None:
        known = all(each.bounds is None or getattr(each.bounds, name) is not None for each in comparisons)
        return average(name, relatives) if known and relatives is not None else None

    return ChangeBounds(
        **{name: average(name, changes) for name in ("all_wrong", "all_right", "lowest", "highest")},
        relative_all_wrong=average_relative("relative_all_wrong"),
        relative_all_right=average_relative("relative_all_right"),
        before=sum(each.bounds.before for each in comparisons if each.bounds),
        after=sum(each.bounds.after for each in comparisons if each.bounds),
    )


def _find_means(totals: Floats) -> tuple[Floats, Floats]:
    """Means before and after, each of shape ``(rows, comparisons)``."""
    means = totals[:, 0::2] / totals[:, 1::2]
    return means[:, 0::2], means[:, 1::2]


def _count_families(comparisons: Sequence[Comparison]) -> int:
    """How many programs of all data sets the comparisons rest on."""
    asked = {name: [each for each in comparisons if each.data == name] for name in {each.data for each in comparisons}}
    return sum(int(np.any([each.columns.any(axis=1) for each in alike], axis=0).sum()) for alike in asked.values())


def _build(
    value: float,
    interval: Interval,
    relative: float | None,
    spread: Interval,
    comparisons: Sequence[Comparison],
    bounds: ChangeBounds | None,
) -> Delta:
    return Delta(
        value=value,
        low=interval.low,
        high=interval.high,
        relative=relative,
        relative_low=spread.low,
        relative_high=spread.high,
        pairs=sum(each.pairs for each in comparisons),
        families=_count_families(comparisons),
        bounds=bounds,
    )
