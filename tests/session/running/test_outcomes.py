"""What becomes of an item, by the records of its samples."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core import Outcome, Record
from pytest_codereason.session.running.outcomes import judge_item


def make_record(outcome: Outcome, sample: int = 0, **more: Any) -> Record:
    about: dict[str, Any] = {"id": "python/0", "family": "0", "suite": "s", "task": "t", "language": "python"}
    return Record(**about, axes={}, model="m", sample=sample, outcome=outcome, **more)


RIGHT, WRONG = make_record("correct", expected="3", answer="3"), make_record("wrong", expected="3", answer="4")


@pytest.mark.parametrize(
    ("records", "outcome", "line"),
    [
        ([RIGHT], "correct", ""),
        ([RIGHT, RIGHT], "correct", ""),
        ([WRONG], "miss", "expected 3, got 4"),
        ([RIGHT, WRONG, RIGHT], "miss", "2 of 3 samples right; expected 3, got 4"),
        ([make_record("invalid", expected="3")], "miss", "invalid: expected 3, got no answer"),
        (
            [make_record("invalid", expected="3", answer="x", reason="no list")],
            "miss",
            "invalid: expected 3, got x (no list)",
        ),
        ([make_record("truncated", expected="3")], "miss", "truncated: expected 3, got no answer"),
        ([make_record("skipped", reason="no such line")], "skipped", "no such line"),
        ([WRONG, make_record("error", reason="refused")], "error", "refused"),
        ([make_record("skipped", reason="none"), make_record("error", reason="refused")], "error", "refused"),
    ],
)
def test_one_sample_that_is_not_right_decides(records: list[Record], outcome: str, line: str) -> None:
    assert judge_item(records) == (outcome, line)


@pytest.mark.parametrize("again", [RIGHT, WRONG, make_record("invalid")])
def test_an_answer_asked_once_more_is_no_miss_and_no_sample(again: Record) -> None:
    repeated = make_record(again.outcome, repeat=1, answer=again.answer)
    assert judge_item([RIGHT, repeated]) == ("correct", "")
    assert judge_item([WRONG, repeated]) == ("miss", "expected 3, got 4")


def test_an_answer_that_is_missing_the_second_time_is_an_error() -> None:
    assert judge_item([RIGHT, make_record("error", repeat=1, reason="refused")]) == ("error", "refused")


def test_long_answers_and_reasons_are_clipped() -> None:
    outcome, line = judge_item([make_record("invalid", expected="1" * 999, answer="2" * 999, reason="3" * 999)])
    assert outcome == "miss"
    assert len(line) < 400
    assert 200 < len(judge_item([make_record("error", reason="x" * 999)])[1]) <= 301
