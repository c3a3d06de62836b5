"""Where wrong answers stopped: at the start, on the way through the steps, or in no state of the run at all.

Example: of a run of 8 steps an answer gives the state after step 6. So it followed more than half of the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from pytest_codereason.results.figure import Figure
from pytest_codereason.results.pictures import Column, Panel, Picture, Point, Table
from pytest_codereason.results.records.axes import axis_values, split_by_axes
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.statistics.intervals import wilson_interval
from pytest_codereason.results.values import Cell, Count, Label

METRIC = "stopped_at"
#: The value of each axis of a cell.
Values = tuple[str, ...]
#: What a chart calls the fields of :class:`Stops`.
PLACES = ("start", "first half", "second half", "no state")


class Stops(NamedTuple):
    """How many wrong answers stopped where."""

    start: int  #: they give the state before the first step
    early: int  #: they give the state after a later step of the first half
    late: int  #: they give the state after a step of the second half, and not after the last one
    lost: int  #: they give no state of the run

    @property
    def wrong(self) -> int:
        """All of them."""
        return sum(self)

    def list_shares(self) -> list[Point]:
        """The share of each, with its interval. One answer at least must be wrong."""
        shares = [(place, count / self.wrong) for place, count in enumerate(self)]
        intervals = [wilson_interval(share, self.wrong) for _, share in shares]
        return [
            Point(x=place, value=share, low=low, high=high, n=self.wrong)
            for (place, share), (low, high) in zip(shares, intervals, strict=True)
        ]


class StoppedAtFigure(Figure):
    """For each suite that knows the states of its runs: where the wrong answers of each model and cell stopped."""

    order = 9

    def pictures(self, data: RunData) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        for name, suite in data.suites.items():
            rows = data.select_suite(name)
            if suite.curve and f"metrics.{METRIC}" in rows and rows[f"metrics.{METRIC}"].notna().any():
                yield _draw(name, suite, data)


def _draw(name: str, suite: SuiteInfo, data: RunData) -> Picture:
    others = suite.varying_axes([axis for axis in suite.axes if axis != suite.curve])
    counted = {model: _count_cells(mine, suite, others) for model, mine in data.by_subject(data.select_suite(name))}
    columns = [
        Column("model", "model"),
        *(Column(axis, axis) for axis in others),
        Column("wrong", "wrong answers"),
        Column("start", "stopped at the start"),
        Column("way", "on the way"),
        Column("lost", "in no state of the run"),
    ]
    rows = [row for model, cells in counted.items() for row in _list_rows(model, cells)]
    return Picture(
        name=f"{name}-stopped-at",
        kind="stopped-at",
        title=f"Where wrong answers stopped: {name}",
        panels=_list_panels(counted, suite.curve),
        table=Table(columns=columns, rows=rows),
        of={"suite": name, "axis": suite.curve},
    )


def _count_cells(rows: pd.DataFrame, suite: SuiteInfo, others: Sequence[str]) -> Mapping[Values, Stops]:
    return {values: count_stops(mine, suite.curve) for values, mine in split_by_axes(rows, others, suite.axes)}


def _list_panels(counted: Mapping[str, Mapping[Values, Stops]], axis: str) -> list[Panel]:
    """One for each cell in which an answer is wrong."""
    lines: dict[Values, dict[str, list[Point]]] = {}
    for model, cells in counted.items():
        for values, stops in cells.items():
            if stops.wrong:
                lines.setdefault(values, {})[model] = stops.list_shares()
    return [
        Panel(title=", ".join(values) or axis, x="where they stopped", y="wrong answers", lines=each, labels=PLACES)
        for values, each in lines.items()
    ]


def _list_rows(model: str, cells: Mapping[Values, Stops]) -> Iterator[list[Cell]]:
    """All cells together, if there are several, and each cell."""
    named = list(cells.items())
    if len(cells) > 1:
        together = Stops(*map(sum, zip(*cells.values(), strict=True)))
        named.insert(0, (("all",) * len(named[0][0]), together))
    for values, stops in named:
        counts = (stops.wrong, stops.start, stops.early + stops.late, stops.lost)
        yield [Label(model), *map(Label, values), *map(Count, counts)]


def count_stops(rows: pd.DataFrame, axis: str) -> Stops:
    """Where the wrong answers stopped. A program without a step has nothing to stop at, so it is left out."""
    steps = axis_values(rows, axis).astype(float)
    is_wrong = (rows["outcome"] == "wrong") & (steps > 0)
    stopped = rows.loc[is_wrong, f"metrics.{METRIC}"] / steps[is_wrong]
    counts = (stopped == 0, (stopped > 0) & (stopped <= 0.5), stopped > 0.5, stopped.isna())
    return Stops(*(int(each.sum()) for each in counts))
