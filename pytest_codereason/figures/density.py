"""Accuracy by how many places a perturbation uses (CodeCrash, section on density)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from pytest_codereason.figures import Figure, Panel, Picture, Point
from pytest_codereason.figures._axes import by_axes
from pytest_codereason.figures._tokens import TOKENS, with_tokens
from pytest_codereason.figures.robustness import AXIS, WAYS
from pytest_codereason.results.frame import UNCHANGED, along, reference
from pytest_codereason.statistics.estimates import estimate

_DENSITY = re.compile(r"(?P<name>[\w.:-]+)\(density=(?P<density>[\d.]+)\)")


class DensityFigure(Figure):
    """For each suite that asks about one perturbation at several densities: a panel a perturbation.

    A line is a model and a way of asking. A program that is skipped at one density, because it has no place for the
    perturbation, is left out at all of them.
    """

    order = 60

    def pictures(self, frame: pd.DataFrame, run: Mapping[str, Any]) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        for name, suite in run["suites"].items():
            values = [str(v) for v in suite["axes"].get(AXIS, ())]
            doses = _doses(values)
            if not doses:
                continue
            ways = [axis for axis in WAYS if len(suite["axes"].get(axis, ())) > 1]
            rows = with_tokens(frame[frame["suite"] == name])
            for language in suite["axes"]["language"]:
                part = rows[rows["language"] == language]
                asked = {
                    ", ".join((model, *way)): some
                    for model in run["models"]
                    for way, some in by_axes(part[part["model"] == model], ways, suite)
                }
                yield _picture(f"{name}-{language}-density", f"{name}, {language}", asked, doses, suite["metrics"][0])
                if part["metrics.tokens"].notna().any():
                    yield _picture(f"{name}-{language}-density-tokens", f"{name}, {language}", asked, doses, TOKENS)


def _picture(
    name: str,
    where: str,
    asked: Mapping[str, pd.DataFrame],
    doses: Mapping[str, Mapping[float, str]],
    metric: Mapping[str, Any],
) -> Picture:
    panels = [
        Panel(
            title=kind,
            x="density, share of the places used",
            y=metric["title"],
            lines={label: _points(rows, by, metric) for label, rows in asked.items()},
        )
        for kind, by in doses.items()
    ]
    return Picture(
        name=name,
        title=f"{metric['title']} by density: {where}",
        after="CodeCrash, density of misleading messages",
        panels=panels,
        sentence=_sentence(panels, ",.0f" if metric is TOKENS else ".3f"),
    )


def _doses(values: list[str]) -> dict[str, dict[float, str]]:
    """For each perturbation asked about at two densities or more, the axis value of each; 0 is the reference."""
    found: dict[str, dict[float, str]] = {}
    for value in values:
        if match := _DENSITY.fullmatch(value):
            found.setdefault(match["name"], {})[float(match["density"])] = value
        elif value in found or any(v.startswith(f"{value}(density=") for v in values):
            found.setdefault(value, {})[1.0] = value
    several = {kind: by for kind, by in found.items() if len(by) > 1}
    if set(UNCHANGED) & set(values):
        several = {kind: {0.0: str(reference(values)), **by} for kind, by in several.items()}
    return {kind: dict(sorted(by.items())) for kind, by in several.items()}


def _points(rows: pd.DataFrame, by: Mapping[float, str], metric: Mapping[str, Any]) -> list[Point]:
    under = along(rows, AXIS)
    skipped = rows["family"][under.isin(list(by.values())) & (rows["outcome"] == "skipped")]
    rows = rows[~rows["family"].isin(skipped)]
    found = []
    for density, value in by.items():
        e: dict[str, Any] = estimate(rows[along(rows, AXIS) == value], metric)
        found.append(Point(x=density, value=e["value"], low=e["low"], high=e["high"], n=e["n"]))
    return found


def _sentence(panels: list[Panel], shown: str) -> str:
    clauses = []
    for panel in panels:
        for model, points in panel.lines.items():
            known = [p for p in points if p.value is not None]
            if len(known) > 1:
                first, last = known[0], known[-1]
                start, end = f"{first.value:{shown}}", f"{last.value:{shown}}"
                if {f"{point.value:{shown}}" for point in known} == {start}:
                    went = f"stays at {start}"
                elif start == end:
                    went = f"comes back to {start} at {last.x:g}"
                else:
                    went = f"goes from {start} at {first.x:g} to {end} at {last.x:g}"
                clauses.append(f"{model} {went} under {panel.title}")
    return ". ".join(clauses) + "." if clauses else "No density has a scored answer."
