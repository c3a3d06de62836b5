"""Where wrong answers stopped: at the start, on the way through the steps, or in no state of the run at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pandas as pd

from pytest_codereason.results.figure import Figure
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.records.axes import axis_values, split_by_axes
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.values import Cell, Count, Label

METRIC = "stopped_at"


class Stops(NamedTuple):
    """How many wrong answers stopped where."""

    start: int  #: they give the state before the first step
    way: int  #: they give the state after a later step, and not after the last one
    lost: int  #: they give no state of the run

    @property
    def wrong(self) -> int:
        """All of them."""
        return sum(self)


class StoppedAtFigure(Figure):
    """For each suite that knows the states of its runs: a table of the wrong answers of each model and cell."""

    order = 9

    def pictures(self, data: RunData) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        for name, suite in data.suites.items():
            rows = data.select_suite(name)
            if suite.curve and f"metrics.{METRIC}" in rows and rows[f"metrics.{METRIC}"].notna().any():
                yield _tabulate(name, suite, data)


def _tabulate(name: str, suite: SuiteInfo, data: RunData) -> Picture:
    others = suite.varying_axes([axis for axis in suite.axes if axis != suite.curve])
    table = [
        row
        for model, mine in data.by_subject(data.select_suite(name))
        for row in _list_rows(model, mine, suite, others)
    ]
    columns = [
        Column("model", "model"),
        *(Column(axis, axis) for axis in others),
        Column("wrong", "wrong answers"),
        Column("start", "stopped at the start"),
        Column("way", "on the way"),
        Column("lost", "in no state of the run"),
    ]
    return Picture(
        name=f"{name}-stopped-at",
        kind="stopped-at",
        title=f"Where wrong answers stopped: {name}",
        table=Table(columns=columns, rows=table),
        of={"suite": name, "axis": suite.curve},
    )


def _list_rows(model: str, rows: pd.DataFrame, suite: SuiteInfo, others: Sequence[str]) -> Iterator[list[Cell]]:
    """All cells together, if there are several, and each cell."""
    cells = list(split_by_axes(rows, others, suite.axes))
    together = [(("all",) * len(others), rows)] if len(cells) > 1 else []
    for values, mine in (*together, *cells):
        stops = count_stops(mine, suite.curve)
        yield [Label(model), *map(Label, values), Count(stops.wrong), *map(Count, stops)]


def count_stops(rows: pd.DataFrame, axis: str) -> Stops:
    """Where the wrong answers stopped. A program without a step has nothing to stop at, so it is left out."""
    wrong = rows[(rows["outcome"] == "wrong") & (axis_values(rows, axis).astype(float) > 0)]
    stopped = wrong[f"metrics.{METRIC}"]
    return Stops(int((stopped == 0).sum()), int((stopped > 0).sum()), int(stopped.isna().sum()))
