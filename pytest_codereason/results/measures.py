"""A metric over records: one number with its interval and its denominators."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.results.values import Bounds, Estimate, Unit
from pytest_codereason.statistics.intervals import Floats, mean_interval, share_interval
from pytest_codereason.statistics.pass_at import estimate_pass_at


def select_scored(part: pd.DataFrame, metric: Metric) -> pd.DataFrame:
    """The rows over which ``metric`` is averaged, with the columns ``family`` (its code) and ``value``.

    A missing metric counts as 0 where more is better. The row is left out where less is better, and where only
    some questions of the suite have the metric.
    """
    rows = part[part["outcome"].isin(metric.of)]
    if metric.k:
        return _score_pass_at(part, rows, metric.k)
    if metric.outcome:
        has_outcome = (rows["outcome"] == metric.outcome).astype(float)
        return pd.DataFrame({"family": rows["family"].cat.codes, "value": has_outcome})
    column = f"metrics.{metric.name}"
    values = rows[column] if column in rows else pd.Series(np.nan, index=rows.index)
    scored = pd.DataFrame({"family": rows["family"].cat.codes, "value": values})
    counts_missing = metric.higher_is_better and metric.only is None
    return scored.fillna({"value": 0.0}) if counts_missing else scored.dropna(subset="value")


def _score_pass_at(part: pd.DataFrame, rows: pd.DataFrame, k: int) -> pd.DataFrame:
    """pass@k of each instance with at least k scored ``rows``.

    It stands in the row of the instance's first sample, scored or not, so that instances pair up in any case.
    """
    instance = ["run", "model", "suite", "id"]
    tallies = (
        rows.assign(right=rows["outcome"] == "correct").groupby(instance, observed=True)["right"].agg(["size", "sum"])
    )
    first = part.sort_values("sample").drop_duplicates(instance).sort_index()
    counts = tallies.reindex(pd.MultiIndex.from_frame(first[instance].astype(str)), fill_value=0).to_numpy()
    first, counts = first[counts[:, 0] >= k], counts[counts[:, 0] >= k]
    values = [estimate_pass_at(k, int(samples), int(right)) for samples, right in counts]
    return pd.DataFrame({"family": first["family"].cat.codes, "value": values}, index=first.index)


def estimate_metric(part: pd.DataFrame, metric: Metric, unit: Unit | None = None) -> Estimate:
    """The mean of ``metric`` over ``part`` with its interval; undefined if nothing is scored."""
    unit = unit or ("share" if metric.binary else "mean")
    rows = select_scored(part, metric)
    if rows.empty:
        return Estimate(value=None, unit=unit)
    sums, counts = sum_by_family(rows, len(part["family"].cat.categories))
    sums, counts = sums[counts > 0], counts[counts > 0]
    interval = (share_interval if metric.binary else mean_interval)(sums, counts)
    return Estimate(
        value=float(sums.sum() / counts.sum()),
        low=interval.low,
        high=interval.high,
        n=len(rows),
        families=len(counts),
        unit=unit,
        bounds=_find_bounds(part, rows, metric),
    )


def _find_bounds(part: pd.DataFrame, rows: pd.DataFrame, metric: Metric) -> Bounds | None:
    """The bounds of the mean over ``rows``, the scored ones of ``part``; ``None`` if none of them is truncated.

    Only a metric that counts right answers has bounds: a truncated answer adds 0 or 1 to it.
    """
    if not (metric.binary and metric.higher_is_better) or metric.outcome or "truncated" not in metric.of:
        return None
    is_truncated = part.loc[rows.index, "outcome"] == "truncated"
    truncated = int(is_truncated.sum())
    if not truncated:
        return None
    right = float(rows["value"][~is_truncated].sum())
    return Bounds(all_wrong=right / len(rows), all_right=(right + truncated) / len(rows), truncated=truncated)


def sum_by_family(rows: pd.DataFrame, families: int) -> tuple[Floats, Floats]:
    """Sums and counts by family of what :func:`select_scored` gives; arrays of shape ``(families,)``."""
    codes = rows["family"].to_numpy()
    sums = np.bincount(codes, weights=rows["value"].to_numpy(), minlength=families).astype(np.float64)
    return sums, np.bincount(codes, minlength=families).astype(np.float64)
