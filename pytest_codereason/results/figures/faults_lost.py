"""Which faults a model no longer finds after a change that keeps what the program does, beside asking it again."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures._faults import (
    QUARTERS,
    ROBUSTNESS,
    FaultSuite,
    estimate_found,
    group_by_setting,
    list_fault_suites,
    select_language,
)
from pytest_codereason.results.measures.measures import find_scored
from pytest_codereason.results.measures.pairing import compare, number_pairs
from pytest_codereason.results.pictures import Column, Picture, Table, name_columns
from pytest_codereason.results.records.axes import PERTURBATION, axis_values, select_value
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.values import Cell, Count, Label, Undefined, Why

#: The label of the row about all mutations, and of the row about none.
ANY, CONTROL = "any change", "no change, asked again"


class FaultsLost(Figure):
    """Two tables for each suite of two steps: faults lost by mutation, and by the quarter that is mutated.

    The control is the unchanged question asked a second time.
    """

    order = 57

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for suite in list_fault_suites(data):
            if suite.info.task == ROBUSTNESS and suite.mutations:
                yield _draw_lost(suite, data)
                if group_by_setting(suite.mutations, "place"):
                    yield _draw_places(suite, data)


def get_metric(info: SuiteInfo, name: str) -> Metric:
    """A metric of a suite by its name."""
    return next(metric for metric in info.metrics if metric.name == name)


def _draw_lost(suite: FaultSuite, data: RunData) -> Picture:
    lost, stale = get_metric(suite.info, "lost"), get_metric(suite.info, "stale")
    numbered = number_pairs(suite.rows, suite.info, {PERTURBATION})
    table: list[list[Cell]] = []
    for label, answers in data.by_subject(numbered):
        for language in suite.languages:
            rows = select_language(answers, language)
            control = count_flips(select_value(rows, PERTURBATION, "none")) if suite.has_control else rows.iloc[:0]
            mutated = rows[axis_values(rows, PERTURBATION).isin(suite.mutations)]
            parts = {ANY: mutated} | {each: select_value(rows, PERTURBATION, each) for each in suite.mutations}
            if suite.has_control:
                parts[CONTROL] = control
            for name, part in parts.items():
                change: Cell = Undefined(Why.REFERENCE)
                if name != CONTROL:
                    change = compare(control, part, [lost])["lost"] if suite.has_control else Undefined(Why.NOT_ASKED)
                start: list[Cell] = [Label(label), Label(language), Label(name), Count(_count_first(part, lost))]
                named: Cell = Undefined(Why.REFERENCE) if name == CONTROL else estimate_found(part, stale)
                table.append([*start, estimate_found(part, lost), change, named])
    return Picture(
        name=f"{suite.name}-fault-robustness",
        kind="fault-robustness",
        title=f"Faults lost after mutation, in percent of those found before: {suite.name}",
        after="Haroon et al., section V-A",
        table=Table(
            columns=[
                *name_columns("model", "language", "mutation"),
                Column("first", "found before"),
                Column("lost", "lost, %", "percent"),
                Column("change", "against the control"),
                Column("stale", "names the line before, %", "percent"),
            ],
            rows=table,
        ),
        of={"suite": suite.name, "control": "none" if suite.has_control else ""},
        in_terminal=True,
        in_markdown=True,
    )


def count_flips(control: pd.DataFrame) -> pd.DataFrame:
    """The answers to the unchanged question, with what was lost there as if it were lost after a mutation."""
    column = "metrics.flipped"
    return control.assign(**{"metrics.lost": control[column]}) if column in control else control


def _count_first(rows: pd.DataFrame, lost: Metric) -> int:
    """How many times a fault was found before the second question."""
    return int(find_scored(rows, lost).weights.sum())


def _draw_places(suite: FaultSuite, data: RunData) -> Picture:
    lost = get_metric(suite.info, "lost")
    table: list[list[Cell]] = []
    for label, answers in data.by_subject(suite.rows):
        for language in suite.languages:
            rows = select_language(answers, language)
            for mutation, places in group_by_setting(suite.mutations, "place").items():
                cells: list[Cell] = []
                for quarter in QUARTERS:
                    part = select_value(rows, PERTURBATION, places[quarter]) if quarter in places else rows.iloc[:0]
                    cells.append(estimate_found(part, lost))
                table.append([Label(label), Label(language), Label(mutation), *cells])
    return Picture(
        name=f"{suite.name}-mutation-quarters",
        kind="mutation-quarters",
        title=f"Faults lost by the quarter of the program that is mutated, in percent: {suite.name}",
        after="Haroon et al., section V",
        table=Table(
            columns=[
                *name_columns("model", "language", "mutation"),
                *(Column(f"quarter-{quarter}", f"quarter {quarter}", "percent") for quarter in QUARTERS),
            ],
            rows=table,
            heat=True,
        ),
        of={"suite": suite.name},
        sentence="The share of the faults found before that are not found again, with 95 % intervals in brackets. A "
        "mutation changes only the quarter at the top of its column, by the lines of the program.",
    )
