"""What defences against misleading text do for a model (CodeCrash, section 4.3, tables 8 and 9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.measures.pairing import compare, number_pairs
from pytest_codereason.results.pictures import Column, Panel, Picture, Point, Table, name_columns
from pytest_codereason.results.records.axes import (
    DEFENCE,
    PERTURBATION,
    WAYS,
    find_reference,
    select_value,
    split_by_axes,
)
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.values import Cell, Count, Label, Share


class Defences(Figure):
    """For each suite, language and way of asking: accuracy under each perturbation with each defence, side by side.

    A change compares answers about the same program under the same perturbation, with the defence and without.
    """

    order = 55

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for name, suite in data.suites.items():
            if not suite.varying_axes([DEFENCE]):
                continue
            rows = number_pairs(data.select_suite(name), suite, {DEFENCE})
            ways = suite.varying_axes([axis for axis in WAYS if axis != DEFENCE])
            for language in suite.axes["language"]:
                for way, part in split_by_axes(rows[rows["language"] == language], ways, suite.axes):
                    shown = dict(zip(ways, way, strict=True))
                    yield _build_picture([name, str(language), *way], shown, part, suite, data)


def _build_picture(
    place: Sequence[str], ways: Mapping[str, str], rows: pd.DataFrame, suite: SuiteInfo, data: RunData
) -> Picture:
    metric, defences = suite.headline, [str(value) for value in suite.axes[DEFENCE]]
    perturbations = [str(value) for value in suite.axes.get(PERTURBATION, ())]
    reference = find_reference(defences)
    table: list[list[Cell]] = []
    panels = []
    for label, answers in data.by_subject(rows):
        lines: dict[str, list[Point]] = {defence: [] for defence in defences}
        for x, perturbation in enumerate(perturbations or ["none"]):
            under = select_value(answers, PERTURBATION, perturbation) if perturbations else answers
            before = select_value(under, DEFENCE, reference)
            for i, defence in enumerate(defences):
                after = select_value(under, DEFENCE, defence)
                score = estimate_metric(after, metric)
                lines[defence].append(Point.at(x + (i - (len(defences) - 1) / 2) * 0.16, score))
                change: Cell = Label("reference")
                if defence != reference:
                    change = compare(before, after, [metric])[metric.name]
                start: list[Cell] = [Label(label), Label(perturbation), Label(defence), Count(score.n)]
                table.append([*start, score.or_undefined(), change, *_count_rewritings(after)])
        panels.append(Panel(title=label, x="perturbation", y=metric.title, lines=lines, labels=perturbations))
    columns = [
        *name_columns("model", "perturbation", "defence", "n"),
        Column("score", metric.title),
        Column("change", "change"),
        Column("broken", "rewritings that broke the program"),
        Column("missing", "no rewriting"),
    ]
    return Picture(
        name="-".join([*place, "defences"]),
        kind="defences",
        title=f"{metric.title} with each defence: {', '.join(place)}",
        after="CodeCrash, tables 8 and 9",
        panels=panels,
        table=Table(columns=columns, rows=table),
        of={"suite": place[0], "language": place[1], **ways},
        in_terminal=True,
    )


def _count_rewritings(rows: pd.DataFrame) -> tuple[Cell, Cell]:
    """Two shares: broken programs among all rewritings, and samples without a rewriting among all samples."""
    kept, rewritten = (
        rows[column].dropna() if (column := f"metrics.{name}") in rows else pd.Series(dtype=float)
        for name in ("rewrite_kept", "rewritten")
    )
    if not len(rewritten):
        return Label(""), Label("")
    return Share(int((kept == 0).sum()), len(kept)), Share(int((rewritten == 0).sum()), len(rewritten))
