"""Right answers about moments, by kind and by numbers of each question."""

from __future__ import annotations

from typing import Any

from pytest_codereason.results.figures.moments import MomentsFigure
from tests.results.figures.rows import Shown, record, run, show

AXES = {"about": ["value", "next"]}
#: The kind, the depth, the visits, and whether the answer is right.
ANSWERS: list[tuple[str, int, int, bool]] = [
    ("value", 0, 4, True),
    ("value", 29, 5, True),
    ("value", 30, 9, False),
    ("value", 5_000, 200, False),
    ("next", 20, 4, False),
    ("next", 999, 31, True),
]


def draw(answers: list[tuple[str, int, int, bool]], **axes: Any) -> list[Shown]:
    rows = []
    for program, (kind, depth, visits, right) in enumerate(answers):
        row = record("s", "m", program, {"about": kind}, right)
        row["metrics"] |= {"depth": float(depth), "visits": float(visits)}
        rows.append(row)
    return list(show(MomentsFigure(), rows, run({"s": ("moment", axes or AXES)}, ["m"])))


def percents(row: Any) -> list[str]:
    return [cell.partition(" ")[0] for cell in row]


def test_each_kind_has_a_row_and_each_part_a_column() -> None:
    depth, visits = draw(ANSWERS)
    assert depth.header == ("model", "kind", "all", "0 to 29", "30 to 99", "100 to 299", "300 to 999", "1000 or more")
    assert [row[1] for row in depth.rows] == ["all", "value", "next"]
    assert percents(depth.rows[0])[2:] == ["50.00", "66.67", "0.00", "not", "100.00", "0.00"]
    assert percents(depth.rows[1])[2:] == ["50.00", "100.00", "0.00", "not", "not", "0.00"]
    assert percents(visits.rows[2])[2:] == ["50.00", "0.00", "not", "not", "100.00", "not"]


def test_one_kind_has_no_row_of_its_own() -> None:
    depth, _ = draw([each for each in ANSWERS if each[0] == "value"], about=["value"])
    assert [row[1] for row in depth.rows] == ["all"]


def test_a_suite_about_anything_else_has_no_such_table() -> None:
    assert not list(show(MomentsFigure(), [record("s", "m", 0, {}, True)], run({"s": ("moment", {})}, ["m"])))
