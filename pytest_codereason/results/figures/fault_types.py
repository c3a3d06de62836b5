"""Which faults models find, by kind of fault, as asked and after the ambiguity filter (the fourth study, table II)."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures._faults import (
    ALL,
    LOCALIZATION,
    FaultSuite,
    Findable,
    find_findable,
    list_fault_suites,
    select_fault,
    select_language,
)
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.pictures import Column, Picture, Table, name_columns
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.values import Cell, Label

#: Which tasks a row is about.
FILTERED = "found by a model"


class FaultTypes(Figure):
    """A table for each suite about faults: a row for each model, language and choice of tasks, a column for each fault.

    The ambiguity filter keeps a fault if at least one model of the run, or of earlier runs, has found it. Its row
    stands beside the unfiltered one. With a single model there is no filtered row.
    """

    order = 55

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for suite in list_fault_suites(data):
            yield _draw(suite, find_findable(suite.name, data), data)


def _draw(suite: FaultSuite, findable: Findable, data: RunData) -> Picture:
    table: list[list[Cell]] = []
    for label, answers in data.by_subject(suite.first):
        for language in suite.languages:
            asked = select_language(answers, language)
            chosen = {ALL: asked, **({FILTERED: findable.select(asked)} if findable.filters else {})}
            for tasks, rows in chosen.items():
                estimates = [estimate_metric(select_fault(rows, fault), suite.found) for fault in (ALL, *suite.faults)]
                cells = [estimate.or_undefined() for estimate in estimates]
                table.append([Label(label), Label(language), Label(tasks), *cells])
    return Picture(
        name=f"{suite.name}-fault-types",
        kind="fault-types",
        title=f"Faulty lines found by kind of fault, in percent: {suite.name}",
        after="Haroon et al., table II",
        table=Table(
            columns=[
                *name_columns("model", "language", "tasks"),
                Column(ALL, "all faults", "percent"),
                *(Column(fault, fault, "percent") for fault in suite.faults),
            ],
            rows=table,
        ),
        of={"suite": suite.name, "models": str(findable.models)},
        in_terminal=suite.info.task == LOCALIZATION,
        in_markdown=True,
    )
