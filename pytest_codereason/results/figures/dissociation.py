"""Lexical and semantic recall side by side (Sense and Sensitivity, figures 2, 5, 10 and 11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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
from pytest_codereason.results.pictures import Panel, Picture
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.studies.study_places import place_dissociation

LEXICAL = "function-retrieval"


class Dissociation(Figure):
    """The change against the best position, in the longest context that several suites share."""

    order = 30

    def pictures(self, data: RunData) -> Iterator[Picture]:
        groups: dict[tuple[str, str], dict[str, list[Sweep]]] = {}
        for sweep in list_sweeps(data):
            groups.setdefault((sweep.language, sweep.length), {}).setdefault(sweep.suite, []).append(sweep)
        for language in dict.fromkeys(language for language, _ in groups):
            shared = [
                (next(iter(suites.values()))[0].size, length, suites)
                for (of_language, length), suites in groups.items()
                if of_language == language
                and len(suites) > 1
                and any(data.suites[suite].task == LEXICAL for suite in suites)
            ]
            if shared:
                _, length, suites = max(shared, key=lambda each: each[0])
                yield _set_side_by_side(language, length, suites, data)


def _set_side_by_side(language: str, length: str, suites: Mapping[str, list[Sweep]], data: RunData) -> Picture:
    lexical = {suite: data.suites[suite].task == LEXICAL for suite in suites}
    ordered = sorted(suites.items(), key=lambda item: not lexical[item[0]])
    return Picture(
        name=f"dissociation-{language}",
        kind="dissociation",
        title=f"Lexical and semantic recall, {language}, {length}",
        after=place_dissociation(language),
        panels=[
            Panel(
                title=f"{'lexical' if lexical[suite] else 'semantic'}: {suite}",
                x=X_TITLE,
                y=RELATIVE_TITLE,
                percent=True,
                lines={sweep.label: sweep.compare_with_best(data.suites[suite].headline) for sweep in sweeps},
                p=judge_courses(sweeps, data.suites[suite].headline),
                programs=count_programs(sweeps, data.suites[suite].headline),
                chance=_measure_chance(sweeps, data.suites[suite].headline),
            )
            for suite, sweeps in ordered
        ],
        of={
            "suite": ", ".join(suites),
            "language": language,
            "length": length,
            "lines": "cells" if any(sweep.others for sweeps in suites.values() for sweep in sweeps) else "models",
        },
    )


def _measure_chance(sweeps: Sequence[Sweep], metric: Metric) -> dict[str, float]:
    """The mean largest drop of each line, in percent, if the position has no effect."""
    return {
        sweep.label: 100 * float(sweep.draw_chance(metric)[:, 1].mean())
        for sweep in sweeps
        if sweep.find_largest_drop(metric) is not None
    }
