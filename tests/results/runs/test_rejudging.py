"""Replies that are read once more: how many, of which suites, and what becomes of a reply that nobody can read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core.reading import GIVEN_UP
from pytest_codereason.results.runs.rejudging import Rejudge
from pytest_codereason.results.runs.run_info import read_run
from tests.stored import change_rows, change_run, copy_small


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return copy_small(tmp_path / "run")


def judge(run: Path, seconds: float = 60.0) -> tuple[int, int, tuple[str, ...]]:
    rejudged = Rejudge(read_run(run)).judge(run / "records.jsonl", seconds)
    return rejudged.seen, rejudged.records, rejudged.contradictions


@pytest.mark.slow
def test_every_reply_is_read_while_there_is_time(run: Path) -> None:
    assert judge(run) == (12, 12, ())
    assert judge(run, 0) == (0, 12, ())


@pytest.mark.parametrize("change", [{"task": "mine:Task"}, {"task": "os:path"}, {"task_version": 1}])
def test_a_task_that_is_not_here_judges_nothing_again(run: Path, change: dict[str, Any]) -> None:
    """Least of all is a module imported that a run names."""
    change_run(run, lambda content: content["suites"]["small"].update(change))
    change_rows(run, lambda rows: [row | {"outcome": "correct"} for row in rows])
    assert judge(run) == (12, 12, ())
    assert Rejudge(read_run(run)).unread == ("small",)


def test_records_of_one_question_expect_the_same(run: Path) -> None:
    """Somebody makes a wrong answer right by what is expected, and forgets that others answered the question too."""

    def swap(rows: list[dict[str, Any]]) -> None:
        row = next(row for row in rows if row["outcome"] == "wrong" and row["answer"])
        right = next(row for row in rows if row["outcome"] == "correct")
        row |= {"expected": row["answer"], "outcome": "correct", "reason": "", "metrics": right["metrics"]}

    change_rows(run, swap)
    found = [text for text in judge(run)[2] if "expected is" in text]
    assert found
    assert all(text.endswith("of the question") for text in found)


def test_what_a_record_lacks_is_named(run: Path) -> None:
    change_rows(run, lambda rows: [row for row in rows if row.pop("grounds")])
    assert "the task cannot judge it again: it lacks 'program'" in judge(run)[2][0]


def test_all_wrong_verdicts_are_found_and_the_first_ten_named(run: Path) -> None:
    change_rows(run, lambda rows: [row | {"answer": "[]"} for row in rows])
    contradictions = judge(run)[2]
    assert [text.partition(" ")[0] for text in contradictions] == [f"records.jsonl:{number}" for number in range(1, 11)]


@pytest.mark.parametrize("reason", GIVEN_UP)
def test_a_reply_that_took_too_long_may_be_read_on_another_machine(run: Path, reason: str) -> None:
    """The record has no answer then. It never has a right one for this reason."""

    def give_up(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            row |= {"reason": f"no Python literal: {reason}", "answer": "", "outcome": "invalid"}

    change_rows(run, give_up)
    assert judge(run)[2] == ()
    change_rows(run, lambda rows: [row | {"outcome": "correct"} for row in rows])
    assert len(judge(run)[2]) == 10


def test_errors_and_damaged_lines_are_no_answers(run: Path) -> None:
    change_rows(run, lambda rows: [row | {"outcome": "error", "metrics": {}, "steps": []} for row in rows])
    with (run / "records.jsonl").open("ab") as out:
        out.write(b'{"suite": []}\n{"suite": "small", "language": {}, "outcome": "correct"}\n\xff\n')
    assert judge(run) == (15, 15, ())
