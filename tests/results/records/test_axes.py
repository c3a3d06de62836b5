"""Axes in records: their columns and values, and what is never pooled."""

from __future__ import annotations

import pandas as pd
import pytest

from pytest_codereason.core import AxisValue
from pytest_codereason.results.records.axes import (
    axis_column,
    axis_values,
    find_reference,
    is_kept_apart,
    list_conditions,
    list_departures,
    select_condition,
    select_value,
    split_by_axes,
)

ROWS = pd.DataFrame({"language": ["python", "php", "php"], "axes.digits": pd.Categorical([2, 2, 4]), "n": [0, 1, 2]})


def test_rows_are_selected_by_the_values_of_axes() -> None:
    assert (axis_column("language"), axis_column("digits")) == ("language", "axes.digits")
    assert list(select_value(ROWS, "digits", 2)["n"]) == [0, 1]
    assert list(select_condition(ROWS, {"digits": 2, "language": "php"})["n"]) == [1]
    assert list(select_condition(ROWS, {})["n"]) == [0, 1, 2]
    assert axis_values(ROWS, "shots").isna().all(), "no record has this axis"
    assert select_value(ROWS, "shots", 0).empty


def test_rows_are_split_in_the_order_of_the_suite_without_empty_parts() -> None:
    axes: dict[str, list[AxisValue]] = {"language": ["php", "python"], "digits": [4, 2, 3]}
    parts = list(split_by_axes(ROWS, ["language", "digits"], axes))
    assert [(names, list(part["n"])) for names, part in parts] == [
        (("php", "4"), [2]),
        (("php", "2"), [1]),
        (("python", "2"), [0]),
    ]
    ((none, whole),) = split_by_axes(ROWS, [], axes)
    assert (none, len(whole)) == ((), 3)
    assert list(split_by_axes(ROWS[:0], [], axes)) == []


@pytest.mark.parametrize(
    ("values", "reference"),
    [(["comments", "vanilla"], "vanilla"), (["remove", "none"], "none"), (["none", "vanilla"], "vanilla"), ([4, 2], 4)],
)
def test_the_reference_is_what_changes_nothing_else_the_first(values: list[AxisValue], reference: AxisValue) -> None:
    assert find_reference(values) == reference


def test_conditions_keep_ways_apart_and_departures_at_their_plain_form() -> None:
    axes: dict[str, list[AxisValue]] = {
        "language": ["python", "php"],
        "perturbation": ["comments", "vanilla"],
        "prompting": ["direct", "cot"],
        "defence": ["none"],
        "digits": [2, 4],
    }
    plain = [{"perturbation": "vanilla", "prompting": way} for way in ("direct", "cot")]
    assert list_conditions(axes) == plain
    assert list_conditions(axes, "prompting") == [{"perturbation": "vanilla"}]
    assert list_conditions(axes, "perturbation") == [{"prompting": "direct"}, {"prompting": "cot"}]
    assert list_conditions(axes, "digits", pools=("perturbation", "prompting")) == [{}]
    assert list_conditions({"digits": [2, 4]}) == [{}]


def test_ways_and_departures_are_kept_apart() -> None:
    names = ("perturbation", "defence", "prompting", "reasoning_effort", "digits", "language")
    assert [is_kept_apart(name) for name in names] == [True, True, True, True, False, False]
    assert list_departures(names) == ["perturbation", "defence"]
