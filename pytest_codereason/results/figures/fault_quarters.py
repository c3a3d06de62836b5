"""Where in a program models find faults: a heat map of fault by quarter, and where the found faults stand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures._faults import (
    ALL,
    LOCALIZATION,
    QUARTERS,
    FaultSuite,
    get_quarters,
    list_fault_suites,
    select_fault,
    select_language,
)
from pytest_codereason.results.measures.measures import count_clusters, estimate_metric, find_scored
from pytest_codereason.results.pictures import Column, Picture, Table, name_columns
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.statistics.intervals import share_interval
from pytest_codereason.results.values import Cell, Estimate, Label, Undefined, Why

#: What is counted in a row of the second table, by its label.
PLANTED, FOUND, ANSWERED = "faults planted", "faults found", "lines answered"


class FaultQuarters(Figure):
    """Two tables for each suite about faults whose quarter is known, counted in the lines of the shown program."""

    order = 56

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for suite in list_fault_suites(data):
            if get_quarters(suite.first).nunique() > 1:
                yield _draw_heat_map(suite, data)
                yield _draw_shares(suite, data)


def list_quarter_columns() -> list[Column]:
    """A column of percent for each quarter."""
    return [Column(f"quarter-{quarter}", f"quarter {quarter}", "percent") for quarter in QUARTERS]


def _draw_heat_map(suite: FaultSuite, data: RunData) -> Picture:
    table: list[list[Cell]] = []
    for label, answers in data.by_subject(suite.first):
        for language in suite.languages:
            rows = select_language(answers, language)
            for fault in (ALL, *(suite.faults if len(suite.faults) > 1 else ())):
                part = select_fault(rows, fault)
                quarters = get_quarters(part)
                parts = [part[quarters == quarter] for quarter in QUARTERS]
                cells = [estimate_metric(each, suite.found).or_undefined() for each in parts]
                table.append([Label(label), Label(language), Label(fault), *cells])
    return Picture(
        name=f"{suite.name}-fault-quarters",
        kind="fault-quarters",
        title=f"Faulty lines found by quarter of the program, in percent: {suite.name}",
        after="Haroon et al., section V-C",
        table=Table(
            columns=[
                *name_columns("model", "language", "fault"),
                *list_quarter_columns(),
            ],
            rows=table,
            heat=True,
        ),
        of={"suite": suite.name},
    )


def _draw_shares(suite: FaultSuite, data: RunData) -> Picture:
    table: list[list[Cell]] = []
    for label, answers in data.by_subject(suite.first):
        for language in suite.languages:
            rows = select_language(answers, language)
            scored = find_scored(rows, suite.found)
            asked = rows.iloc[scored.places]
            counted = {
                PLANTED: get_quarters(asked),
                FOUND: get_quarters(asked[scored.values > 0]),
                ANSWERED: get_quarters(asked, "answer_quarter"),
            }
            for name, quarters in counted.items():
                part = asked.loc[quarters.index[quarters.notna()]]
                cells = [_estimate_share(part, (quarters.dropna() == quarter).to_numpy()) for quarter in QUARTERS]
                if name != ANSWERED or len(part):
                    table.append([Label(label), Label(language), Label(name), *cells])
    return Picture(
        name=f"{suite.name}-fault-shares",
        kind="fault-shares",
        title=f"Where the faults stand that are found, in percent of those found: {suite.name}",
        after="Haroon et al., section V-C",
        table=Table(
            columns=[
                *name_columns("model", "language", "counted"),
                *list_quarter_columns(),
            ],
            rows=table,
        ),
        of={"suite": suite.name},
        in_terminal=suite.info.task == LOCALIZATION,
    )


def _estimate_share(rows: pd.DataFrame, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Estimate | Undefined:
    """Which share of the rows is chosen, with its interval."""
    if rows.empty:
        return Undefined(Why.NONE_COUNTS)
    clusters = rows["cluster"].cat.codes.to_numpy()
    counts = np.bincount(clusters, minlength=count_clusters(rows)).astype(np.float64)
    sums = np.bincount(clusters, weights=chosen, minlength=len(counts)).astype(np.float64)[counts > 0]
    counts = counts[counts > 0]
    interval = share_interval(sums, counts)
    value = float(sums.sum() / counts.sum())
    return Estimate(value=value, low=interval.low, high=interval.high, n=len(rows), families=len(counts))
