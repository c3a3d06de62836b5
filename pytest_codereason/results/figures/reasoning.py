"""What misleading text does to reasoning: tokens, doubt, collapse (CodeCrash, section 3.4, table 4, figure 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from pytest_codereason.questions.replies.reasoning import PARTS
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures._one_trace import follow_doubt
from pytest_codereason.results.measures.measures import estimate_metric, find_scored
from pytest_codereason.results.measures.pairing import compare, number_pairs
from pytest_codereason.results.measures.tokens import TOKENS, add_tokens
from pytest_codereason.results.pictures import Column, Panel, Picture, Point, Table, name_columns
from pytest_codereason.results.records.axes import (
    PERTURBATION,
    UNCHANGED,
    WAYS,
    find_reference,
    select_value,
    split_by_axes,
)
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.values import Cell, Count, Label, Share, Undefined, Why

_DOUBT = [f"trace.confusion.{i}" for i in range(PARTS)]


class Reasoning(Figure):
    """For each suite whose models reason: tokens by perturbation and against the unchanged program, and words of doubt.

    The words of doubt are shown over all answers and along one of them.

    Tokens are those of reasoning where the endpoint reports them, else those of the whole completion. A suite's
    models reason if reasoning tokens are reported, if an answer doubts, or if an answer collapses.
    """

    order = 70

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for name, suite in data.suites.items():
            values = [str(value) for value in suite.axes.get(PERTURBATION, ())]
            rows = data.select_suite(name)
            reasons = _has_numbers(rows, ("usage.reasoning", "trace.collapsed", *_DOUBT))
            if len(values) < 2 or not set(UNCHANGED) & set(values) or not reasons:
                continue
            rows = number_pairs(add_tokens(rows), suite, {PERTURBATION})
            for language in suite.axes["language"]:
                part = rows[rows["language"] == language]
                ways = suite.varying_axes(WAYS)
                for way, answers in split_by_axes(part, ways, suite.axes):
                    shown = dict(zip(ways, way, strict=True))
                    for picture in _draw([name, str(language), *way], data, answers, values):
                        yield replace(picture, of={**picture.of, **shown})


def _draw(place: Sequence[str], data: RunData, answers: pd.DataFrame, values: Sequence[str]) -> Iterator[Picture]:
    """The pictures of one suite in one language, asked in one way."""
    models = dict(data.by_subject(answers))
    yield _count_tokens(place, models, values)
    if any(_has_numbers(mine, _DOUBT) for mine in models.values()):
        yield _count_doubt(place, models, values)
        if picture := follow_doubt(place, data, models):
            yield picture


def _has_numbers(rows: pd.DataFrame, columns: Sequence[str]) -> bool:
    """Whether any of the columns has a number above 0."""
    return any(bool((rows[column] > 0).any()) for column in columns if column in rows)


def _count_tokens(place: Sequence[str], models: Mapping[str, pd.DataFrame], values: Sequence[str]) -> Picture:
    reference = find_reference(values)
    table: list[list[Cell]] = []
    means: dict[str, list[Point]] = {label: [] for label in models}
    for i, (label, answers) in enumerate(models.items()):
        before = select_value(answers, PERTURBATION, reference)
        for x, value in enumerate(values):
            after = select_value(answers, PERTURBATION, value)
            tokens = estimate_metric(after, TOKENS, unit="tokens")
            means[label].append(Point.at(x + (i - (len(models) - 1) / 2) * 0.16, tokens))
            growth: Cell = Label("reference")
            if value != reference:
                growth = compare(before, after, [TOKENS])[TOKENS.name]
            most: Cell = Undefined(tokens.why or Why.UNKNOWN)
            if tokens.n:
                most = Count(int(find_scored(after, TOKENS).values.max()))
            table.append(
                [
                    Label(label),
                    Label(value),
                    Count(tokens.n),
                    tokens.or_undefined(),
                    most,
                    growth,
                    _count_collapsed(after),
                ]
            )
    columns = [
        *name_columns("model", "perturbation", "n"),
        Column("tokens", "mean tokens"),
        Column("most", "most"),
        Column("growth", f"growth against {reference}", "relative_interval"),
        Column("collapsed", "collapsed"),
    ]
    return Picture(
        name="-".join([*place, "tokens"]),
        kind="tokens",
        title=f"{TOKENS.title} by perturbation: {', '.join(place)}",
        after="CodeCrash, table 4",
        panels=[Panel(title="mean", x="perturbation", y=TOKENS.title, lines=means, labels=values)],
        table=Table(columns=columns, rows=table),
        of={"suite": place[0], "language": place[1], "reference": str(reference)},
    )


def _count_collapsed(rows: pd.DataFrame) -> Share:
    known = rows["trace.collapsed"][rows["outcome"].isin(TOKENS.of)].dropna()
    return Share(int(known.sum()), len(known))


def _count_doubt(place: Sequence[str], models: Mapping[str, pd.DataFrame], values: Sequence[str]) -> Picture:
    return Picture(
        name="-".join([*place, "doubt"]),
        kind="doubt",
        title=f"Words of doubt along the trace: {', '.join(place)}",
        after="CodeCrash, figure 3",
        panels=[
            Panel(
                title=label,
                x="part of the trace, tenths",
                y="words of doubt per answer",
                lines={value: _measure_doubt(select_value(answers, PERTURBATION, value)) for value in values},
            )
            for label, answers in models.items()
        ],
        of={"suite": place[0], "language": place[1]},
    )


def _measure_doubt(rows: pd.DataFrame) -> list[Point]:
    """Words of doubt in each tenth of the trace, a mean over the answers that have a trace."""
    if "trace.characters" not in rows:
        return []
    rows = rows[rows["trace.characters"] > 0]
    metric = replace(TOKENS, name="doubt")
    points = []
    for i, column in enumerate(_DOUBT):
        doubt = rows[column].fillna(0.0) if column in rows else pd.Series(0.0, index=rows.index)
        points.append(Point.at(i + 1, estimate_metric(rows.assign(**{"metrics.doubt": doubt}), metric)))
    return points
