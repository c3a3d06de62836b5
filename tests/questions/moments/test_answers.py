"""Answers to each kind of question: how they are read, and what is none."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Completion
from pytest_codereason.core.answers import Finish, Outcome
from pytest_codereason.questions.moments.answers import Rule, measure_share
from pytest_codereason.registry import language

PYTHON = language("python")
LABELS = tuple(map(str, range(1, 10)))
RULES = {
    "value": Rule(kind="value", expected="[1, 2]", name="run"),
    "visits": Rule(kind="visits", expected="12"),
    "branch": Rule(kind="branch", expected="TTFTFFTFFT"),
    "next": Rule(kind="next", expected="7", labels=LABELS),
    "raise": Rule(kind="raise", expected="4, KeyError", labels=LABELS),
    "writer": Rule(kind="writer", expected="7", labels=LABELS),
    "alias": Rule(kind="alias", expected="yes"),
}


@pytest.mark.parametrize(
    ("kind", "answer", "outcome"),
    [
        ("value", "[1, 2]", "correct"),
        ("value", "[1, 3]", "wrong"),
        ("value", "f(1)", "invalid"),
        ("visits", "12", "correct"),
        ("visits", "`12`.", "correct"),
        ("visits", "13", "wrong"),
        ("visits", "12, 13", "invalid"),
        ("visits", "-12", "invalid"),
        ("visits", "9" * 5000, "invalid"),
        ("branch", "TTFTFFTFFT", "correct"),
        ("branch", "t, t, f, t, f, f, t, f, f, t", "correct"),
        ("branch", "TTFTFFTFFF", "wrong"),
        ("branch", "TTFTFFTFF", "invalid"),
        ("branch", "TTFTFFTFFX", "invalid"),
        ("next", "7", "correct"),
        ("next", "line 07", "correct"),
        ("next", "8", "wrong"),
        ("next", "10", "invalid"),
        ("next", "7-8", "invalid"),
        ("next", "v = 1", "invalid"),
        ("raise", "4, KeyError", "correct"),
        ("raise", "line 4: raises KeyError('x')", "correct"),
        ("raise", "4, builtins.KeyError", "correct"),
        ("raise", "5, KeyError", "wrong"),
        ("raise", "4, LookupError", "wrong"),
        ("raise", "KeyError", "invalid"),
        ("raise", "40, KeyError", "invalid"),
        ("writer", "7", "correct"),
        ("alias", "Yes", "correct"),
        ("alias", "no", "wrong"),
        ("alias", "yes and no", "invalid"),
    ],
)
def test_an_answer_in_tags_is_read_by_its_form(kind: str, answer: str, outcome: Outcome) -> None:
    verdict = RULES[kind].judge(Completion(text=f"So it is.\n[ANSWER]{answer}[/ANSWER]"), PYTHON)
    assert verdict.outcome == outcome
    assert verdict.expected == RULES[kind].expected
    assert verdict.metrics["exact"] == (outcome == "correct")


@pytest.mark.parametrize(
    ("kind", "answer", "share"),
    [
        ("value", "[1, 3]", 0.5),
        ("branch", "TTFTFFTFFF", 0.9),
        ("raise", "5, KeyError", 0.5),
        ("raise", "4, IndexError", 0.5),
        ("visits", "13", 0),
        ("next", "8", 0),
    ],
)
def test_a_part_of_an_answer_may_be_right(kind: str, answer: str, share: float) -> None:
    verdict = RULES[kind].judge(Completion(text=f"[ANSWER]{answer}[/ANSWER]"), PYTHON)
    assert verdict.metrics["partial"] == pytest.approx(share)


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize(
    ("text", "finish", "outcome"),
    [
        ("I do not know that.\nSorry.", "stop", "invalid"),
        ("I go through the run: first", "length", "truncated"),
        ("[ANSWER]", "length", "truncated"),
        ("", "refused", "refused"),
        ("", "too-long", "too-long"),
    ],
)
def test_a_reply_without_an_answer(kind: str, text: str, finish: Finish, outcome: Outcome) -> None:
    verdict = RULES[kind].judge(Completion(text=text, finish=finish), PYTHON)
    assert (verdict.outcome, verdict.metrics["partial"]) == (outcome, 0)


def test_one_object_or_two_are_counted_apart() -> None:
    rule = Rule(kind="alias", expected="no")
    right, wrong = (rule.judge(Completion(text=text), PYTHON).metrics for text in ("no", "yes"))
    assert (right["no_found"], wrong["no_found"]) == (1, 0)
    assert "yes_found" not in {*right, *wrong}


def test_a_share_has_the_parts_of_the_right_answer() -> None:
    assert measure_share("branch", "TTTT", "TTTF") == 0.75
    assert measure_share("next", "7", "7") == 1
