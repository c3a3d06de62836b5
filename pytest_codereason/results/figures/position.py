"""Accuracy by position, for each context length (Sense and Sensitivity, figures 2 and 4 to 11)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from statistics import median

from pytest_codereason.core import Metric
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures._sweeps import (
    RELATIVE_TITLE,
    X_TITLE,
    Sweep,
    count_programs,
    judge_courses,
    list_sweeps,
)
from pytest_codereason.results.pictures import Panel, Picture, Point
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.studies.study_places import place_change, place_course

MEDIAN = "median over models"  #: how the label of a line begins that sums up others


class PositionFigure(Figure):
    """For each suite and language: the headline, its change against the best position, the other metrics."""

    order = 20

    def pictures(self, data: RunData) -> Iterator[Picture]:
        groups: dict[tuple[str, str], list[Sweep]] = {}
        for sweep in list_sweeps(data):
            groups.setdefault((sweep.suite, sweep.language), []).append(sweep)
        for (suite, language), sweeps in groups.items():
            info = data.suites[suite]
            headline, *others = info.metrics
            yield _show_metric(suite, language, sweeps, headline, place_course(info, language, headline))
            yield _show_change(suite, language, sweeps, headline, place_change(info, language), data.scales)
            for metric in others:
                if metric.name in ("partial", "unresolved"):
                    yield _show_metric(suite, language, sweeps, metric, place_course(info, language, metric))


def _group_by_length(sweeps: Sequence[Sweep]) -> dict[str, list[Sweep]]:
    groups: dict[str, list[Sweep]] = {}
    for sweep in sorted(sweeps, key=lambda sweep: sweep.size):
        groups.setdefault(sweep.length, []).append(sweep)
    return groups


def _show_metric(suite: str, language: str, sweeps: Sequence[Sweep], metric: Metric, after: str) -> Picture:
    return Picture(
        name=f"{suite}-{language}-{metric.name}-by-position",
        kind="position",
        title=f"{metric.title} by position: {suite}, {language}",
        after=after,
        panels=[
            Panel(
                title=length,
                x=X_TITLE,
                y=metric.title,
                lines={sweep.label: sweep.measure(metric) for sweep in group},
                p=judge_courses(group, metric),
                programs=count_programs(group, metric),
            )
            for length, group in _group_by_length(sweeps).items()
        ],
        of={"suite": suite, "language": language, "metric": metric.title},
    )


def _show_change(
    suite: str, language: str, sweeps: Sequence[Sweep], metric: Metric, after: str, scales: Collection[str]
) -> Picture:
    panels = []
    for length, group in _group_by_length(sweeps).items():
        lines: dict[str, Sequence[Point]] = {sweep.label: sweep.compare_with_best(metric) for sweep in group}
        for others in dict.fromkeys(sweep.others for sweep in group):
            defined = [
                lines[sweep.label]
                for sweep in group
                if sweep.others == others
                and sweep.model not in scales
                and any(point.value is not None for point in lines[sweep.label])
            ]
            if len(defined) > 1:
                lines[f"{MEDIAN}, {others}" if others else MEDIAN] = _find_median(defined)
        panels.append(
            Panel(
                title=length,
                x=X_TITLE,
                y=RELATIVE_TITLE,
                percent=True,
                lines=lines,
                p=judge_courses(group, metric),
                programs=count_programs(group, metric),
            )
        )
    return Picture(
        name=f"{suite}-{language}-relative-by-position",
        kind="position-change",
        title=f"{metric.title} against the best position: {suite}, {language}",
        after=after,
        panels=panels,
        of={"suite": suite, "language": language, "metric": metric.title, "summary_line": MEDIAN},
        in_terminal=True,
    )


def _find_median(lines: Sequence[Sequence[Point]]) -> list[Point]:
    medians = []
    for points in zip(*lines, strict=True):
        known = [point.value for point in points if point.value is not None]
        medians.append(Point(x=points[0].x, value=median(known) if known else None, n=len(known)))
    return medians
