"""Lexical and semantic recall side by side (Sense and Sensitivity, figures 2, 5, 10 and 11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

import pandas as pd

from pytest_codereason.figures import Figure, Panel, Picture
from pytest_codereason.figures._positions import Sweep, sweeps

LEXICAL = "function-retrieval"


class Dissociation(Figure):
    """Change against the best position in the longest context that two suites or more have in common."""

    order = 30

    def pictures(self, frame: pd.DataFrame, run: Mapping[str, Any]) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        found: dict[tuple[str, str], dict[str, list[Sweep]]] = {}
        for sweep in sweeps(frame, run):
            found.setdefault((sweep.language, sweep.length), {}).setdefault(sweep.suite, []).append(sweep)
        for language in dict.fromkeys(language for language, _ in found):
            several = [
                (lines[0][0].size, length, by_suite)
                for (of, length), by_suite in found.items()
                if of == language
                and len(by_suite) > 1
                and any(run["suites"][suite]["task"] == LEXICAL for suite in by_suite)
                for lines in [list(by_suite.values())]
            ]
            if several:
                _, length, by_suite = max(several, key=lambda one: one[0])
                yield _side_by_side(language, length, by_suite, run)


def _side_by_side(language: str, length: str, by_suite: Mapping[str, list[Sweep]], run: Mapping[str, Any]) -> Picture:
    ordered = sorted(by_suite.items(), key=lambda item: run["suites"][item[0]]["task"] != LEXICAL)
    panels, clauses, known = [], [], 0
    for suite, lines in ordered:
        metric = run["suites"][suite]["metrics"][0]
        kind = "lexical" if run["suites"][suite]["task"] == LEXICAL else "semantic"
        panels.append(
            Panel(
                title=f"{kind}: {suite}",
                x="position, % of the context before the program",
                y="% change against the best position",
                percent=True,
                lines={s.label: s.relative(metric) for s in lines},
            )
        )
        drops = [drop.value or 0.0 for s in lines if (drop := s.drop(metric)) is not None]
        known += len(drops)
        fall = f"falls by {median(drops):.1f} % at most" if drops else "has no right answer at any position"
        clauses.append(
            f"{kind} recall in {suite} {fall}" + (f" (median of {len(drops)} lines)" if len(drops) > 1 else "")
        )
    said = "; ".join(clauses) if known else "neither lexical nor semantic recall has a right answer at any position"
    return Picture(
        name=f"dissociation-{language}",
        title=f"Lexical and semantic recall, {language}, {length}",
        after="Sense and Sensitivity, figures 2, 5, 10 and 11",
        panels=panels,
        sentence=f"With {length}, {said}.",
    )
