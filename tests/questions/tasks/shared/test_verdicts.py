"""A verdict keeps as much of its texts as a record has room for."""

from __future__ import annotations

from pytest_codereason.questions.tasks.shared.verdicts import MAX_ANSWER, MAX_REASON, make_verdict


def test_long_texts_are_cut() -> None:
    long = "x" * (MAX_ANSWER + 1)
    verdict = make_verdict("wrong", expected=long, answer=long, reason=long, metrics={"exact": 0.0})
    assert (verdict.outcome, verdict.metrics, verdict.expected) == ("wrong", {"exact": 0.0}, long)
    assert (len(verdict.answer or ""), len(verdict.reason)) == (MAX_ANSWER, MAX_REASON)


def test_no_answer_stays_none() -> None:
    assert make_verdict("refused", expected="1", answer=None, reason="", metrics={}).answer is None
