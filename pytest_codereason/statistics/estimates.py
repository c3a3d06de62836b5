"""From rows of the frame to one number with its interval and denominator."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pytest_codereason.statistics import intervals
from pytest_codereason.statistics.intervals import Floats

Estimate = dict[str, float | int | None]


def scored(part: pd.DataFrame, metric: Mapping[str, Any]) -> pd.DataFrame:
    """The rows over which ``metric`` is averaged, with columns ``family`` (its code) and ``value``.

    A row whose task gave it no such metric gets 0 where more is better and is left out where less is:
    a missing number never flatters. It is left out, too, where only some questions have the metric.
    """
    rows = part[part["outcome"].isin(metric["of"])]
    if metric.get("k"):
        return _pass_at(part, rows, metric["k"])
    column = f"metrics.{metric['name']}"
    values = rows[column] if column in rows else pd.Series(np.nan, index=rows.index)
    picked = pd.DataFrame({"family": rows["family"].cat.codes, "value": values})
    counted = metric["higher_is_better"] and not metric.get("only")
    return picked.fillna({"value": 0.0}) if counted else picked.dropna(subset="value")


def _pass_at(part: pd.DataFrame, rows: pd.DataFrame, k: int) -> pd.DataFrame:
    """pass@k of each instance from its scored ``rows``; one with fewer than k has none.

    It stands in the row of the first sample, scored or not, so that instances pair up whatever they lack.

    The unbiased estimator 1 - C(n - c, k) / C(n, k) over n samples of which c are right (Chen et al. 2021,
    Evaluating Large Language Models Trained on Code, section 2.1).
    """
    instance = ["model", "suite", "id"]
    found = (
        rows.assign(right=rows["outcome"] == "correct").groupby(instance, observed=True)["right"].agg(["size", "sum"])
    )
    first = part.sort_values("sample").drop_duplicates(instance).sort_index()
    counts = found.reindex(pd.MultiIndex.from_frame(first[instance].astype(str)), fill_value=0).to_numpy()
    first, counts = first[counts[:, 0] >= k], counts[counts[:, 0] >= k]
    values = [1 - math.comb(int(n - c), k) / math.comb(int(n), k) for n, c in counts]
    return pd.DataFrame({"family": first["family"].cat.codes, "value": values}, index=first.index)


def estimate(part: pd.DataFrame, metric: Mapping[str, Any]) -> Estimate:
    """``{"value", "low", "high", "n", "families"}`` of a metric over ``part``; ``None`` where nothing is scored."""
    rows = scored(part, metric)
    if rows.empty:
        return {"value": None, "low": None, "high": None, "n": 0, "families": 0}
    sums, counts = by_family(rows, len(part["family"].cat.categories))
    sums, counts = sums[counts > 0], counts[counts > 0]
    interval = (intervals.proportion if metric["binary"] else intervals.mean)(sums, counts)
    return {
        "value": float(sums.sum() / counts.sum()),
        "low": interval.low,
        "high": interval.high,
        "n": len(rows),
        "families": len(counts),
    }


def deltas(
    before: pd.DataFrame, after: pd.DataFrame, metrics: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, Any] | None]:
    """How each metric changes from ``before`` to ``after``, two parts of one frame with a column ``cell``.

    Rows with the same ``cell`` differ in nothing but what is compared, so only cells that are scored on
    both sides count. Where there is no such cell, the two are compared as groups and ``pairs`` is 0.
    ``value`` is an absolute difference, ``relative`` a share of the mean before (-0.25: a quarter less).
    ``None`` where a side has no scored answer. All metrics share one set of resamples.
    """
    result: dict[str, dict[str, Any] | None] = {metric["name"]: None for metric in metrics}
    found = {metric["name"]: pair for metric in metrics if (pair := _paired(before, after, metric))}
    if not found:
        return result
    together = np.concatenate([columns for columns, _ in found.values()], axis=1)
    drawn = intervals.resample(together[together.any(axis=1)])
    for i, (name, (columns, pairs)) in enumerate(found.items()):
        there = columns[columns.any(axis=1)]
        change = intervals.change(there, drawn[:, 4 * i : 4 * i + 4])
        result[name] = {
            "value": change.value,
            "low": change.interval.low,
            "high": change.interval.high,
            "relative": change.relative,
            "relative_low": change.relative_interval.low,
            "relative_high": change.relative_interval.high,
            "pairs": pairs,
            "families": len(there),
        }
    return result


def _paired(before: pd.DataFrame, after: pd.DataFrame, metric: Mapping[str, Any]) -> tuple[Floats, int] | None:
    """Sums and counts by family before and after, shape ``(families, 4)``, and the number of pairs."""
    old, new = scored(before, metric), scored(after, metric)
    if old.empty or new.empty:
        return None
    old["cell"], new["cell"] = before["cell"], after["cell"]
    common = np.intersect1d(old["cell"], new["cell"])
    if len(common):
        old, new = old[old["cell"].isin(common)], new[new["cell"].isin(common)]
    size = len(before["family"].cat.categories)
    columns = np.stack([*by_family(old, size), *by_family(new, size)], axis=1)
    return columns, len(new) if len(common) else 0


def by_family(rows: pd.DataFrame, size: int) -> tuple[Floats, Floats]:
    """Sums and counts of what :func:`scored` gives, by family; arrays of shape ``(size,)``."""
    codes = rows["family"].to_numpy()
    sums = np.bincount(codes, weights=rows["value"].to_numpy(), minlength=size).astype(np.float64)
    return sums, np.bincount(codes, minlength=size).astype(np.float64)
