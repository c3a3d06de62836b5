"""Two runs of a suite with a curve are compared by how far they read."""

from __future__ import annotations

import json
from typing import Any

from pytest_codereason.reports.comparing.comparison import RunComparison, compare_runs
from pytest_codereason.reports.comparing.json_page import write_json
from pytest_codereason.reports.comparing.text_page import write_text
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run
from tests.results.statistics.readers import Reader
from tests.results.synthetic_curves import CHOSEN, make_models

NEAR, FAR = Reader(8, 2.0), Reader(64, 2.0)


def compare(before: Reader, after: Reader, states: tuple[str, str] = ("int", "int"), **changes: Any) -> RunComparison:
    sides = [
        make_models({"m": {state: reader}}, **changes) for reader, state in zip((before, after), states, strict=True)
    ]
    return compare_runs(
        RunData.build({name: (parse_run(run), rows) for name, (run, rows) in zip(("old", "new"), sides, strict=True)})
    )


def read(comparison: RunComparison) -> str:
    return " ".join(write_text(comparison, 100).split())


def test_a_suite_that_chooses_its_questions_is_compared_by_the_horizon_alone() -> None:
    comparison = compare(NEAR, FAR, adaptive=CHOSEN)
    text = read(comparison)
    assert "B reads " in text
    assert " times as far as A [" in text
    assert " executed steps in A, at " in text
    assert "over 1 cell." in text
    (suite,) = comparison.pairs[0].suites
    assert suite.rows == ()
    horizon = json.loads(write_json(comparison))["pairs"][0]["suites"]["horizon"]["horizon"]
    assert horizon["clear"]
    assert horizon["ratio"]["low"] < 8 < horizon["ratio"]["high"]


def test_equal_models_are_no_clear_difference() -> None:
    assert "No clear difference in how far they read: B reads " in read(compare(NEAR, NEAR, adaptive=CHOSEN))


def test_a_grid_has_its_rows_too() -> None:
    comparison = compare(NEAR, FAR)
    assert "B reads " in read(comparison)
    assert comparison.pairs[0].suites[0].rows


def test_sides_without_a_common_cell_are_not_compared() -> None:
    text = read(compare(NEAR, FAR, ("int", "list"), adaptive=CHOSEN))
    assert "A and B share no cell in which answers say how far they read, so nothing is compared." in text
