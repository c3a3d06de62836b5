"""How much a suite about faults asked, and how long its programs are (the fourth study, table IV and figure 5)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from pytest_codereason.core import ANSWERED
from pytest_codereason.core.text.wording import plural
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures._faults import FaultSuite, list_fault_suites, select_language
from pytest_codereason.results.pictures import Column, Panel, Picture, Point, Table, name_columns
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.values import Cell, Count, Label, Number, Undefined, Why

_LINES = "metrics.lines_shown"
#: The width of a bar of the figure, in lines.
_WIDTH = 50


class FaultStatistics(Figure):
    """A table and a panel for each suite about faults: requests, tasks, lines and tokens; the lengths of the programs.

    All models of the run count together, and baselines do not. Lines are those of the program that is shown last.
    """

    order = 61

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for suite in list_fault_suites(data):
            models = [rows for label, rows in data.by_subject(suite.rows) if label not in data.scales and len(rows)]
            if models:
                yield _draw(suite, pd.concat(models), plural(len(models), "model"))


def _draw(suite: FaultSuite, rows: pd.DataFrame, models: str) -> Picture:
    rows = rows[rows["outcome"].isin(ANSWERED)]
    table = [[Label(models), Label(language), *_count(select_language(rows, language))] for language in suite.languages]
    panels = [
        Panel(title=language, x="lines", y="Share of the programs", lines={"programs": _list_bars(part)})
        for language in suite.languages
        if not (part := _list_lengths(select_language(rows, language))).empty
    ]
    return Picture(
        name=f"{suite.name}-fault-statistics",
        kind="fault-statistics",
        title=f"What was asked: {suite.name}",
        after="Haroon et al., table IV",
        panels=panels,
        table=Table(
            columns=[
                Column("model", "models"),
                *name_columns("language", "requests"),
                Column("tasks", "tasks answered"),
                Column("programs", "programs"),
                Column("mean_lines", "lines on average"),
                Column("lines", "lines in all"),
                Column("tokens", "tokens in all"),
            ],
            rows=table,
        ),
        of={"suite": suite.name},
        sentence=f"A point of the panel is the share of the programs with as many lines as stand below it, and fewer "
        f"than {_WIDTH} more. Where a model was asked twice, lines are those of the second program.",
    )


def _count(rows: pd.DataFrame) -> list[Cell]:
    first = rows["metrics.first"].sum() if "metrics.first" in rows else 0  # whoever found it was asked a second time
    tokens = rows[["usage.prompt", "usage.completion"]]
    unknown = Undefined(Why.UNKNOWN)
    have_lines = _LINES in rows and len(rows) > 0 and not rows[_LINES].isna().any()
    return [
        Count(len(rows) + int(first)),
        Count(len(rows)),
        Count(rows["family"].astype(str).nunique()),
        Number(float(rows[_LINES].mean()), decimals=1) if have_lines else unknown,
        Count(int(rows[_LINES].sum())) if have_lines else unknown,
        unknown if rows.empty or tokens.isna().any(axis=None) else Count(int(tokens.to_numpy().sum())),
    ]


def _list_lengths(rows: pd.DataFrame) -> pd.Series[float]:
    """The shortest form in which each program was shown: a mutation adds lines."""
    if _LINES not in rows:
        return pd.Series(dtype=float)
    names = rows["language"].astype(str) + "/" + rows["family"].astype(str)
    return rows[_LINES].groupby(names).min().dropna()


def _list_bars(lengths: pd.Series[float]) -> list[Point]:
    bars = (lengths.to_numpy() // _WIDTH).astype(int)
    return [
        Point(x=float(bar * _WIDTH), value=float(np.mean(bars == bar)), n=len(bars)) for bar in range(bars.max() + 1)
    ]
