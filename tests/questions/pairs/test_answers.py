"""What a reply about a pair says, and what it scores."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Completion
from pytest_codereason.questions.pairs.answers import PairRule, ReadAnswer
from pytest_codereason.registry import language

PYTHON = language("python")


def make_rule(*, equal: bool) -> PairRule:
    return PairRule(equal=equal, functions=("f", "g"), recorded="[4, 1], 3", expected="")


def read(text: str) -> ReadAnswer:
    return make_rule(equal=True).read(Completion(text=text), PYTHON)


@pytest.mark.parametrize(
    ("text", "says", "witness"),
    [
        ("[ANSWER]EQUAL[/ANSWER]", "EQUAL", ""),
        ("**EQUAL**", "EQUAL", ""),
        ("equal.", "EQUAL", ""),
        ("[ANSWER]DIFFERENT f([3], 1)[/ANSWER]", "DIFFERENT", "[3], 1"),
        ("[ANSWER]DIFFERENT: g([3], 1)[/ANSWER]", "DIFFERENT", "[3], 1"),
        ("[ANSWER]DIFFERENT [3], 1[/ANSWER]", "DIFFERENT", "[3], 1"),
        ("[ANSWER]DIFFERENT\n`f([3], 1)`[/ANSWER]", "DIFFERENT", "[3], 1"),
        ("They are EQUAL.", "EQUAL", ""),
        ("Both add the numbers.\n\n**Answer: EQUAL**", "EQUAL", ""),
        ("The two programs are DIFFERENT: f([3], 1)", "DIFFERENT", "[3], 1"),
        ("[ANSWER]**DIFFERENT** f([3], 1)[/ANSWER]", "DIFFERENT", "[3], 1"),
        ("[ANSWER]DIFFERENT f([3], 1) (A returns 3, B returns 0)[/ANSWER]", "DIFFERENT", "[3], 1"),
        ("[ANSWER]DIFFERENT f([3], 1): f([3], 1) gives 3, g([3], 1) gives 0[/ANSWER]", "DIFFERENT", "[3], 1"),
        ("[ANSWER]EQUAL[/ANSWER] No: [ANSWER]DIFFERENT f([], 10)[/ANSWER]", "DIFFERENT", "[], 10"),
    ],
)
def test_an_answer_is_read(text: str, says: str, witness: str) -> None:
    answer = read(text)
    assert (answer.says, answer.witness, answer.complaint) == (says, witness, "")


@pytest.mark.parametrize(
    ("text", "says", "complaint"),
    [
        ("[ANSWER]maybe[/ANSWER]", "", "neither EQUAL nor DIFFERENT"),
        ("[ANSWER]NOT EQUAL[/ANSWER]", "", "neither EQUAL nor DIFFERENT"),
        ("[ANSWER]EQUAL DIFFERENT f([3], 1)[/ANSWER]", "", "something stands behind EQUAL"),
        ("EQUAL?", "", "something stands behind EQUAL"),
        ("[ANSWER]DIFFERENT or EQUAL[/ANSWER]", "", "both DIFFERENT and EQUAL"),
        ("They are not EQUAL.", "", "neither EQUAL nor DIFFERENT"),
        ("The answer is not EQUAL.", "", "neither EQUAL nor DIFFERENT"),
        ("[ANSWER]DIFFERENT f([3], 1), f([4], 2)[/ANSWER]", "DIFFERENT", "something else than one call"),
        ("[ANSWER]DIFFERENT f([3], 1) or else EQUAL[/ANSWER]", "DIFFERENT", "something else than one call"),
        ("[ANSWER]DIFFERENT, maybe f([3], 1)[/ANSWER]", "DIFFERENT", "something else than one call"),
        ("[ANSWER]DIFFERENT f([3], 1)?[/ANSWER]", "DIFFERENT", "something else than one call"),
        ("[ANSWER]DIFFERENT[/ANSWER]", "DIFFERENT", "no call for which they differ"),
        ("[ANSWER]DIFFERENT f([11], 1)[/ANSWER]", "DIFFERENT", "the call is outside of the domain"),
        ("[ANSWER]DIFFERENT f([3], -1)[/ANSWER]", "DIFFERENT", "the call is outside of the domain"),
        ("[ANSWER]DIFFERENT f([3])[/ANSWER]", "DIFFERENT", "the call is outside of the domain"),
        ("[ANSWER]DIFFERENT f([3], n=1)[/ANSWER]", "DIFFERENT", "an argument of the call names a parameter"),
        ("[ANSWER]DIFFERENT f([3], __import__('os').getpid())[/ANSWER]", "DIFFERENT", "no call with literals"),
        ("[ANSWER]DIFFERENT f(xs, n)[/ANSWER]", "DIFFERENT", "no call with literals"),
        ("I do not know\nwhat they do", "", "no answer found"),
        ("", "", "no answer found"),
    ],
)
def test_another_answer_is_invalid(text: str, says: str, complaint: str) -> None:
    answer = read(text)
    assert answer.says == says
    assert answer.complaint.startswith(complaint)
    for equal in (True, False):
        verdict = make_rule(equal=equal).judge(answer, None)
        assert (verdict.outcome, verdict.metrics["exact"], verdict.metrics["false_witness"]) == ("invalid", 0, 0)
        assert verdict.metrics["verdict"] == (says == "DIFFERENT" and not equal)


def test_a_reply_that_was_cut_or_refused() -> None:
    rule = make_rule(equal=True)
    for finish, outcome in (("length", "truncated"), ("refused", "refused"), ("too-long", "too-long")):
        answer = rule.read(Completion(text="They", finish=finish), PYTHON)  # type: ignore[arg-type]
        verdict = rule.judge(answer, None)
        assert (verdict.outcome, verdict.metrics["exact"]) == (outcome, 0)


@pytest.mark.parametrize(
    ("equal", "text", "separates", "outcome", "metrics"),
    [
        (True, "EQUAL", None, "correct", {"exact": 1, "verdict": 1, "false_witness": 0}),
        (False, "EQUAL", None, "wrong", {"exact": 0, "verdict": 0, "false_witness": 0, "witness": 0}),
        (False, "DIFFERENT f([3], 1)", True, "correct", {"exact": 1, "verdict": 1, "false_witness": 0, "witness": 1}),
        (False, "DIFFERENT f([3], 1)", False, "wrong", {"exact": 0, "verdict": 1, "false_witness": 1, "witness": 0}),
        (True, "DIFFERENT f([3], 1)", False, "wrong", {"exact": 0, "verdict": 0, "false_witness": 1}),
        (False, "DIFFERENT f([3], 1)", "never ended", "wrong", {"exact": 0, "verdict": 1, "false_witness": 1}),
    ],
)
def test_a_witness_counts_by_what_it_shows(
    equal: bool, text: str, separates: bool | str | None, outcome: str, metrics: dict[str, float]
) -> None:
    verdict = make_rule(equal=equal).judge(read(text), separates)
    assert verdict.outcome == outcome
    assert verdict.metrics.items() >= metrics.items()
    assert ("witness" in verdict.metrics) is not equal
