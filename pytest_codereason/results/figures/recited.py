"""How much better a model is with inputs that are published than with fresh ones of the same programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.measures.pairing import compare, number_pairs
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.records.axes import select_value
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.values import Cell, Count, Label

#: The axis of the task ``twins``, and the values that are compared.
AXIS, PUBLISHED, FRESH, CHANGED = "twin", "published", "fresh-input", "fresh-program"


class Recited(Figure):
    """For each suite with both inputs: a table of models, with the score of each twin and the differences.

    *Recited* is published minus fresh input: the program is the same, so only the pair of input and output can be known
    by heart. *Familiar* is fresh input minus changed program. Pairs are answers about the same program.
    """

    order = 52

    def pictures(self, data: RunData) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        for name, suite in data.suites.items():
            values = [value for value in (PUBLISHED, FRESH, CHANGED) if value in suite.axes.get(AXIS, ())]
            if {PUBLISHED, FRESH} <= {*values}:
                yield _tabulate(name, suite, values, data)


def _tabulate(name: str, suite: SuiteInfo, values: Sequence[str], data: RunData) -> Picture:
    metric, rows = suite.headline, number_pairs(data.select_suite(name), suite, {AXIS})
    table: list[list[Cell]] = []
    for model, mine in data.by_subject(rows):
        parts = [select_value(mine, AXIS, value) for value in values]
        scores = [estimate_metric(part, metric) for part in parts]
        changes = [compare(after, before, [metric])[metric.name] for before, after in pairwise(parts)]
        table.append([Label(model), Count(scores[0].n), *(score.or_undefined() for score in scores), *changes])
    both = len(values) > 2
    columns = [
        Column("model", "model"),
        Column("n", "programs"),
        Column("published", "published input"),
        Column("fresh", "fresh input"),
        *([Column("changed", "changed program")] if both else []),
        Column("recited", "recited"),
        *([Column("familiar", "familiar")] if both else []),
    ]
    return Picture(
        name=f"{name}-recited",
        kind="recited",
        title=f"{metric.title} with published and fresh inputs of the same programs: {name}",
        table=Table(columns=columns, rows=table),
        of={"suite": name},
        in_terminal=True,
    )
