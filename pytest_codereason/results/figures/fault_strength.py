"""How many faults are still found as a mutation gets stronger, and how much each step costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures._faults import (
    ROBUSTNESS,
    FaultSuite,
    estimate_found,
    group_by_setting,
    list_fault_suites,
    select_language,
)
from pytest_codereason.results.measures.measures import count_clusters, find_scored
from pytest_codereason.results.measures.pairing import compare, number_pairs
from pytest_codereason.results.pictures import Column, Panel, Picture, Point, Table, name_columns
from pytest_codereason.results.records.axes import PERTURBATION, select_value
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.statistics.slope import fit_slope
from pytest_codereason.results.values import Cell, Estimate, Label, Undefined, Why


class FaultStrength(Figure):
    """A panel for each mutation that a suite about faults asks at several strengths, and the slope of each line.

    A suite of two steps counts the faults that were found before and are found again; another suite those that are
    found.
    """

    order = 58

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for suite in list_fault_suites(data):
            if groups := group_by_setting(suite.mutations, "strength"):
                for language in suite.languages:
                    yield _draw(suite, language, groups, data)


def get_strength_metric(suite: FaultSuite) -> Metric:
    """What is drawn by strength: faults that are found, or found again."""
    name = "exact_after" if suite.info.task == ROBUSTNESS else "exact"
    return next(metric for metric in suite.info.metrics if metric.name == name)


def _draw(suite: FaultSuite, language: str, groups: Mapping[str, Mapping[int, str]], data: RunData) -> Picture:
    metric = get_strength_metric(suite)
    panels, table = [], list[list[Cell]]()
    numbered = number_pairs(suite.rows, suite.info, {PERTURBATION})
    for mutation, strengths in groups.items():
        lines: dict[str, list[Point]] = {}
        for label, answers in data.by_subject(select_language(numbered, language)):
            parts = {strength: select_value(answers, PERTURBATION, value) for strength, value in strengths.items()}
            lines[label] = [Point.at(strength, estimate_found(part, metric)) for strength, part in parts.items()]
            ends = [estimate_found(parts[strength], metric) for strength in (min(parts), max(parts))]
            missing = next((end for end in ends if isinstance(end, Undefined)), None)
            by_ends = _measure_ends(parts, metric) if missing is None else missing
            slopes = [_estimate_slope(parts, metric), by_ends]
            table.append([Label(label), Label(mutation), *ends, *slopes])
        panels.append(Panel(title=mutation, x="strength", y=metric.title, lines=lines))
    return Picture(
        name=f"{suite.name}-{language}-fault-strength",
        kind="fault-strength",
        title=f"{metric.title} by strength of the mutation: {suite.name}, {language}",
        after="Haroon et al., section V-B",
        panels=panels,
        table=Table(
            columns=[
                *name_columns("model", "mutation"),
                Column("weakest", "at the least strength, %", "percent"),
                Column("strongest", "at the greatest, %", "percent"),
                Column("slope", "each step, points", "percent"),
                Column("ends", "(last - first) / steps, points", "percent"),
            ],
            rows=table,
        ),
        of={"suite": suite.name, "language": language, "metric": metric.title},
    )


def _measure_ends(parts: Mapping[int, pd.DataFrame], metric: Metric) -> Estimate | Undefined:
    """The study's slope: what the greatest strength has more than the least, divided by the steps between them."""
    first, last = min(parts), max(parts)
    change = compare(parts[first], parts[last], [metric])[metric.name]
    if isinstance(change, Undefined):
        return change
    steps = last - first
    low, high = (None if limit is None else limit / steps for limit in (change.low, change.high))
    return Estimate(value=change.value / steps, low=low, high=high, n=change.pairs, families=change.families)


def _estimate_slope(parts: Mapping[int, pd.DataFrame], metric: Metric) -> Estimate | Undefined:
    """By how much the metric changes with each step, with its interval."""
    families, n = count_clusters(next(iter(parts.values()))), 0
    columns = np.zeros((families, 5))
    for strength, part in parts.items():
        scored = find_scored(part, metric)
        n += len(scored.places)
        terms = [scored.weights * strength**power for power in (0, 1, 2)]
        terms += [scored.values * strength**power for power in (0, 1)]
        for place, term in enumerate(terms):
            columns[:, place] += np.bincount(scored.families, weights=term, minlength=families)
    slope = fit_slope(columns)
    if slope is None:
        return Undefined(Why.TOO_FEW)
    low, high = slope.interval
    return Estimate(value=slope.value, low=low, high=high, n=n, families=int(columns.any(axis=1).sum()))
