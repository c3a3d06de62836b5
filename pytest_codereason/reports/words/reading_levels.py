"""The reading levels of models, as summaries show them beside scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_codereason.core import AxisValue
from pytest_codereason.core.text import wording
from pytest_codereason.reports.words.cells import format_cell
from pytest_codereason.results.pictures import Picture, Row, read_label
from pytest_codereason.results.values import MasteredLevel


def format_reading_level(pictures: Sequence[Picture], suite: str, model: str, where: Mapping[str, AxisValue]) -> str:
    """``4 [3, 5]``, or ``3 to 5 in 4 languages``: of a model in the condition of a headline.

    Empty if the suite does not ask at several levels. The figure has the level of each language with its interval.
    """
    rows = [row for row in _list_rows(pictures, suite) if read_label(row, "model") == model and _is_in(row, where)]
    cells = [row["reading_level"] for row in rows]
    if len(cells) < 2:
        return "".join(map(format_cell, cells))
    known = [cell for cell in cells if isinstance(cell, MasteredLevel) and cell.value is not None]
    noun = "language" if len({read_label(row, "language") for row in rows}) == len(rows) else "condition"
    missing = f" ({len(cells) - len(known)} undefined)" if len(known) < len(cells) else ""
    # Without their intervals, which stand in the figure.
    names = [format_cell(cell).partition(" [")[0] for cell in sorted(known, key=lambda cell: cell.value or 0)]
    if not names:
        return format_cell(cells[0])
    among = f"{wording.plural(len(cells), noun)}{missing}"
    return f"{names[0]} in each of {among}" if names[0] == names[-1] else f"{names[0]} to {names[-1]} in {among}"


def _list_rows(pictures: Sequence[Picture], suite: str) -> list[Row]:
    tables = [each.table for each in pictures if each.kind == "reading-level" and each.of.get("suite") == suite]
    return [row for table in tables if table for row in table.named_rows()]


def _is_in(row: Row, where: Mapping[str, AxisValue]) -> bool:
    """Whether a row is of this condition."""
    return all(read_label(row, axis) == str(value) for axis, value in where.items() if axis in row)
