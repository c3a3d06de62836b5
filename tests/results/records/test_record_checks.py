"""Records that their run cannot have: of another plan, and with numbers beyond those of their metric."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.results.runs.run_data import RunData
from tests.results.synthetic import METRICS, make_row, make_run, write_run

F1 = {
    "name": "f1",
    "of": ["correct", "wrong"],
    "binary": False,
    "higher_is_better": True,
    "ratio": {"part": {"tp": 2}, "whole": {"tp": 2, "fp": 1, "fn": 1}},
}
DISTANCE = {"name": "distance", "of": ["correct", "wrong"], "binary": False, "higher_is_better": False}


def read(folder: Path, *rows: dict[str, Any], **changes: Any) -> RunData:
    run = make_run(models=["m"])
    run["suites"]["semtrace"] |= {"metrics": [*METRICS, F1, DISTANCE], **changes}
    return RunData.read(write_run(folder, run, iter(rows)).parent)


def test_records_of_another_run_are_left_out(tmp_path: Path) -> None:
    """The file of a run with another seed was copied into the folder: the ids are equal, the programs are not."""
    data = read(tmp_path, make_row(plan="p"), make_row(plan="q", id="1"), make_row(plan="", id="2"), plan="p")
    assert len(data.records) == 2
    assert data.damaged.lines == ("records.jsonl:2: the record is of another plan of semtrace, so of another run",)


def test_a_record_that_is_there_twice_is_told(tmp_path: Path) -> None:
    """Somebody has put two runs into one file: the later answer counts, and nobody overlooks the earlier one."""
    wrong = make_row(outcome="wrong", metrics={"exact": 0.0})
    data = read(tmp_path, wrong, make_row(), make_row(id="1"), wrong | {"repeat": 1})
    assert list(data.records["outcome"]) == ["correct", "correct"]
    assert data.damaged.count == 1
    assert data.damaged.lines == ("1 record of answers that are recorded again further down",)


@pytest.mark.parametrize(
    "given", [{"metrics": {"exact": 0.0}}, {"answer": "[1]"}, {"response": "[1]"}, {"steps": [{"response": ""}]}]
)
def test_an_answer_to_a_skipped_question_is_in_no_figure(tmp_path: Path, given: dict[str, Any]) -> None:
    """Somebody has changed the outcome from ``wrong`` to ``skipped``, so that the answer would leave every score."""
    skipped = make_row(outcome="skipped", metrics={}, answer=None, response=None, steps=[])
    data = read(tmp_path, skipped, skipped | given | {"id": "1"})
    assert len(data.records) == 1
    said = f"1 is recorded as skipped, but it has an answer ({', '.join(given)})"
    assert data.damaged.lines == (f"records.jsonl:2: {said}",)


@pytest.mark.parametrize("sample", [0.5, -1, "a", "0.5", json.loads("NaN")])
def test_a_sample_that_is_no_whole_number_is_no_record(tmp_path: Path, sample: Any) -> None:
    data = read(tmp_path, make_row(sample=sample), make_row(sample=1))
    assert (len(data.records), data.damaged.count) == (1, 1)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ({"exact": 2.0}, "exact is 2.0, and not from 0 to 1"),
        ({"exact": -1}, "exact is -1, and not from 0 to 1"),
        ({"exact": json.loads("NaN")}, "exact is nan, and not from 0 to 1"),
        ({"unresolved": json.loads("Infinity")}, "unresolved is inf, and not from 0 to 1"),
        ({"tp": -3}, "tp is -3, and not from 0 up"),
        ({"fn": json.loads("1e999")}, "fn is inf, and not from 0 up"),
    ],
)
def test_a_number_that_its_metric_cannot_have_is_in_no_figure(
    tmp_path: Path, number: dict[str, float], said: str
) -> None:
    data = read(tmp_path, make_row(metrics=number))
    assert data.records.empty
    assert data.damaged.lines == (f"records.jsonl:1: the number {said}",)


@pytest.mark.parametrize(
    "number", [{"exact": None}, {"exact": 1}, {"distance": 40}, {"tp": 7, "fp": 0}, {"own": -2}, {}]
)
def test_other_numbers_count(tmp_path: Path, number: dict[str, float]) -> None:
    assert len(read(tmp_path, make_row(metrics=number)).records) == 1
