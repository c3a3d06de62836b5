"""Accuracy without a context (Sense and Sensitivity, tables 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.records.axes import KEPT_APART, LENGTHS, select_value, split_by_axes
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.values import Cell, Estimate, Label, Undefined, Why


class BaselineTable(Figure):
    """A row for each suite and language that also asks without distractors, a column for each model.

    Questions that depart from the plain one, and ways of asking, have rows of their own. The median counts no baseline.
    """

    order = 10

    def pictures(self, data: RunData) -> Iterator[Picture]:
        table: list[list[Cell]] = []
        names: list[str] = []
        readers = [i for i, subject in enumerate(data.subjects) if subject.label not in data.scales]
        for name, suite in data.suites.items():
            unit = next((unit for unit in LENGTHS if 0 in suite.axes.get(unit, ())), None)
            if unit is None:
                continue
            names.append(name)
            alone = select_value(data.select_suite(name), unit, 0)
            for language in suite.axes["language"]:
                rows = alone[alone["language"] == language]
                for values, part in split_by_axes(rows, suite.varying_axes(KEPT_APART), suite.axes):
                    scores = [estimate_metric(answers, suite.headline) for _, answers in data.by_subject(part)]
                    where = ", ".join((name, str(language), *values))
                    table.append([Label(where), *(score.or_undefined() for score in scores)])
                    if len(readers) > 1:
                        known = [scores[i].value for i in readers]
                        table[-1].append(_find_median([value for value in known if value is not None]))
        if not table:
            return
        labels = [subject.label for subject in data.subjects]
        columns = [Column("where", "suite, language"), *(Column(label, label, "percent") for label in labels)]
        if len(readers) > 1:
            columns.append(Column("median", f"median of {len(readers)} models", "percent"))
        yield Picture(
            name="baseline",
            kind="baseline",
            title="Without distractors, % right",
            after="Sense and Sensitivity, tables 1 and 2",
            of={"suite": ", ".join(names), "distractors": "0"},
            table=Table(
                columns=columns,
                rows=table,
            ),
        )


def _find_median(scores: Sequence[float]) -> Cell:
    """The median over models, without an interval."""
    return Estimate(value=median(scores)) if scores else Undefined(Why.NOT_ASKED)
