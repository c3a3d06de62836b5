"""Accuracy by level of the ladder, and the reading level: the hardest level that a model still reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.measures import estimate_metric, explain_missing, select_scored
from pytest_codereason.results.pictures import Column, Panel, Picture, Point, Table, name_columns
from pytest_codereason.results.records.axes import select_value, split_by_axes
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.statistics.reading_level import find_reading_level
from pytest_codereason.results.values import Cell, Count, Label, MasteredLevel, Undefined

LEVEL = "level"
#: The last level of the source ``ladder``.
LAST = 8


class ReadingLevelFigure(Figure):
    """For each suite that asks at several levels: a panel a language, a line a model, and a table of reading levels.

    Values of other axes that vary, such as ``perturbation``, are kept apart.
    """

    order = 10

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for name, suite in data.suites.items():
            levels = sorted(value for value in suite.axes.get(LEVEL, ()) if isinstance(value, int))
            if len(levels) > 1:
                yield _build_picture(name, suite, levels, data)


def _build_picture(name: str, suite: SuiteInfo, levels: list[int], data: RunData) -> Picture:
    rows, metric = data.select_suite(name), suite.headline
    others = suite.varying_axes([axis for axis in suite.axes if axis not in ("language", LEVEL)])
    panels, table = [], list[list[Cell]]()
    for language in suite.axes["language"]:
        part = rows[rows["language"] == language]
        lines: dict[str, list[Point]] = {}
        for model, mine in data.by_subject(part):
            for values, answers in split_by_axes(mine, others, suite.axes):
                by_level = {level: select_value(answers, LEVEL, level) for level in levels}
                if answers.empty:
                    continue
                estimates = {level: estimate_metric(asked, metric) for level, asked in by_level.items()}
                lines[", ".join((model, *values))] = [Point.at(level, one) for level, one in estimates.items()]
                table.append(
                    [
                        Label(str(language)),
                        Label(model),
                        *map(Label, values),
                        _measure_reading_level(by_level, metric),
                        Count(sum(estimate.n for estimate in estimates.values())),
                    ]
                )
        panels.append(Panel(title=str(language), x="level", y=metric.title, lines=lines))
    columns = [
        *name_columns("language", "model"),
        *(Column(axis, axis) for axis in others),
        Column("reading_level", "reading level"),
        Column("answers", "answers"),
    ]
    return Picture(
        name=f"{name}-reading-level",
        kind="reading-level",
        title=f"{metric.title} by level: {name}",
        panels=panels,
        table=Table(columns=columns, rows=table),
        of={"suite": name, "levels": str(len(levels))},
        in_terminal=True,
    )


def _measure_reading_level(by_level: Mapping[int, pd.DataFrame], metric: Metric) -> Cell:
    """The reading level with its interval; undefined where a level has no scored answer."""
    shares: dict[int, pd.Series[float]] = {}
    for level, answers in by_level.items():
        scored = select_scored(answers, metric)
        if scored.empty:
            return Undefined(explain_missing(answers, metric), f"level {level}")
        shares[level] = scored.groupby("family")["value"].mean()
    right = np.array([float(each.sum()) for each in shares.values()])
    asked = np.array([float(len(each)) for each in shares.values()])
    place = find_reading_level(right, asked)
    names = [min(shares) - 1, *shares]
    return MasteredLevel(
        value=names[place.level],
        low=names[place.low],
        high=names[place.high],
        n=sum(map(len, by_level.values())),
        families=int(asked.sum()),
        unit="level",
        lowest=min(shares),
        highest=max(shares),
        is_last=max(shares) >= LAST,
    )
