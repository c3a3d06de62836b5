"""The summary of a run: for each suite, model and axis value, every metric with its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pytest_codereason.core import SCORED, AxisValue, Metric, Outcome
from pytest_codereason.results.axes import axis_column, find_reference, select_value
from pytest_codereason.results.measures import estimate_metric
from pytest_codereason.results.pairing import compare, number_pairs
from pytest_codereason.results.records import OUTCOMES, DamagedLines
from pytest_codereason.results.run_data import RunData
from pytest_codereason.results.run_info import SuiteInfo
from pytest_codereason.results.values import Delta, Estimate

_TOKENS = ("prompt", "completion", "reasoning", "cached")
_REASONS = 3  # the most frequent ones of each outcome


@dataclass(frozen=True, slots=True)
class Counts:
    """How many records there are, how many of them are scored, and how many have each outcome."""

    records: int
    scored: int  #: every metric's largest denominator
    outcomes: Mapping[Outcome, int]

    @property
    def unanswered(self) -> int:
        """Questions that nobody answered: infrastructure failures."""
        return self.outcomes["error"]


@dataclass(frozen=True, slots=True)
class Total:
    """A sum over the records in which the number is known; ``None`` if it is known in none."""

    total: float | None
    known: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The median and the 95th percentile of ``n`` numbers."""

    median: float | None
    p95: float | None
    n: int


@dataclass(frozen=True, slots=True)
class AxisEntry:
    """One value of an axis: its metrics, and their differences to the reference value of the axis."""

    value: AxisValue
    counts: Counts
    metrics: Mapping[str, Estimate]
    deltas: Mapping[str, Delta | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSummary:
    """The numbers of one model on one suite."""

    counts: Counts
    reasons: Mapping[Outcome, tuple[tuple[str, int], ...]]  #: the most frequent ones, with how often
    metrics: Mapping[str, Estimate]
    axes: Mapping[str, tuple[AxisEntry, ...]]
    tokens: Mapping[str, Total]
    cost: Total
    latency_s: Spread
    collapsed: Total  #: answers that ran away into repetition
    reused: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSummary:
    """The numbers of one suite."""

    task: str
    metrics: tuple[Metric, ...]
    axes: Mapping[str, tuple[AxisValue, ...]]
    models: Mapping[str, ModelSummary]

    @property
    def headline(self) -> Metric:
        """The metric that stands first in every report."""
        return self.metrics[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The numbers of a run."""

    records: int
    damaged: DamagedLines
    suites: Mapping[str, SuiteSummary]


def summarise(data: RunData) -> Summary:
    """All numbers of the runs in ``data``, one entry for each suite and model."""
    return Summary(
        records=len(data.records),
        damaged=data.damaged,
        suites={
            name: SuiteSummary(
                task=suite.task,
                metrics=suite.metrics,
                axes=suite.axes,
                models={label: _measure_model(rows, suite) for label, rows in data.by_subject(data.select_suite(name))},
            )
            for name, suite in data.suites.items()
        },
    )


def _measure_model(part: pd.DataFrame, suite: SuiteInfo) -> ModelSummary:
    return ModelSummary(
        counts=count_outcomes(part),
        reasons=_count_reasons(part),
        metrics={metric.name: estimate_metric(part, metric) for metric in suite.metrics},
        axes={axis: _measure_axis(part, suite, axis) for axis in suite.axes},
        tokens={name: _add_up(part[f"usage.{name}"]) for name in _TOKENS},
        cost=_add_up(part["cost"]),
        latency_s=_measure_spread(part["latency_s"]),
        collapsed=_add_up(part["trace.collapsed"][part["outcome"].isin(SCORED)]),
        reused=int(part["reused"].sum()),
    )


def count_outcomes(part: pd.DataFrame) -> Counts:
    """The records, the scored ones, and those of each outcome."""
    counts = part["outcome"].value_counts()
    outcomes: dict[Outcome, int] = {outcome: int(counts.get(outcome, 0)) for outcome in OUTCOMES}
    return Counts(len(part), sum(outcomes[outcome] for outcome in SCORED), outcomes)


def _measure_axis(part: pd.DataFrame, suite: SuiteInfo, axis: str) -> tuple[AxisEntry, ...]:
    """One entry for each value of ``axis``, in the suite's order, all compared with the reference."""
    if axis_column(axis) not in part:
        part = part.assign(**{axis_column(axis): None})
    part = number_pairs(part, suite, {axis})
    values = suite.axes[axis]
    rows_at = {value: select_value(part, axis, value) for value in values}
    reference = find_reference(values)
    return tuple(
        AxisEntry(
            value=value,
            counts=count_outcomes(rows),
            metrics={metric.name: estimate_metric(rows, metric) for metric in suite.metrics},
            deltas=dict.fromkeys((metric.name for metric in suite.metrics), None)
            if value == reference
            else compare(rows_at[reference], rows, suite.metrics),
        )
        for value, rows in rows_at.items()
    )


def _count_reasons(part: pd.DataFrame) -> dict[Outcome, tuple[tuple[str, int], ...]]:
    """Why answers could not be right or wrong, the most frequent reasons first."""
    rows = part[~part["outcome"].isin(["correct", "wrong"]) & (part["reason"] != "")]
    reasons: dict[Outcome, tuple[tuple[str, int], ...]] = {}
    for outcome in OUTCOMES:
        counts = rows["reason"][rows["outcome"] == outcome].value_counts()
        if top := tuple((str(reason), int(n)) for reason, n in counts.head(_REASONS).items() if n):
            reasons[outcome] = top
    return reasons


def _add_up(column: pd.Series[Any]) -> Total:
    known = int(column.notna().sum())
    return Total(float(column.sum()) if known else None, known)


def _measure_spread(column: pd.Series[Any]) -> Spread:
    values = column.dropna().to_numpy()
    median, p95 = np.percentile(values, [50, 95]) if len(values) else (math.nan, math.nan)
    return Spread(_replace_infinite(median), _replace_infinite(p95), len(values))


def _replace_infinite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
