"""Semantic recall sensitivity: accuracy as lines are removed (Sense and Sensitivity, 3.2, figures 1 and 3)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.core.text.removals import parse_removal
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.measures import explain_missing, select_scored
from pytest_codereason.results.measures.over_models import pool_answers
from pytest_codereason.results.pictures import Column, Panel, Picture, Point, Table
from pytest_codereason.results.records.axes import KEPT_APART, axis_values, split_by_axes
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.statistics.decay import Decay, fit_decay
from pytest_codereason.results.statistics.intervals import Floats, mean_interval, resample_families
from pytest_codereason.results.statistics.two_way import average_interval
from pytest_codereason.results.studies.study_places import place_removal
from pytest_codereason.results.values import Cell, Count, Estimate, Label, Number, Trend, Undefined, Why

#: Keeps equation 1 finite for a program that was never right.
EPSILON = 1e-9
#: Width of the steps along the share of lines removed.
STEP = 0.05
#: The label of the curve over the answers of all models.
EVERYONE = "all models"


class SensitivityFigure(Figure):
    """Accuracy by the share and by the number of lines removed, with an exponential trend, and equation 1.

    Perturbations and ways of asking have a picture each.
    """

    order = 40

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for name, suite in data.suites.items():
            rows = data.select_suite(name)
            rows = rows[axis_values(rows, "removed").notna()]
            if rows.empty:
                continue
            versions = axis_values(rows, "removed").cat.remove_unused_categories()
            lines = {value: parse_removal(str(value)) for value in versions.cat.categories}
            gone = versions.map({value: len(taken) for value, (taken, _) in lines.items()}).astype(int)
            total = versions.map({value: max(1, whole) for value, (_, whole) in lines.items()}).astype(int)
            rows = rows.assign(gone=gone, share=gone / total, step=(gone / total / STEP).round().astype(int))
            for language in suite.axes["language"]:
                part = rows[rows["language"] == language]
                axes = suite.varying_axes(KEPT_APART)
                for values, answers in split_by_axes(part, axes, suite.axes):
                    picture = _build_picture(name, (str(language), *values), answers, suite, data)
                    yield replace(picture, of={**picture.of, **dict(zip(axes, values, strict=True))})


def _build_picture(name: str, where: tuple[str, ...], rows: pd.DataFrame, suite: SuiteInfo, data: RunData) -> Picture:
    metric = suite.headline
    by_share: dict[str, list[Point]] = {}
    by_number: dict[str, list[Point]] = {}
    trends: dict[str, list[Point]] = {}
    table: list[list[Cell]] = []
    by_model: list[pd.Series[float]] = []
    coins: list[float] = []
    subjects = [(label, answers) for label, answers in data.by_subject(rows) if len(answers)]
    readers = [answers for label, answers in subjects if label not in data.scales]
    everyone = [(EVERYONE, readers)] if len(readers) > 1 else []
    for label, models in [*((label, [answers]) for label, answers in subjects), *everyone]:
        by_share[label] = _measure_steps(models, "step", metric, STEP * 100)
        by_number[label] = _measure_steps(models, "gone", metric, 1)
        answers = pd.concat(models)
        decay = _fit_trend(answers, metric)
        trends[label] = _draw_trend(decay) if decay else []
        if label == EVERYONE:
            continue
        sensitivity = measure_sensitivity(answers, metric)
        trend = Trend(decay.start, decay.rate, decay.loss(0.5)) if decay else Undefined(explain_trend(answers, metric))
        left_out, coin = Count(count_never_right(answers, metric)), toss_coin(answers, metric)
        shown = Undefined(Why.NEVER_RIGHT) if coin is None else Number(coin)
        table.append([Label(label), sensitivity.or_undefined(), shown, Count(sensitivity.n), left_out, trend])
        if sensitivity.value is not None and coin is not None and label not in data.scales:
            by_model.append(list_sensitivities(answers, metric))
            coins.append(coin)
    if len(by_model) > 1:
        average = average_sensitivities(by_model)
        name_of_row = Label(f"average of {len(by_model)} models")
        coin_of_row = Number(sum(coins) / len(coins))
        table.append([name_of_row, average, coin_of_row, Count(average.n), Label(""), Label("")])
    columns = [
        Column("model", "model"),
        Column("sensitivity", "sensitivity (equation 1)"),
        Column("coin", "of a coin that ignores the code"),
        Column("programs", "programs"),
        Column("left_out", "left out: never right"),
        Column("trend", "trend, x in %"),
    ]
    return Picture(
        name="-".join((name, *where, "sensitivity")),
        kind="sensitivity",
        title=f"Accuracy as lines are removed: {', '.join((name, *where))}",
        after=place_removal(suite.task),
        panels=[
            Panel(title="by share", x="lines removed, %", y=metric.title, lines=by_share, curves=trends),
            Panel(title="by number", x="lines removed", y=metric.title, lines=by_number),
        ],
        table=Table(columns=columns, rows=table),
        of={"suite": name, "language": where[0]},
        in_terminal=True,
    )


def count_never_right(rows: pd.DataFrame, metric: Metric) -> int:
    """The programs that :func:`measure_sensitivity` leaves out because no answer about the whole program is right."""
    scored = select_scored(rows[rows["gone"] == 0], metric)
    return int((scored.groupby("family")["value"].mean() <= 0).sum())


def _measure_steps(models: Sequence[pd.DataFrame], column: str, metric: Metric, width: float) -> list[Point]:
    """The metric at each step, over the answers of all ``models`` together."""
    steps = sorted({int(step) for rows in models for step in rows[column].unique()})
    at_step = {step: [rows[rows[column] == step] for rows in models] for step in steps}
    return [Point.at(float(step) * width, pool_answers(parts, metric)) for step, parts in at_step.items()]


def _fit_trend(rows: pd.DataFrame, metric: Metric) -> Decay | None:
    scored = select_scored(rows, metric)
    rows = rows.loc[scored.index]  # a table without a row would take those of whatever is assigned to it
    x, y = 100 * rows["share"].to_numpy(float), scored["value"].to_numpy(float)
    models = rows["run"].astype(str).str.cat(rows["model"].astype(str), "/")
    return fit_decay(x, y, scored["family"].to_numpy(), models.to_numpy())


def explain_trend(rows: pd.DataFrame, metric: Metric) -> Why:
    """Why there is no trend: nothing is scored, nothing right, or all answers are about one share of lines."""
    scored = select_scored(rows, metric)
    if scored.empty:
        return explain_missing(rows, metric)
    return Why.TOO_FEW if scored["value"].any() else Why.NEVER_RIGHT


def _draw_trend(decay: Decay) -> list[Point]:
    xs = np.linspace(0, 100, 41)
    return [
        Point(x=float(x), value=float(value), low=float(low), high=float(high))
        for x, value, low, high in zip(xs, *decay.evaluate(xs), strict=True)
    ]


def measure_sensitivity(rows: pd.DataFrame, metric: Metric) -> Estimate:
    """The mean over programs of equation 1, with its 95 % interval; ``n`` counts programs.

    For one program: the mean over its incomplete versions of (R(C) - R(C_inc)) / (R(C) + epsilon), where R is
    the share of its samples that are right. If the model was never right about a whole program,
    the program is left out: the equation would give 0, or a huge number if the model is right about a version.
    """
    each: Floats = np.asarray(list_sensitivities(rows, metric), dtype=np.float64)
    if not len(each):
        return Estimate(value=None, unit="mean", why=_explain_no_sensitivity(rows, metric))
    interval = mean_interval(each, np.ones(len(each)))
    return Estimate(
        value=float(each.mean()), low=interval.low, high=interval.high, n=len(each), families=len(each), unit="mean"
    )


def toss_coin(rows: pd.DataFrame, metric: Metric) -> float | None:
    """Equation 1 of a coin that is right as often as the model is about whole programs, whatever it is shown.

    A program with s answers is kept if the coin is right j > 0 times, and then adds 1 - p s / j on average, where p is
    how often the coin is right. With one answer a program that is 1 - p. ``None`` for a coin that is never right.
    """
    scored = select_scored(rows[rows["gone"] == 0], metric)
    p = float(scored["value"].mean()) if len(scored) else 0.0
    if p <= 0:
        return None
    kept, total = 0.0, 0.0
    for answers, programs in Counter(scored.groupby("family").size().tolist()).items():
        for right in range(1, answers + 1):
            likely = programs * math.comb(answers, right) * p**right * (1 - p) ** (answers - right)
            kept, total = kept + likely, total + likely * (1 - p * answers / right)
    return float(total / kept)


def _share_by_program(rows: pd.DataFrame, metric: Metric) -> pd.DataFrame:
    """The share of right answers of each program that was asked both whole (``True``) and incomplete (``False``)."""
    scored = select_scored(rows, metric)
    scored = scored.assign(whole=rows["gone"][scored.index] == 0)
    shares = scored.groupby(["family", "whole"])["value"].mean().unstack("whole")
    return shares.reindex(columns=[True, False]).dropna()


def list_sensitivities(rows: pd.DataFrame, metric: Metric) -> pd.Series[float]:
    """Equation 1 for each program of which an answer about the whole program is right, by family."""
    shares = _share_by_program(rows, metric)
    shares = shares[shares[True] > 0]
    return (shares[True] - shares[False]) / (shares[True] + EPSILON)


def _explain_no_sensitivity(rows: pd.DataFrame, metric: Metric) -> Why:
    if select_scored(rows, metric).empty:
        return explain_missing(rows, metric)
    return Why.TOO_FEW if _share_by_program(rows, metric).empty else Why.NEVER_RIGHT


def average_sensitivities(by_model: Sequence[pd.Series[float]]) -> Estimate:
    """The average over models of their sensitivities, each over its own programs; ``n`` counts programs of any model.

    The interval counts models as well as programs
    (:func:`~pytest_codereason.results.statistics.two_way.average_interval`).
    """
    each = pd.concat(by_model, axis=1)
    known = each.notna()
    sums, counts = each.fillna(0.0).to_numpy(np.float64), known.to_numpy(np.float64)
    totals = resample_families(np.concatenate([sums, counts], axis=1))
    sides = totals[:, : len(by_model)], totals[:, len(by_model) :]
    complete = (sides[1] > 0).all(axis=1)
    values: Floats = sums.sum(axis=0) / counts.sum(axis=0)
    drawn = sides[0][complete] / sides[1][complete]
    interval = average_interval(values, drawn, len(each), (-math.inf, 1.0))
    value = float(values.mean())
    return Estimate(value=value, low=interval.low, high=interval.high, n=len(each), families=len(each), unit="mean")
