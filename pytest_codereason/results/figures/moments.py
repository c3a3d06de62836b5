"""Right answers about moments of a run: by kind, by the lines that ran before, and by how often the line runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

import pandas as pd

from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.records.axes import select_value
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.values import Cell, Label

KIND, ALL = "about", "all"


class Counted(NamedTuple):
    """A number that each question has, and where the parts begin into which it is divided."""

    title: str
    starts: tuple[int, ...]


#: By metric.
COUNTED: Mapping[str, Counted] = {
    "depth": Counted("the lines that ran before", (0, 30, 100, 300, 1_000)),
    "visits": Counted("how often the line runs", (0, 5, 10, 30, 100)),
}


class MomentsFigure(Figure):
    """For each suite about moments: tables by kind, by the depth of the moment, and by the visits of its line."""

    order = 8

    def pictures(self, data: RunData) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        for name, suite in data.suites.items():
            rows = data.select_suite(name)
            if KIND in suite.axes:
                for metric, counted in COUNTED.items():
                    if f"metrics.{metric}" in rows and rows[f"metrics.{metric}"].notna().any():
                        yield _tabulate(name, suite, data, metric, counted)


def _tabulate(name: str, suite: SuiteInfo, data: RunData, metric: str, counted: Counted) -> Picture:
    rows = data.select_suite(name)
    kinds = [*suite.axes[KIND]]
    table = list[list[Cell]]()
    for model, answers in data.by_subject(rows):
        for kind in (ALL, *(kinds if len(kinds) > 1 else ())):
            mine = answers if kind == ALL else select_value(answers, KIND, kind)
            parts = [mine, *part_by(mine, metric, counted)]
            cells = [estimate_metric(part, suite.headline).or_undefined() for part in parts]
            table.append([Label(model), Label(str(kind)), *cells])
    ends = [f"{start} to {end - 1}" for start, end in pairwise(counted.starts)]
    names = [ALL, *ends, f"{counted.starts[-1]} or more"]
    columns = [Column(f"{metric}-{number}", title, "percent") for number, title in enumerate(names)]
    return Picture(
        name=f"{name}-moments-{metric}",
        kind=f"moments-{metric}",
        title=f"Right answers by kind and by {counted.title}, in percent: {name}",
        table=Table(columns=[Column("model", "model"), Column("kind", "kind"), *columns], rows=table),
        of={"suite": name},
    )


def part_by(rows: pd.DataFrame, metric: str, counted: Counted) -> list[pd.DataFrame]:
    """The rows whose number is from each start up to the next one."""
    numbers = rows[f"metrics.{metric}"]
    ends = [*counted.starts[1:], float("inf")]
    return [rows[(numbers >= start) & (numbers < end)] for start, end in zip(counted.starts, ends, strict=True)]
