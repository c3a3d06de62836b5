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
    "visits": Rule(kind="visits", expected="12", line="5"),
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
        ("value", "run = [1, 2]", "correct"),
        ("value", "[1, 2]?", "invalid"),
        ("value", "[1, 2] or [1, 3]", "invalid"),
        ("visits", "12", "correct"),
        ("visits", "`12`.", "correct"),
        ("visits", "13", "wrong"),
        ("visits", "12 times", "correct"),
        ("visits", "Line 5 runs 12 times in all.", "correct"),
        ("visits", "line 4 runs 12 times", "invalid"),
        ("visits", "at least 12", "invalid"),
        ("visits", "12 times or 13 times", "invalid"),
        ("visits", "12?", "invalid"),
        ("visits", "12, 13", "invalid"),
        ("visits", "-12", "invalid"),
        ("visits", "9" * 5000, "invalid"),
        ("branch", "TTFTFFTFFT", "correct"),
        ("branch", "t, t, f, t, f, f, t, f, f, t", "correct"),
        ("branch", "TTFTFFTFFF", "wrong"),
        ("branch", "T-T-F-T-F-F-T-F-F-T", "correct"),
        ("branch", "['T', 'T', 'F', 'T', 'F', 'F', 'T', 'F', 'F', 'T']", "correct"),
        ("branch", "True True False True False False True False False True", "correct"),
        ("branch", "TTFTFFTFFT or TTFTFFTFFF", "invalid"),
        ("branch", "T?FTFFTFFT", "invalid"),
        ("branch", "TTFTFFTFF", "invalid"),
        ("branch", "TTFTFFTFFX", "invalid"),
        ("next", "7", "correct"),
        ("next", "line 07", "correct"),
        ("next", "Line 7 runs next.", "correct"),
        ("next", "L7", "correct"),
        ("next", "not line 7", "invalid"),
        ("next", "line 7 or 8", "invalid"),
        ("next", "8", "wrong"),
        ("next", "10", "invalid"),
        ("next", "7-8", "invalid"),
        ("next", "v = 1", "invalid"),
        ("raise", "4, KeyError", "correct"),
        ("raise", "line 4: raises KeyError('x')", "correct"),
        ("raise", "4, builtins.KeyError", "correct"),
        ("raise", "4, `KeyError`", "correct"),
        ("raise", "(4, 'KeyError')", "correct"),
        ("raise", "Line 4 raises a KeyError.", "correct"),
        ("raise", "line 4, type KeyError", "correct"),
        ("raise", "4, KeyError: 'a' is no key (not here)", "correct"),
        ("raise", "4, KeyError (or IndexError)", "invalid"),
        ("raise", "4, KeyError: 'a', or line 5", "invalid"),
        ("raise", "4 or 5, KeyError", "invalid"),
        ("raise", "4, not KeyError", "invalid"),
        ("raise", "5, KeyError", "wrong"),
        ("raise", "4, LookupError", "wrong"),
        ("raise", "KeyError", "invalid"),
        ("raise", "40, KeyError", "invalid"),
        ("writer", "7", "correct"),
        ("writer", "Line 7 gave run the value.", "correct"),
        ("writer", "line 7 gave it, or line 8", "invalid"),
        ("writer", "line 7 set it, or another did", "invalid"),
        ("alias", "Yes", "correct"),
        ("alias", "Yes, `a` and `b` are the same list.", "correct"),
        ("alias", "Yes - b is a", "correct"),
        ("alias", "No, they are not the same object.", "wrong"),
        ("alias", "Yes, they are different objects.", "invalid"),
        ("alias", "No, they are one object.", "invalid"),
        ("alias", "Yes, but not always", "invalid"),
        ("alias", "Yes?", "invalid"),
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
    ("text", "outcome"),
    [
        ("The value of run is [1, 2].", "correct"),
        ("Before that it is [3].\n\nSo `run` is [1, 2].", "correct"),
        ("run is [1, 3]", "wrong"),
        ("The value of run is not [1, 2].", "invalid"),
        ("run is [1, 2] or [1, 3]", "invalid"),
        ("The value of walk is [1, 2].", "invalid"),
    ],
)
def test_a_sentence_gives_the_value_of_the_variable(text: str, outcome: Outcome) -> None:
    assert RULES["value"].judge(Completion(text=text), PYTHON).outcome == outcome


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
