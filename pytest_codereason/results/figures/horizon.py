"""The curve of right answers by how far they reach, and the horizon: where half of the answers are right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pytest_codereason.core import AxisValue
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.horizon_leads import compare_models, make_times, measure_models
from pytest_codereason.results.measures.horizons import CellHorizon, SuiteHorizon, make_place
from pytest_codereason.results.pictures import Column, Panel, Picture, Point, Table, name_columns
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.statistics.horizon import Credible
from pytest_codereason.results.values import Cell, Count, Estimate, Label

_SMOOTH = 33  # points of a drawn curve


class HorizonFigure(Figure):
    """For each suite with a curve: a panel a cell, a curve a model, and a table of horizons.

    A second table says how many times as far each model reads as another.
    """

    order = 9

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for name, suite in data.suites.items():
            if suite.curve:
                known = measure_models(data, name, suite)
                if known:
                    yield _draw_curves(name, suite, known)
                spoken = {model: horizon for model, horizon in known.items() if model not in data.unspoken}
                if len(spoken) > 1:
                    yield _tabulate_ratios(name, suite, spoken)


def _draw_curves(name: str, suite: SuiteInfo, known: Mapping[str, SuiteHorizon]) -> Picture:
    others = suite.varying_axes([axis for axis in suite.axes if axis != suite.curve])
    cells: dict[str, dict[str, CellHorizon]] = {}
    for model, horizon in known.items():
        for cell in horizon.cells:
            cells.setdefault(_name_cell(cell.where, others), {})[model] = cell
    columns = [
        Column("model", "model"),
        *(Column(axis, axis) for axis in others),
        Column("horizon", "half are right at"),
        Column("lapse", "lapse rate"),
        *name_columns("slope", "answers"),
    ]
    return Picture(
        name=f"{name}-horizon",
        kind="horizon",
        title=f"Right answers by {suite.curve}: {name}",
        panels=[_draw_panel(title or suite.curve, suite, models) for title, models in cells.items()],
        table=Table(columns=columns, rows=[row for model in known for row in _list_rows(model, known[model], others)]),
        of={"suite": name, "axis": suite.curve, "cut": str(sum(horizon.cut for horizon in known.values()))},
        in_terminal=True,
    )


def _name_cell(where: Mapping[str, AxisValue], axes: Sequence[str]) -> str:
    return ", ".join(str(where[axis]) for axis in axes if axis in where)


def _draw_panel(title: str, suite: SuiteInfo, models: Mapping[str, CellHorizon]) -> Panel:
    return Panel(
        title=title,
        x=suite.curve,
        y="right answers",
        log=True,
        lines={model: _list_shares(cell) for model, cell in models.items()},
        curves={model: _list_curve(cell) for model, cell in models.items()},
        answers={
            model: [(place, right, asked - right) for place, (right, asked) in sorted(cell.tallies.items()) if asked]
            for model, cell in models.items()
        },
    )


def _list_shares(cell: CellHorizon) -> list[Point]:
    return [
        Point(x=place, value=right / asked, n=round(asked))
        for place, (right, asked) in sorted(cell.tallies.items())
        if asked
    ]


def _list_curve(cell: CellHorizon) -> list[Point]:
    places = np.geomspace(cell.rungs.bottom, cell.rungs.top, _SMOOTH)
    spans = [cell.curve.chances(float(place)) for place in places]
    return [
        Point(x=round(float(place), 3), value=value, low=low, high=high)
        for place, (value, low, high) in zip(places, spans, strict=True)
    ]


def _list_rows(model: str, horizon: SuiteHorizon, others: Sequence[str]) -> Iterator[list[Cell]]:
    """The mean over all cells, if there are several, and each cell."""
    if len(horizon.cells) > 1:
        yield [
            Label(model),
            *(Label("all") for _ in others),
            make_place(horizon.horizon, horizon.rungs, horizon.asked, len(horizon.cells)),
            _make_share(horizon.lapse, horizon.asked),
            Label(""),
            Count(horizon.asked),
        ]
    for cell in horizon.cells:
        yield [
            Label(model),
            *(Label(str(cell.where.get(axis, ""))) for axis in others),
            make_place(cell.horizon, cell.rungs, cell.asked, 1),
            _make_share(cell.curve.lapse, cell.asked),
            _make_share(cell.curve.slope, cell.asked),
            Count(cell.asked),
        ]


def _make_share(span: Credible, asked: int) -> Estimate:
    return Estimate(value=span.value, low=span.low, high=span.high, n=asked, families=asked, unit="mean")


def _tabulate_ratios(name: str, suite: SuiteInfo, known: Mapping[str, SuiteHorizon]) -> Picture:
    """Each pair of models, the one that reads farther first."""
    pairs = compare_models(dict(sorted(known.items(), key=lambda pair: -pair[1].horizon.value)))
    rows: list[list[Cell]] = [
        [
            Label(one),
            Label(other),
            make_times(ratio, len(pairs)),
            Count(len(ratio.first.cells)),
            Count(len(ratio.equal_ends)),
        ]
        for (one, other), ratio in pairs.items()
    ]
    columns = [
        Column("model", "model"),
        Column("other", "compared with"),
        Column("ratio", "reads"),
        Column("cells", "cells"),
        Column("equal", "cells beyond one end"),
    ]
    return Picture(
        name=f"{name}-horizon-ratios",
        kind="horizon-ratios",
        title=f"How far models read beside each other: {name}",
        table=Table(columns=columns, rows=rows),
        of={"suite": name, "axis": suite.curve},
        in_terminal=True,
        in_markdown=True,
    )
