"""Sorts answers by the position of the program in its context. The figures of recall share this file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.results.measures.measures import estimate_metric, explain_missing, find_scored
from pytest_codereason.results.measures.pairing import compare, judge_course, number_pairs, tabulate_families
from pytest_codereason.results.pictures import Point
from pytest_codereason.results.records.axes import LENGTHS, POSITION, select_value, split_by_axes
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.statistics.intervals import Floats
from pytest_codereason.results.statistics.largest_drop import draw_largest_drops
from pytest_codereason.results.values import Delta, Why

X_TITLE = "position, % of the context before the program"
RELATIVE_TITLE = "% change against the best position"


@dataclass(frozen=True)
class Sweep:
    """The answers of one line of a figure: one suite, language, length and model, and values of other axes."""

    suite: str
    language: str
    length: str  #: ``80 distractors``
    size: float
    model: str
    others: str  #: the values of other axes that vary: ``digits 2``
    positions: Sequence[float]
    rows: pd.DataFrame
    _relative: dict[str, list[Point]] = field(default_factory=dict, compare=False)

    @property
    def label(self) -> str:
        """What tells this line from the others of its panel."""
        return f"{self.model}, {self.others}" if self.others else self.model

    def measure(self, metric: Metric) -> list[Point]:
        """The metric at each position."""
        return [Point.at(position, estimate_metric(self.select(position), metric)) for position in self.positions]

    def compare_with_best(self, metric: Metric) -> list[Point]:
        """The change in percent against the best position, at each position; undefined if the best is zero."""
        if metric.name not in self._relative:
            self._relative[metric.name] = self._compare_with_best(metric)
        return self._relative[metric.name]

    def _compare_with_best(self, metric: Metric) -> list[Point]:
        best = self._find_best(metric)
        if best is None:
            why = self.explain_missing(metric)
            return [Point(x=point.x, value=None, why=point.why or why) for point in self.measure(metric)]
        before = self.select(best)
        points = []
        for position in self.positions:
            after = self.select(position)
            if position == best:
                points.append(Point(x=position, value=0.0))
                continue
            delta = compare(before, after, [metric])[metric.name]
            if not delta:
                points.append(Point(x=position, value=None, why=delta.why))
                continue
            value, low, high = (
                None if each is None else 100 * each
                for each in (delta.relative, delta.relative_low, delta.relative_high)
            )
            points.append(Point(x=position, value=value, low=low, high=high, n=len(find_scored(after, metric).places)))
        return points

    def judge_course(self, metric: Metric) -> float | None:
        """How often chance alone makes the metric vary as much along the positions; ``None`` if nothing was asked."""
        return judge_course([self.select(position) for position in self.positions], metric)

    def draw_chance(self, metric: Metric) -> Floats:
        """The largest drop in each of many runs without an effect of the position; see :func:`draw_largest_drops`."""
        return draw_largest_drops(tabulate_families([self.select(position) for position in self.positions], metric))

    def find_extremes(self, metric: Metric) -> tuple[float | None, float | None]:
        """The positions with the highest and the lowest figure; ``None`` if :meth:`explain_missing` says why."""
        best = self._find_best(metric)
        return (None, None) if best is None else (best, min(self._list_known(metric))[1])

    def explain_missing(self, metric: Metric) -> Why:
        """Why there is no best position: nothing is scored, scored at one position alone, or right at none."""
        known = self._list_known(metric)
        if not known:
            return explain_missing(self.rows, metric)
        return Why.NEVER_RIGHT if len(known) > 1 else Why.NOT_ELSEWHERE

    def find_largest_drop(self, metric: Metric) -> Delta | None:
        """The change from the best position to the worst; ``None`` if :meth:`explain_missing` says why."""
        best, worst = self.find_extremes(metric)
        if best is None or worst is None:
            return None
        return compare(self.select(best), self.select(worst), [metric])[metric.name] or None

    def _find_best(self, metric: Metric) -> float | None:
        """The position with the highest of several figures, the first of equals; ``None`` if none is above zero."""
        known = self._list_known(metric)
        top = max((value for value, _ in known), default=0.0)
        return next(x for value, x in known if value == top) if top > 0 and len(known) > 1 else None

    def _list_known(self, metric: Metric) -> list[tuple[float, float]]:
        """The figure of each position that has one, with the position."""
        return [(point.value, point.x) for point in self.measure(metric) if point.value is not None]

    def select(self, position: float) -> pd.DataFrame:
        """The answers at one position."""
        return select_value(self.rows, POSITION, position)


def list_sweeps(data: RunData) -> Iterator[Sweep]:
    """Every line to draw, suite by suite. A suite without several positions has no line."""
    for name, suite in data.suites.items():
        positions = [value for value in suite.axes.get(POSITION, ()) if isinstance(value, (int, float))]
        if len(positions) < 2:
            continue
        others = suite.varying_axes([axis for axis in suite.axes if axis not in ("language", POSITION, *LENGTHS)])
        part = number_pairs(data.select_suite(name), suite, {POSITION})
        for language in suite.axes["language"]:
            for length, size, rows in _split_by_length(part[part["language"] == language], suite):
                for model, answers in data.by_subject(rows):
                    for values, line in split_by_axes(answers, others, suite.axes):
                        label = ", ".join(f"{axis} {value}" for axis, value in zip(others, values, strict=True))
                        yield Sweep(name, str(language), length, size, model, label, positions, line)


def _split_by_length(part: pd.DataFrame, suite: SuiteInfo) -> Iterator[tuple[str, float, pd.DataFrame]]:
    sizes = [(unit, size) for unit in LENGTHS for size in suite.axes.get(unit, ()) if isinstance(size, int) and size]
    for unit, size in sizes:
        yield f"{size:,} {unit}", size, select_value(part, unit, size)
    if not sizes:
        yield "one length", 0, part


def count_programs(sweeps: Iterable[Sweep], metric: Metric) -> dict[str, int]:
    """On how many programs each line rests, by its label."""
    return {sweep.label: estimate_metric(sweep.rows, metric).families for sweep in sweeps}


def judge_courses(sweeps: Iterable[Sweep], metric: Metric) -> dict[str, float]:
    """For each line by its label: how often chance alone makes it vary as much along the positions."""
    return {sweep.label: p for sweep in sweeps if (p := sweep.judge_course(metric)) is not None}
