"""Accuracy without a context (Sense and Sensitivity, tables 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from pytest_codereason.analysis.estimates import estimate
from pytest_codereason.analysis.frame import along
from pytest_codereason.figures import Figure, Picture
from pytest_codereason.figures._positions import LENGTHS


class BaselineTable(Figure):
    """A row a model, a column a suite and language that also asks without distractors."""

    order = 10

    def pictures(self, frame: pd.DataFrame, run: Mapping[str, Any]) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        columns = []
        for name, suite in run["suites"].items():
            unit = next((unit for unit in LENGTHS if 0 in suite["axes"].get(unit, ())), None)
            if unit is not None:
                rows = frame[(frame["suite"] == name) & (along(frame, unit) == 0)]
                columns += [
                    (f"{name}, {language}", rows[rows["language"] == language], suite["metrics"][0])
                    for language in suite["axes"]["language"]
                ]
        if not columns:
            return
        yield Picture(
            name="baseline",
            title="Without distractors, % right",
            after="Sense and Sensitivity, tables 1 and 2",
            header=("model", *(title for title, _, _ in columns)),
            rows=[
                (model, *(_cell(rows[rows["model"] == model], metric) for _, rows, metric in columns))
                for model in run["models"]
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
