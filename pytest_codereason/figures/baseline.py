"""Accuracy without a context (Sense and Sensitivity, tables 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.results.axes import LENGTHS, select_value
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures import estimate_metric
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.run_data import RunData
from pytest_codereason.results.values import Cell, Label


class BaselineTable(Figure):
    """A row for each suite and language that also asks without distractors, a column for each model."""

    order = 10

    def pictures(self, data: RunData) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        table: list[list[Cell]] = []
        for name, suite in data.suites.items():
            unit = next((unit for unit in LENGTHS if 0 in suite.axes.get(unit, ())), None)
            if unit is None:
                continue
            alone = select_value(data.select_suite(name), unit, 0)
            for language in suite.axes["language"]:
                rows = alone[alone["language"] == language]
                scores = [estimate_metric(part, suite.headline) for _, part in data.by_subject(rows)]
                table.append([Label(f"{name}, {language}"), *(score.or_undefined("not asked") for score in scores)])
        if not table:
            return
        labels = [subject.label for subject in data.subjects]
        yield Picture(
            name="baseline",
            kind="baseline",
            title="Without distractors, % right",
            after="Sense and Sensitivity, tables 1 and 2",
            table=Table(
                columns=[Column("where", "suite, language"), *(Column(label, label, "percent") for label in labels)],
                rows=table,
            ),
        )
