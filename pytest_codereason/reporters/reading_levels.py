"""The reading levels of models, as summaries show them beside scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_codereason.core import AxisValue
from pytest_codereason.reporters.formatting import format_cell
from pytest_codereason.results.axes import WAYS
from pytest_codereason.results.pictures import Picture, Row, read_label
from pytest_codereason.results.values import Estimate


def format_reading_level(pictures: Sequence[Picture], suite: str, model: str, where: Mapping[str, AxisValue]) -> str:
    """``4 [3, 5]``, or ``3 to 5 in 4 languages``: of a model in the condition of a headline.

    Empty if the suite does not ask at several levels. The figure has the level of each language with its interval.
    """
    rows = [row for row in _list_rows(pictures, suite) if read_label(row, "model") == model and _is_in(row, where)]
    cells = {read_label(row, "language"): row["reading_level"] for row in rows}
    if len(cells) < 2:
        return "".join(map(format_cell, cells.values()))
    known = [round(cell.value) for cell in cells.values() if isinstance(cell, Estimate) and cell.value is not None]
    if len(known) < len(cells):
        return ", ".join(f"{format_cell(cell)} in {language}" for language, cell in cells.items())
    low, high = min(known), max(known)
    return f"{low} to {high} in {len(cells)} languages" if low < high else f"{low} in each of {len(cells)} languages"


def _list_rows(pictures: Sequence[Picture], suite: str) -> list[Row]:
    tables = [each.table for each in pictures if each.kind == "reading-level" and each.of.get("suite") == suite]
    return [row for table in tables if table for row in table.named_rows()]


def _is_in(row: Row, where: Mapping[str, AxisValue]) -> bool:
    """Whether a row is of these ways of asking."""
    return all(read_label(row, way) == str(where.get(way)) for way in WAYS if way in row)
