"""How much better a model is with inputs that are published than with fresh ones of the same programs."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.measures.pairing import compare, number_pairs
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.records.axes import select_value
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.values import Cell, Count, Label

#: The axis of the task ``twins``, and the values that are compared.
AXIS, PUBLISHED, FRESH = "twin", "published", "fresh-input"


class Recited(Figure):
    """For each suite with both inputs: a table of models, with the score of each input and the difference.

    The program is the same, so only the pair of input and output can be known by heart. Pairs are answers about the
    same program.
    """

    order = 52

    def pictures(self, data: RunData) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        for name, suite in data.suites.items():
            if {PUBLISHED, FRESH} <= set(map(str, suite.axes.get(AXIS, ()))):
                yield _tabulate(name, suite, data)


def _tabulate(name: str, suite: SuiteInfo, data: RunData) -> Picture:
    metric, rows = suite.headline, number_pairs(data.select_suite(name), suite, {AXIS})
    table: list[list[Cell]] = []
    for model, mine in data.by_subject(rows):
        published, fresh = (select_value(mine, AXIS, value) for value in (PUBLISHED, FRESH))
        scores = [estimate_metric(part, metric) for part in (published, fresh)]
        change = compare(fresh, published, [metric])[metric.name]
        table.append([Label(model), Count(scores[0].n), *(score.or_undefined() for score in scores), change])
    columns = [
        Column("model", "model"),
        Column("n", "programs"),
        Column("published", "published input"),
        Column("fresh", "fresh input"),
        Column("recited", "recited"),
    ]
    return Picture(
        name=f"{name}-recited",
        kind="recited",
        title=f"{metric.title} with published and fresh inputs of the same programs: {name}",
        table=Table(columns=columns, rows=table),
        of={"suite": name},
        in_terminal=True,
    )
