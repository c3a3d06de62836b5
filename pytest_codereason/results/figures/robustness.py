"""What perturbations do to a model: drops against the unchanged program, and flips (CodeCrash, tables 1 to 10)."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.measures import does_apply, estimate_metric
from pytest_codereason.results.measures.noise import compare_answers
from pytest_codereason.results.measures.pairing import compare, count_flips, number_pairs
from pytest_codereason.results.pictures import Column, Picture, Table, name_columns
from pytest_codereason.results.records.axes import (
    PERTURBATION,
    UNCHANGED,
    WAYS,
    find_reference,
    select_value,
    split_by_axes,
)
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.studies.study_places import place_scores
from pytest_codereason.results.values import Cell, Count, Label

#: Names the row of answers to questions that were asked a second time, perturbed or not.
ASKED_AGAIN = "no change, asked again"


class Robustness(Figure):
    """A table a suite and language: for each model, perturbation and way of asking the drop, and which answers flipped.

    Where a part of the questions was asked a second time, one more row has the flips between the first and the second
    answers: what changes although nothing is perturbed.

    Pairs are answers about the same program with the same values of the other axes. Suites that ask for outputs and
    suites that ask for inputs are never pooled.
    """

    order = 50

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for name, suite in data.suites.items():
            values = suite.axes.get(PERTURBATION, ())
            if len(values) < 2 or not set(UNCHANGED) & set(values):
                continue
            rows = data.select_suite(name)
            if not does_apply(suite.headline, PERTURBATION, select_value(rows, PERTURBATION, find_reference(values))):
                continue  # it compares with the unchanged program already
            for language in suite.axes["language"]:
                part = rows[rows["language"] == language]
                if len(part):
                    yield _build_picture(name, str(language), part, suite, data)


def _build_picture(name: str, language: str, rows: pd.DataFrame, suite: SuiteInfo, data: RunData) -> Picture:
    metric, ways = suite.headline, suite.varying_axes(WAYS)
    reference = find_reference(suite.axes[PERTURBATION])
    rows = number_pairs(rows, suite, {PERTURBATION})
    table: list[list[Cell]] = []
    for subject in data.subjects:
        label, answers = subject.label, data.select_subject(rows, subject)
        unchanged = select_value(answers, PERTURBATION, reference)
        references = dict(split_by_axes(unchanged, ways, suite.axes))
        for value in suite.axes[PERTURBATION]:
            perturbed = select_value(answers, PERTURBATION, value)
            for way, after in split_by_axes(perturbed, ways, suite.axes):
                score = estimate_metric(after, metric)
                start: list[Cell] = [Label(label), Label(str(value)), *map(Label, way), Count(score.n)]
                start.append(score.or_undefined())
                if value == reference:
                    table.append([*start, Label("reference"), *[Label("")] * 3])
                    continue
                before = references.get(way, unchanged.iloc[:0])
                change: Cell = compare(before, after, [metric])[metric.name]
                flips = count_flips(before, after, metric)
                table.append([*start, change, change, flips, flips])
        again = data.select_repeats(name, subject)
        if len(again) and len(again := again[again["language"] == language]):
            noise = compare_answers(answers, again)
            start = [Label(label), Label(ASKED_AGAIN), *[Label("")] * len(ways), Count(noise.flips.pairs)]
            table.append([*start, estimate_metric(again, metric).or_undefined(), *[Label("")] * 2, *[noise.flips] * 2])
    columns = [
        *name_columns("model", "perturbation"),
        *(Column(way, way) for way in ways),
        Column("n", "n"),
        Column("score", metric.title),
        Column("change", "change"),
        Column("relative", "relative, %", "relative_interval"),
        Column("lost", "right to wrong", "lost"),
        Column("won", "wrong to right", "won"),
    ]
    return Picture(
        name=f"{name}-{language}-robustness",
        kind="robustness",
        title=f"{metric.title} against {reference}: {name}, {language}",
        after=place_scores(suite, language),
        table=Table(columns=columns, rows=table),
        of={"suite": name, "language": language, "reference": str(reference)},
        in_terminal=True,
    )
