"""What becomes of an item, by the records of its samples, and what they add up to."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_codereason.core import Outcome, Record, RecordStep
from pytest_codereason.engine.tallies import judge_item, sum_up


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


def test_a_tally_counts_what_was_given_in_this_run_apart_from_what_came_from_the_store() -> None:
    usage = {"prompt": 100, "completion": 20}
    stored = make_record("correct", reused=True, usage=usage, steps=[RecordStep(answered_at=60.0)])
    fresh = make_record("wrong", 1, usage=usage, cost=0.25, texts_reused={"hint": 40.0})
    again = make_record("wrong", 1, usage=usage, cost=0.25, repeat=1)
    broken = make_record("error", 2, reason="r", traceback="t")
    tally = sum_up([stored, fresh, again, broken]).tally
    assert (tally.scored, tally.correct, tally.errors) == (2, 1, 1), "an answer asked once more is in no score"
    assert (tally.answered, tally.tokens, tally.cost) == (2, 240, 0.5)
    assert (tally.oldest, tally.oldest_text) == (60.0, 40.0)
    assert tally.tracebacks == (("r", "t"),)
    assert (tally.right, tally.is_asked) == (0.25, True)
    assert sum_up([fresh, make_record("correct", cost=None)]).tally.cost is None, "one price is unknown"
    assert not sum_up([make_record("skipped")]).tally.is_asked


def test_the_lines_of_an_answer_are_its_records() -> None:
    records = [make_record("correct", response="é"), make_record("wrong", 1)]
    assert [json.loads(line) for line in sum_up(records).lines.splitlines()] == [each.row() for each in records]
