"""The largest drop of each model at each length, and medians over models (Sense and Sensitivity, the headline)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from statistics import median

import numpy as np

from pytest_codereason.core import Metric
from pytest_codereason.core.text.wording import plural
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures._sweeps import Sweep, list_sweeps
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.statistics.intervals import Floats
from pytest_codereason.results.studies.study_places import place_largest_drops
from pytest_codereason.results.values import Cell, Delta, Label, Undefined, Why

Drop = Delta | Why  # why there is none

_COLUMNS = (
    Column("model", "model"),
    Column("length", "context"),
    Column("best", "best position"),
    Column("worst", "worst position"),
    Column("points", "largest drop"),
    Column("relative", "largest drop, %", "relative_interval"),
    Column("chance", "by chance alone, %", "relative"),
)


class LargestDrops(Figure):
    """A table for each suite and language: from the best position to the worst, by model and length.

    A model that is right at no position has no drop, nor has a model without answers. The row of the median counts
    them and says why. It counts no baseline. Models that answer at random are left out. Beside each drop stands the
    mean of those that the same answers give if the position has no effect.
    """

    order = 25

    def pictures(self, data: RunData) -> Iterator[Picture]:
        groups: dict[tuple[str, str], list[Sweep]] = {}
        for sweep in list_sweeps(data):
            if sweep.model not in data.guessers and len(sweep.rows):
                groups.setdefault((sweep.suite, sweep.language), []).append(sweep)
        for (suite, language), sweeps in groups.items():
            rows = list(_list_rows(sweeps, data.suites[suite].headline, data.scales))
            yield Picture(
                name=f"{suite}-{language}-largest-drops",
                kind="largest-drops",
                title=f"Largest drops by position: {suite}, {language}",
                after=place_largest_drops(data.suites[suite]),
                table=Table(columns=_COLUMNS, rows=rows),
                of={"suite": suite, "language": language},
                in_terminal=True,
            )


def _list_rows(sweeps: Sequence[Sweep], metric: Metric, scales: Collection[str]) -> Iterator[list[Cell]]:
    drops = [(sweep, sweep.find_largest_drop(metric)) for sweep in sorted(sweeps, key=lambda sweep: sweep.size)]
    chances = {id(sweep): sweep.draw_chance(metric) for sweep, drop in drops if drop is not None}
    for sweep, drop in drops:
        best, worst = sweep.find_extremes(metric)
        cells: list[Cell] = [Undefined(sweep.explain_missing(metric))] * 5
        if drop is not None and best is not None and worst is not None:
            ends = [estimate_metric(sweep.select(position), metric) for position in (best, worst)]
            cells = [*ends, drop, drop, _build_drop(*chances[id(sweep)].mean(axis=0))]
        yield [Label(sweep.label), Label(sweep.length), *cells]
    for others in dict.fromkeys(sweep.others for sweep, _ in drops):
        alike = [(sweep, drop) for sweep, drop in drops if sweep.others == others and sweep.model not in scales]
        lengths = list(dict.fromkeys(sweep.length for sweep, _ in alike))
        for length in [*lengths, ""] if len(lengths) > 1 else [""]:
            by_model: dict[str, list[Drop]] = {}
            drawn: dict[str, list[Floats]] = {}
            for sweep, drop in alike:
                if length in ("", sweep.length):
                    by_model.setdefault(sweep.model, []).append(drop or sweep.explain_missing(metric))
                    drawn.setdefault(sweep.model, []).extend([chances[id(sweep)]] if drop is not None else [])
            if len(by_model) > 1:
                row = _find_medians(others, length or "all lengths", by_model)
                yield [*row, _find_chance([*drawn.values()]) if any(drawn.values()) else row[-1]]


def _find_medians(others: str, length: str, by_model: Mapping[str, Sequence[Drop]]) -> list[Cell]:
    """The row of a median over models; each model counts once, with the largest of its drops."""
    defined = {model: [drop for drop in drops if isinstance(drop, Delta)] for model, drops in by_model.items()}
    known = [drops for drops in defined.values() if drops]
    whys = Counter(_join_whys(drops) for model, drops in by_model.items() if not defined[model])
    name = f"median over {plural(len(known), 'model')}"
    name = ", ".join([name, *(f"{count} {why}" for why, count in whys.items()), *([others] if others else [])])
    if not known:
        (why, _), *_ = whys.most_common()
        return [Label(name), Label(length), *[Undefined(why)] * 4]
    middle = _build_drop(
        median(min(drop.value for drop in drops) for drops in known),
        median(min(drop.relative or 0.0 for drop in drops) for drops in known),
    )
    return [Label(name), Label(length), Label(""), Label(""), middle, middle]


def _find_chance(drawn: Sequence[Sequence[Floats]]) -> Delta:
    """The mean of the medians over models, each with the largest of its drops, in runs without any effect."""
    largest = [np.minimum.reduce(each) for each in drawn if each]
    return _build_drop(*np.median(largest, axis=0).mean(axis=0))


def _build_drop(value: float, relative: float) -> Delta:
    """A drop without an interval."""
    return Delta(
        value=float(value),
        low=None,
        high=None,
        relative=float(relative),
        relative_low=None,
        relative_high=None,
        pairs=0,
        families=0,
    )


def _join_whys(drops: Sequence[Drop]) -> Why:
    """Why a model has no drop at any length: it was never right where anything is scored, else the first reason."""
    whys = [drop for drop in drops if isinstance(drop, Why)]
    return Why.NEVER_RIGHT if Why.NEVER_RIGHT in whys else whys[0]
