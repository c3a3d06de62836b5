"""Accuracy by how many places a perturbation uses (CodeCrash, section on density)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.measures.tokens import TOKENS, add_tokens
from pytest_codereason.results.pictures import Panel, Picture, Point
from pytest_codereason.results.records.axes import (
    PERTURBATION,
    UNCHANGED,
    WAYS,
    axis_values,
    find_reference,
    select_value,
    split_by_axes,
)
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.studies.study_places import place_density

_DENSITY = re.compile(r"(?P<name>[\w.:-]+)\(density=(?P<density>[\d.]+)\)")

#: For each perturbation the axis value at each density.
Densities = Mapping[str, Mapping[float, str]]


class DensityFigure(Figure):
    """For each suite that asks about one perturbation at several densities: a panel a perturbation.

    A line is a model and a way of asking. A program that is skipped at one density, because it has no place for the
    perturbation, is left out at all densities.
    """

    order = 60

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for name, suite in data.suites.items():
            densities = _find_densities([str(value) for value in suite.axes.get(PERTURBATION, ())])
            if not densities:
                continue
            ways = suite.varying_axes(WAYS)
            rows = add_tokens(data.select_suite(name))
            for language in suite.axes["language"]:
                part = rows[rows["language"] == language]
                lines = {
                    ", ".join((label, *way)): answers
                    for label, mine in data.by_subject(part)
                    for way, answers in split_by_axes(mine, ways, suite.axes)
                }
                place = (name, str(language))
                yield _build_picture("density", suite, place, lines, densities, suite.headline)
                if part["metrics.tokens"].notna().any():
                    yield _build_picture("density-tokens", suite, place, lines, densities, TOKENS)


def _build_picture(
    kind: str,
    suite: SuiteInfo,
    place: tuple[str, str],
    lines: Mapping[str, pd.DataFrame],
    densities: Densities,
    metric: Metric,
) -> Picture:
    return Picture(
        name="-".join([*place, kind]),
        kind=kind,
        title=f"{metric.title} by density: {', '.join(place)}",
        after=place_density(suite, tokens=metric is TOKENS),
        panels=[
            Panel(
                title=perturbation,
                x="density, share of the places used",
                y=metric.title,
                lines={label: _measure_densities(rows, values, metric) for label, rows in lines.items()},
            )
            for perturbation, values in densities.items()
        ],
        of={"suite": place[0], "language": place[1]},
    )


def _find_densities(values: Sequence[str]) -> Densities:
    """The perturbations that are asked about at two densities or more; density 0 is the reference."""
    densities: dict[str, dict[float, str]] = {}
    for value in values:
        if match := _DENSITY.fullmatch(value):
            densities.setdefault(match["name"], {})[float(match["density"])] = value
        elif any(other.startswith(f"{value}(density=") for other in values):
            densities.setdefault(value, {})[1.0] = value
    several = {name: by_density for name, by_density in densities.items() if len(by_density) > 1}
    if set(UNCHANGED) & set(values):
        several = {name: {0.0: str(find_reference(values)), **by_density} for name, by_density in several.items()}
    return {name: dict(sorted(by_density.items())) for name, by_density in several.items()}


def _measure_densities(rows: pd.DataFrame, values: Mapping[float, str], metric: Metric) -> list[Point]:
    skipped = axis_values(rows, PERTURBATION).isin(list(values.values())) & (rows["outcome"] == "skipped")
    rows = rows[~rows["family"].isin(rows["family"][skipped])]
    return [
        Point.at(density, estimate_metric(select_value(rows, PERTURBATION, value), metric))
        for density, value in values.items()
    ]
