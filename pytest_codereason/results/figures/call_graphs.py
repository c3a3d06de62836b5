"""Call graphs: precision, recall and F1 over edges by language (TraceEval, table 3), and recall by kind of edge."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from pytest_codereason.core import AxisValue, Metric, Ratio
from pytest_codereason.languages.call_graphs.kinds import KINDS
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.records.axes import LENGTHS, PERTURBATION, select_value
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.values import Cell, Label

TASK = "call-graph"
NORMALISED, STRICT = "normalised", "strict"
AVERAGE = "average"
SCORES = ("precision", "recall", "f1", "exact")
#: How names are compared, with the end of the metrics' names: as the study does, and as they are.
NAMES = {NORMALISED: "", STRICT: "_strict"}
_KIND_METRICS = {
    kind: Metric(
        name=f"recall_{kind}",
        title=kind,
        binary=False,
        ratio=Ratio(part={f"found_{kind}": 1}, whole={f"edges_{kind}": 1}),
    )
    for kind in KINDS
}


class CallGraphScores(Figure):
    """Two tables for each suite that asks for call graphs, with a row for each model, perturbation and language."""

    order = 54

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for name, suite in data.suites.items():
            if suite.task == TASK:
                yield _draw_scores(name, suite, data)
                yield _draw_kinds(name, suite, data)


def _split(name: str, suite: SuiteInfo, data: RunData) -> Iterator[tuple[list[Cell], pd.DataFrame]]:
    """The answers of each model without a context, under each perturbation, with the labels that say so."""
    rows = data.select_suite(name)
    for unit in LENGTHS:
        if 0 in suite.axes.get(unit, ()):
            rows = select_value(rows, unit, 0)
    values: tuple[AxisValue | None, ...] = tuple(suite.axes.get(PERTURBATION, ())) or (None,)
    for label, answers in data.by_subject(rows):
        for value in values:
            part = answers if value is None else select_value(answers, PERTURBATION, value)
            yield [Label(label), *([] if value is None else [Label(str(value))])], part


def _list_start_columns(suite: SuiteInfo) -> list[Column]:
    return [Column("model", "model"), *([Column(PERTURBATION, PERTURBATION)] if PERTURBATION in suite.axes else [])]


def _draw_scores(name: str, suite: SuiteInfo, data: RunData) -> Picture:
    languages = [str(language) for language in suite.axes["language"]]
    metrics = {metric.name: metric for metric in suite.metrics}
    table: list[list[Cell]] = []
    for start, answers in _split(name, suite, data):
        parts = {language: answers[answers["language"] == language] for language in languages}
        parts[AVERAGE] = answers
        for names, end in NAMES.items():
            chosen = [metrics[f"{score}{end}"] for score in SCORES]
            cells = [estimate_metric(part, metric).or_undefined() for part in parts.values() for metric in chosen]
            table.append([*start, Label(names), *cells])
    columns = [
        Column(f"{place}-{score}", f"{place}, {metrics[score].title}", "percent")
        for place in (*languages, AVERAGE)
        for score in SCORES
    ]
    return Picture(
        name=f"{name}-call-graphs",
        kind="call-graphs",
        title=f"Precision, recall and F1 over edges, in percent: {name}",
        after="TraceEval, table 3",
        table=Table(columns=[*_list_start_columns(suite), Column("names", "names"), *columns], rows=table),
        of={"suite": name, "task": suite.task, "distractors": "0"},
        sentence="Edges are summed over the programs of a language, and the average is the mean over the languages. "
        "Exact graphs are counted over all programs. Names are compared normalised, as the study does, and as they are "
        "(strict). "
        "Brackets hold 95 % intervals.",
    )


def _draw_kinds(name: str, suite: SuiteInfo, data: RunData) -> Picture:
    table: list[list[Cell]] = []
    for start, answers in _split(name, suite, data):
        for language in map(str, suite.axes["language"]):
            part = answers[answers["language"] == language]
            cells = [estimate_metric(part, metric).or_undefined() for metric in _KIND_METRICS.values()]
            table.append([*start, Label(language), *cells])
    return Picture(
        name=f"{name}-edge-kinds",
        kind="edge-kinds",
        title=f"Recall by kind of edge, in percent: {name}",
        table=Table(
            columns=[
                *_list_start_columns(suite),
                Column("language", "language"),
                *(Column(kind, kind, "percent") for kind in KINDS),
            ],
            rows=table,
        ),
        of={"suite": name, "distractors": "0"},
        sentence="The share of witnessed edges that the model names (normalised names), by what leads a reader to the "
        "callee.",
    )
