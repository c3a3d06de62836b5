"""The rows of a figure, taken apart by axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from pytest_codereason.results.frame import along, axis_column


def by_axes(
    rows: pd.DataFrame, axes: Sequence[str], suite: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, ...], pd.DataFrame]]:
    """The rows of each combination of values of ``axes`` that there is, in the suite's order; all where no axis is."""
    parts: list[tuple[tuple[str, ...], pd.DataFrame]] = [((), rows)]
    for axis in axes:
        parts = [
            ((*before, str(value)), some[along(some, axis) == value])
            for before, some in parts
            for value in suite["axes"][axis]
        ]
    yield from (part for part in parts if len(part[1]))


def paired(rows: pd.DataFrame, suite: Mapping[str, Any], *axes: str) -> pd.DataFrame:
    """The rows with a column ``cell``: those with the same one differ in nothing but ``axes``."""
    others = [axis_column(a) for a in suite["axes"] if a not in (*axes, "language") and axis_column(a) in rows]
    cell = ["model", "family", "sample", *others]
    return rows.assign(cell=rows.groupby(cell, observed=True, dropna=False, sort=False).ngroup())
