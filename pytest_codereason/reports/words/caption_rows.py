"""The rows and lines of a picture that a caption may be about: never those of scales."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_codereason.core.text.wording import plural
from pytest_codereason.results.pictures import Panel, Picture, Point, Row, read_label
from pytest_codereason.results.values import Cell, Count, Share


def list_rows(picture: Picture) -> Iterable[Row]:
    """The rows of the table, less those of scales."""
    if picture.table is not None:
        for row in picture.table.named_rows():
            if not ("model" in row and picture.leaves_out(read_label(row, "model"))):
                yield row


def group_by_model(picture: Picture) -> dict[str, list[Row]]:
    """The rows of each model, less scales."""
    groups: dict[str, list[Row]] = {}
    for row in list_rows(picture):
        groups.setdefault(read_label(row, "model"), []).append(row)
    return groups


def list_known(picture: Picture) -> list[tuple[Panel, str, list[Point]]]:
    """The panel, the label and the defined points of every line that has any, less those of scales."""
    return [
        (panel, label, known)
        for panel in picture.panels
        for label, points in panel.lines.items()
        if not picture.leaves_out(label) and not sums_up(picture, label)
        if (known := [point for point in points if point.value is not None])
    ]


def sums_up(picture: Picture, label: str) -> bool:
    """Whether a line sums up other lines: the median over models."""
    return label.split(", ", maxsplit=1)[0] == picture.of.get("summary_line")


def read_value(point: Point) -> float:
    """The value of a point; 0 if it is undefined."""
    return point.value or 0.0


def read_count(row: Row, key: str) -> int:
    """The number in a cell of a row; 0 if it holds none."""
    cell = row[key]
    return cell.value if isinstance(cell, Count) else 0


def add_shares(cells: Iterable[Cell]) -> Share:
    """All shares among the cells as one."""
    shares = [cell for cell in cells if isinstance(cell, Share)]
    return Share(sum(share.part for share in shares), sum(share.whole for share in shares))


def count_compared(number: int, noun: str) -> str:
    """``7 changes looked at together``: says over how many a claim is corrected."""
    return f"{plural(number, noun)} looked at together" if number > 1 else f"1 {noun}"
