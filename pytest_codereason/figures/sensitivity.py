"""Semantic recall sensitivity: accuracy as lines are removed (Sense and Sensitivity, 3.2, figures 1 and 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from pytest_codereason.figures import Figure, Panel, Picture, Point
from pytest_codereason.results.frame import along
from pytest_codereason.stages.ablation import removed
from pytest_codereason.statistics.decay import Decay, fit
from pytest_codereason.statistics.estimates import estimate, scored
from pytest_codereason.statistics.intervals import Floats, mean
from pytest_codereason.text import wording as words

#: Keeps equation 1 finite for a program that was never right.
EPSILON = 1e-9
#: Width of the steps along the share of lines removed.
STEP = 0.05


class SensitivityFigure(Figure):
    """Accuracy by the share and by the number of lines removed, with an exponential trend, and equation 1."""

    order = 40

    def pictures(self, frame: pd.DataFrame, run: Mapping[str, Any]) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        for name, suite in run["suites"].items():
            rows = frame[(frame["suite"] == name) & along(frame, "removed").notna()]
            if rows.empty:
                continue
            parts = along(rows, "removed").cat.remove_unused_categories()
            known = {value: removed(str(value)) for value in parts.cat.categories}
            counts = parts.map({value: len(lines) for value, (lines, _) in known.items()}).astype(int)
            of = parts.map({value: max(1, total) for value, (_, total) in known.items()}).astype(int)
            rows = rows.assign(gone=counts, share=counts / of)
            for language in suite["axes"]["language"]:
                yield _picture(name, language, rows[rows["language"] == language], suite, run)


def _picture(name: str, language: str, rows: pd.DataFrame, suite: Mapping[str, Any], run: Mapping[str, Any]) -> Picture:
    metric = suite["metrics"][0]
    by_share: dict[str, list[Point]] = {}
    by_count: dict[str, list[Point]] = {}
    trends: dict[str, list[Point]] = {}
    table, clauses = [], []
    for model in run["models"]:
        mine = rows[rows["model"] == model]
        if mine.empty:
            continue
        step = (mine["share"] / STEP).round().astype(int)
        by_share[model] = _points(mine, step, metric, STEP * 100)
        by_count[model] = _points(mine, mine["gone"], metric, 1)
        decay = _decay(mine, metric)
        trends[model] = _curve(decay) if decay else []
        sensitivity, low, high, programs = equation_1(mine, metric)
        shown = words.estimate({"value": sensitivity, "low": low, "high": high})
        table.append((model, shown, f"{programs:,}", decay.text if decay else "none"))
        if decay is None or not programs:
            clauses.append(f"{model} has no sensitivity, for it was right about no program as a whole")
            continue
        lost = f"its trend loses {100 * decay.loss(0.5):.1f} % of its start with half the lines gone"
        clauses.append(f"{model} has a sensitivity of {shown} over {programs:,} programs; {lost}")
    return Picture(
        told=True,
        name=f"{name}-{language}-sensitivity",
        title=f"Accuracy as lines are removed: {name}, {language}",
        after="Sense and Sensitivity, equation 1, figures 1 and 3",
        panels=(
            Panel(title="by share", x="lines removed, %", y=metric["title"], lines=by_share, curves=trends),
            Panel(title="by number", x="lines removed", y=metric["title"], lines=by_count),
        ),
        header=("model", "sensitivity (equation 1)", "programs", "trend, x in %"),
        rows=table,
        sentence=". ".join(clauses) + "." if clauses else "Nothing was asked.",
    )


def _points(rows: pd.DataFrame, at: pd.Series[Any], metric: Mapping[str, Any], scale: float) -> list[Point]:
    found = []
    for value, some in rows.groupby(at, sort=True):
        e = estimate(some, metric)
        found.append(Point(x=float(value) * scale, value=e["value"], low=e["low"], high=e["high"], n=int(e["n"] or 0)))
    return found


def _decay(rows: pd.DataFrame, metric: Mapping[str, Any]) -> Decay | None:
    picked = scored(rows, metric)
    picked = picked.assign(x=100 * rows["share"])
    return fit(picked["x"].to_numpy(float), picked["value"].to_numpy(float), picked["family"].to_numpy())


def _curve(decay: Decay) -> list[Point]:
    xs = np.linspace(0, 100, 41)
    middle, low, high = decay.at(xs)
    return [
        Point(x=float(x), value=float(m), low=float(lo), high=float(hi))
        for x, m, lo, hi in zip(xs, middle, low, high, strict=True)
    ]


def equation_1(rows: pd.DataFrame, metric: Mapping[str, Any]) -> tuple[float | None, float | None, float | None, int]:
    """The mean over programs of equation 1, its 95 % interval, and the number of programs.

    For one program: the mean over its incomplete versions of (R(C) - R(C_inc)) / (R(C) + epsilon), where R is
    the share of its samples that are right. A program that was never right as a whole has nothing to lose
    and is left out: the equation would give it 0, or without bound where one of its versions is right.
    """
    picked = scored(rows, metric).assign(whole=rows["gone"] == 0)
    by_program = picked.groupby(["family", "whole"])["value"].mean().unstack("whole")
    if not {True, False} <= set(by_program.columns):
        return None, None, None, 0
    both = by_program.dropna()
    both = both[both[True] > 0]
    if both.empty:
        return None, None, None, 0
    each: Floats = ((both[True] - both[False]) / (both[True] + EPSILON)).to_numpy(float)
    interval = mean(each, np.ones(len(each)))
    return float(each.mean()), interval.low, interval.high, len(each)
