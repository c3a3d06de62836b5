"""Accuracy without a context (Sense and Sensitivity, tables 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from pytest_codereason.figures import Figure, Picture
from pytest_codereason.figures._positions import LENGTHS
from pytest_codereason.results.frame import along
from pytest_codereason.statistics.estimates import estimate


class BaselineTable(Figure):
    """A row for each suite and language that also asks without distractors, a column for each model."""

    order = 10

    def pictures(self, frame: pd.DataFrame, run: Mapping[str, Any]) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        found = []
        for name, suite in run["suites"].items():
            unit = next((unit for unit in LENGTHS if 0 in suite["axes"].get(unit, ())), None)
            if unit is not None:
                rows = frame[(frame["suite"] == name) & (along(frame, unit) == 0)]
                found += [
                    (f"{name}, {language}", rows[rows["language"] == language], suite["metrics"][0])
                    for language in suite["axes"]["language"]
                ]
        if not found:
            return
        yield Picture(
            name="baseline",
            title="Without distractors, % right",
            after="Sense and Sensitivity, tables 1 and 2",
            header=("suite, language", *run["models"]),
            rows=[
                (title, *(_cell(rows[rows["model"] == model], metric) for model in run["models"]))
                for title, rows, metric in found
            ],
            sentence="What each model gets right where the program stands alone; 95 % intervals in brackets.",
        )


def _cell(rows: pd.DataFrame, metric: Mapping[str, Any]) -> str:
    found = estimate(rows, metric)
    value, low, high = (found[k] for k in ("value", "low", "high"))
    if value is None:
        return "not asked"
    interval = "" if low is None or high is None else f" [{100 * low:.1f}, {100 * high:.1f}]"
    return f"{100 * value:.2f}{interval}"
