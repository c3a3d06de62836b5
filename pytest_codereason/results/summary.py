"""The content of ``summary.json``: for each suite, model and axis value, every metric with its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from pytest_codereason.core import SCORED, AxisValue
from pytest_codereason.results.frame import OUTCOMES, axis_column, reference
from pytest_codereason.statistics.estimates import deltas, estimate

Summary = dict[str, Any]

_REASONS = 3  # the most frequent ones of each outcome


def summarise(frame: pd.DataFrame, run: Mapping[str, Any]) -> Summary:
    """All numbers of a run as JSON-ready values: finite numbers, text, ``None`` for what is undefined.

    ``frame`` comes from :func:`~pytest_codereason.results.frame.load`, ``run`` is the content of
    ``run.json``. The layout is described in ``docs/scores.md``.
    """
    return {
        "format": 1,
        "codereason": run["codereason"],
        "selection": run["selection"],
        "complete": run["complete"],
        "records": len(frame),
        "damaged": frame.attrs.get("damaged", {"count": 0, "lines": []}),
        "suites": {
            name: {
                "task": suite["task"],
                "metrics": [dict(metric, of=sorted(metric["of"])) for metric in suite["metrics"]],
                "axes": {axis: list(values) for axis, values in suite["axes"].items()},
                "models": {
                    model: _measure(frame[(frame["suite"] == name) & (frame["model"] == model)], suite)
                    for model in run["models"]
                },
            }
            for name, suite in run["suites"].items()
        },
    }


def _measure(part: pd.DataFrame, suite: Mapping[str, Any]) -> Summary:
    return {
        "counts": counts(part),
        "reasons": _reasons(part),
        "metrics": {metric["name"]: estimate(part, metric) for metric in suite["metrics"]},
        "axes": {axis: _along(part, suite, axis) for axis in suite["axes"]},
        "tokens": {name: _total(part[f"usage.{name}"]) for name in ("prompt", "completion", "reasoning", "cached")},
        "cost": _total(part["cost"]),
        "latency_s": _spread(part["latency_s"]),
        "collapsed": _total(part["trace.collapsed"][part["outcome"].isin(SCORED)]),
        "reused": int(part["reused"].sum()),
    }


def counts(part: pd.DataFrame) -> dict[str, int]:
    """Records in all, the scored ones (every metric's largest denominator), and each outcome."""
    found = part["outcome"].value_counts()
    each: dict[str, int] = {outcome: int(found.get(outcome, 0)) for outcome in OUTCOMES}
    return {"records": len(part), "scored": sum(each[o] for o in SCORED), **each}


def _along(part: pd.DataFrame, suite: Mapping[str, Any], axis: str) -> list[Summary]:
    """One entry for each value of ``axis``, in the suite's order, all compared with the reference."""
    column = axis_column(axis)
    if column not in part:
        part = part.assign(**{column: None})
    others = [axis_column(other) for other in suite["axes"] if other != axis]
    cell = ["family", "sample", *(other for other in others if other in part)]
    part = part.assign(cell=part.groupby(cell, observed=True, dropna=False, sort=False).ngroup())
    values: list[AxisValue] = suite["axes"][axis]
    parts = {value: part[(part[column] == value).fillna(False)] for value in values}
    before = parts[reference(values)]
    entries = []
    for value, rows in parts.items():
        changes = {} if rows is before else deltas(before, rows, suite["metrics"])
        estimates = {
            metric["name"]: {**estimate(rows, metric), "delta": changes.get(metric["name"])}
            for metric in suite["metrics"]
        }
        entries.append({"value": value, "counts": counts(rows), "metrics": estimates})
    return entries


def _reasons(part: pd.DataFrame) -> dict[str, list[tuple[str, int]]]:
    """Why answers could not be right or wrong, most frequent first."""
    rows = part[~part["outcome"].isin(["correct", "wrong"]) & (part["reason"] != "")]
    found: dict[str, list[tuple[str, int]]] = {}
    for outcome in OUTCOMES:
        reasons = rows["reason"][rows["outcome"] == outcome].value_counts()
        top = [(str(reason), int(n)) for reason, n in reasons.head(_REASONS).items() if n]
        if top:
            found[outcome] = top
    return found


def _total(column: pd.Series[Any]) -> dict[str, float | int | None]:
    """A sum and over how many records it is known; unknown is ``None``, never 0."""
    known = int(column.notna().sum())
    return {"total": float(column.sum()) if known else None, "known": known}


def _spread(column: pd.Series[Any]) -> dict[str, float | int | None]:
    values = column.dropna().to_numpy()
    median, p95 = np.percentile(values, [50, 95]) if len(values) else (math.nan, math.nan)
    return {"median": _finite(median), "p95": _finite(p95), "n": len(values)}


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
