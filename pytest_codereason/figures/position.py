"""Accuracy by position, for each context length (Sense and Sensitivity, figures 2 and 4 to 11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

import pandas as pd

from pytest_codereason.figures import Figure, Panel, Picture, Point
from pytest_codereason.figures._positions import Sweep, sweeps
from pytest_codereason.text import wording as words

_X = "position, % of the context before the program"


class PositionFigure(Figure):
    """For each suite and language: the headline, its change against the best position, the other metrics."""

    order = 20

    def pictures(self, frame: pd.DataFrame, run: Mapping[str, Any]) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        groups: dict[tuple[str, str], list[Sweep]] = {}
        for sweep in sweeps(frame, run):
            groups.setdefault((sweep.suite, sweep.language), []).append(sweep)
        for (suite, language), lines in groups.items():
            headline, *others = run["suites"][suite]["metrics"]
            yield _absolute(suite, language, lines, headline)
            yield _relative(suite, language, lines, headline)
            for metric in others:
                if metric["name"] in ("partial", "unresolved"):
                    yield _absolute(suite, language, lines, metric)


def _by_length(lines: Sequence[Sweep]) -> dict[str, list[Sweep]]:
    found: dict[str, list[Sweep]] = {}
    for sweep in sorted(lines, key=lambda s: s.size):
        found.setdefault(sweep.length, []).append(sweep)
    return found


def _absolute(suite: str, language: str, lines: Sequence[Sweep], metric: Mapping[str, Any]) -> Picture:
    panels = tuple(
        Panel(title=length, x=_X, y=metric["title"], lines={s.label: s.points(metric) for s in some})
        for length, some in _by_length(lines).items()
    )
    return Picture(
        name=f"{suite}-{language}-{metric['name']}-by-position",
        title=f"{metric['title']} by position: {suite}, {language}",
        after="Sense and Sensitivity, figures 4, 8 and 9",
        panels=panels,
        sentence=_spread(panels, metric),
    )


def _spread(panels: Sequence[Panel], metric: Mapping[str, Any]) -> str:
    """The line that varies most along the positions, in words."""
    found = []
    for panel in panels:
        for label, points in panel.lines.items():
            known = [p for p in points if p.value is not None]
            if known:
                low, high = (end(known, key=lambda p: p.value or 0.0) for end in (min, max))
                found.append(((high.value or 0.0) - (low.value or 0.0), label, panel.title, low, high))
    if not found:
        return "No position has a scored answer."
    _, label, length, low, high = max(found, key=lambda f: f[0])
    if low.value == high.value:
        points = [p for panel in panels for line in panel.lines.values() for p in line if p.value is not None]
        if len({p.value for p in points}) > 1:
            return f"{metric['title']} is the same at every position."
        vaguest = max(points, key=lambda p: (p.high or 0.0) - (p.low or 0.0))
        return f"{metric['title']} is {_estimate(vaguest)} at every position."
    return (
        f"{metric['title']} varies most on {label} with {length}: "
        f"{_estimate(low)} at {low.x:g} %, {_estimate(high)} at {high.x:g} %."
    )


def _estimate(point: Point) -> str:
    return words.estimate({"value": point.value, "low": point.low, "high": point.high})


def _relative(suite: str, language: str, lines: Sequence[Sweep], metric: Mapping[str, Any]) -> Picture:
    panels = []
    for length, some in _by_length(lines).items():
        drawn: dict[str, Sequence[Point]] = {s.label: s.relative(metric) for s in some}
        defined = [line for line in drawn.values() if any(p.value is not None for p in line)]
        if len(defined) > 1:
            drawn["median"] = _median(defined)
        panels.append(Panel(title=length, x=_X, y="% change against the best position", percent=True, lines=drawn))
    return Picture(
        told=True,
        name=f"{suite}-{language}-relative-by-position",
        title=f"{metric['title']} against the best position: {suite}, {language}",
        after="Sense and Sensitivity, figures 2, 5 to 7, 10 and 11",
        panels=panels,
        sentence=largest_drop(lines, metric),
    )


def _median(lines: Sequence[Sequence[Point]]) -> list[Point]:
    found = []
    for points in zip(*lines, strict=True):
        known = [p.value for p in points if p.value is not None]
        found.append(Point(x=points[0].x, value=median(known) if known else None, n=len(known)))
    return found


def largest_drop(lines: Sequence[Sweep], metric: Mapping[str, Any]) -> str:
    """The largest fall against the best position: of one line with its interval, of several their median."""
    drops: dict[str, tuple[Point, str]] = {}
    undefined = set()
    for sweep in lines:
        drop = sweep.drop(metric)
        if drop is None:
            undefined.add(sweep.label)
        elif sweep.label not in drops or (drop.value or 0) > (drops[sweep.label][0].value or 0):
            drops[sweep.label] = drop, sweep.length
    text = []
    if len(drops) > 1:
        middle = median(drop.value or 0.0 for drop, _ in drops.values())
        text.append(f"The median over {len(drops)} lines of the largest relative drop is {middle:.2f} %.")
    if drops:
        label, (drop, length) = max(drops.items(), key=lambda item: item[1][0].value or 0.0)
        interval = "" if drop.low is None or drop.high is None else f" [{drop.low:.1f}, {drop.high:.1f}]"
        text.append(
            f"{label} falls by {drop.value:.1f} %{interval} of its best at position {drop.x:g} % with {length}."
            if drop.value
            else f"{label} does not fall at any position."
        )
    if undefined and not drops:
        text.append("Undefined, because there is no right answer at any position.")
    elif undefined - drops.keys():
        names = "; ".join(sorted(undefined - drops.keys()))
        text.append(f"Undefined, because no position has a right answer: {names}.")
    return " ".join(text)
