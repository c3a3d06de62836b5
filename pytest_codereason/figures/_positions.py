"""Answers by the position of the program in its context: what the figures of recall share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from pytest_codereason.figures import Point
from pytest_codereason.figures._axes import by_axes
from pytest_codereason.results.frame import along
from pytest_codereason.statistics.estimates import by_family, estimate, scored
from pytest_codereason.statistics.intervals import change, resample

LENGTHS = ("distractors", "tokens")
POSITION = "position"


@dataclass(frozen=True)
class Sweep:
    """The answers of one line of a figure: one suite, language, length and model, and the axes besides."""

    suite: str
    language: str
    length: str  #: ``80 distractors``
    size: float
    model: str
    besides: str  #: values of the other axes that vary, empty where none does
    positions: Sequence[float]
    rows: pd.DataFrame
    _relative: dict[str, list[Point]] = field(default_factory=dict, compare=False)

    @property
    def label(self) -> str:
        """What tells this line from the others of its panel."""
        return f"{self.model}, {self.besides}" if self.besides else self.model

    def at(self, position: float) -> pd.DataFrame:
        """The answers at one position."""
        return self.rows[along(self.rows, POSITION) == position]

    def points(self, metric: Mapping[str, Any]) -> list[Point]:
        """The metric at each position."""
        return [_point(p, estimate(self.at(p), metric)) for p in self.positions]

    def relative(self, metric: Mapping[str, Any]) -> list[Point]:
        """Percent change against the best position; undefined where the best is zero."""
        if metric["name"] not in self._relative:
            self._relative[metric["name"]] = self._changes(metric)
        return self._relative[metric["name"]]

    def _changes(self, metric: Mapping[str, Any]) -> list[Point]:
        best = self.best(metric)
        if best is None:
            return [Point(x=p, value=None) for p in self.positions]
        # Sums and counts by family at every position: one set of resamples then serves all of them.
        parts = [scored(self.at(p), metric) for p in self.positions]
        size = len(self.rows["family"].cat.categories)
        columns = np.concatenate([np.stack(by_family(part, size), axis=1) for part in parts], axis=1)
        columns = columns[columns.any(axis=1)]
        drawn = resample(columns)
        first = 2 * list(self.positions).index(best)
        found = []
        for i, (position, part) in enumerate(zip(self.positions, parts, strict=True)):
            if position == best or part.empty:
                found.append(Point(x=position, value=0.0 if position == best else None))
                continue
            pair = [first, first + 1, 2 * i, 2 * i + 1]
            of = change(columns[:, pair], drawn[:, pair])
            low, high = (None if end is None else 100 * end for end in of.relative_interval)
            value = None if of.relative is None else 100 * of.relative
            found.append(Point(x=position, value=value, low=low, high=high, n=len(part)))
        return found

    def best(self, metric: Mapping[str, Any]) -> float | None:
        """The position with the highest figure, the first of equals; ``None`` where no figure is above zero."""
        known = [(p.value, p.x) for p in self.points(metric) if p.value is not None]
        top = max((value for value, _ in known), default=0.0)
        return next((x for value, x in known if value == top), None) if top > 0 else None

    def drop(self, metric: Mapping[str, Any]) -> Point | None:
        """The largest fall against the best position, in percent of it (0 to 100), at the position where it is.

        The interval is that of the two positions compared; it does not know that they were chosen.
        """
        known = [p for p in self.relative(metric) if p.value is not None]
        worst = min(known, key=lambda p: p.value or 0.0, default=None)
        if worst is None or worst.value is None:
            return None
        low, high = (None if v is None else -v for v in (worst.high, worst.low))
        return Point(x=worst.x, value=-worst.value, low=low, high=high, n=worst.n)


def _point(x: float, found: Mapping[str, Any]) -> Point:
    return Point(x=x, value=found["value"], low=found["low"], high=found["high"], n=found["n"])


def sweeps(frame: pd.DataFrame, run: Mapping[str, Any]) -> Iterator[Sweep]:
    """Every line there is to draw, suite by suite; a suite without several positions has none."""
    for name, suite in run["suites"].items():
        axes = suite["axes"]
        positions = [p for p in axes.get(POSITION, ()) if isinstance(p, (int, float))]
        if len(positions) < 2:
            continue
        besides = [a for a in axes if a not in ("language", POSITION, *LENGTHS) and len(axes[a]) > 1]
        part = frame[frame["suite"] == name]
        for language in axes["language"]:
            for length, size, rows in _by_length(part[part["language"] == language], axes):
                for model in run["models"]:
                    for values, some in by_axes(rows[rows["model"] == model], besides, suite):
                        label = ", ".join(f"{axis} {value}" for axis, value in zip(besides, values, strict=True))
                        yield Sweep(name, language, length, size, model, label, positions, some)


def _by_length(part: pd.DataFrame, axes: Mapping[str, Any]) -> Iterator[tuple[str, float, pd.DataFrame]]:
    found = False
    for unit in LENGTHS:
        for size in axes.get(unit, ()):
            if size:
                found = True
                yield f"{size:,} {unit}", size, part[along(part, unit) == size]
    if not found:
        yield "one length", 0, part
