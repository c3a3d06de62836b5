"""Answers that are a value or an exception."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Completion
from pytest_codereason.questions.twins.answers import TwinRule, read_exception
from pytest_codereason.registry import language

PYTHON = language("python")


def make_rule(expected: str, *, returned: bool) -> TwinRule:
    return TwinRule(call="f(3)", program="def f(n):\n    return n\n", returned=returned, expected=expected)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("[ANSWER]raises KeyError[/ANSWER]", "KeyError"),
        ("[ANSWER]`raises KeyError`[/ANSWER]", "KeyError"),
        ("[ANSWER]raises KeyError: 'a'[/ANSWER]", "KeyError"),
        ("[ANSWER]raises a ValueError[/ANSWER]", "ValueError"),
        ("[ANSWER]raises a KeyError exception.[/ANSWER]", "KeyError"),
        ("[ANSWER]throws RangeError[/ANSWER]", "RangeError"),
        ("raises KeyError if it runs, otherwise 3", None),
        ("raises KeyError or ValueError", None),
        ("raises KeyError?", None),
        ("[ANSWER]KeyError: 'a'[/ANSWER]", "KeyError"),
        ("The call raises a `KeyError`.", "KeyError"),
        ("f(3) raises KeyError.", "KeyError"),
        ("The call `f(3)` raises a `KeyError`.", "KeyError"),
        ("It is empty.\n\nThe answer is `raises KeyError`.", "KeyError"),
        ("[ANSWER]raises KeyError, because it is empty[/ANSWER]", "KeyError"),
        ("[ANSWER]raises KeyError (or ValueError)[/ANSWER]", None),
        ("[ANSWER]KeyError: or ValueError[/ANSWER]", None),
        ("[ANSWER]raises KeyError, because it is empty or raises TypeError[/ANSWER]", None),
        ("f(4) raises KeyError", None),
        ("[ANSWER]KeyError('a')[/ANSWER]", "KeyError"),
        ("[ANSWER]KeyError[/ANSWER]", "KeyError"),
        ("raises json.JSONDecodeError", "JSONDecodeError"),
        ("[ANSWER]'KeyError'[/ANSWER] no: [ANSWER]3[/ANSWER]", None),
        ("[ANSWER]['ValueError'][/ANSWER]", None),
        ("[ANSWER]'it raises KeyError'[/ANSWER] [ANSWER]7[/ANSWER]", None),
        ("[ANSWER]None[/ANSWER]", None),
        ("It may raise an error.\nI do not know.", None),
    ],
)
def test_an_exception_is_read(text: str, name: str | None) -> None:
    assert read_exception(Completion(text=text), "f(3)") == name


@pytest.mark.parametrize(
    ("expected", "returned", "reply", "outcome"),
    [
        ("KeyError", False, "[ANSWER]raises KeyError[/ANSWER]", "correct"),
        ("KeyError", False, "[ANSWER]raises LookupError[/ANSWER]", "wrong"),
        ("KeyError", False, "[ANSWER]raises keyerror[/ANSWER]", "wrong"),
        ("KeyError", False, "[ANSWER]3[/ANSWER]", "wrong"),
        ("KeyError", False, "[ANSWER]None[/ANSWER]", "wrong"),
        ("KeyError", False, "I do not know.", "invalid"),
        ("3", True, "[ANSWER]3[/ANSWER]", "correct"),
        ("3", True, "[ANSWER]4[/ANSWER]", "wrong"),
        ("3", True, "[ANSWER]raises KeyError[/ANSWER]", "wrong"),
        ("3", True, "[ANSWER]f(3)[/ANSWER]", "invalid"),
        ("KeyError", False, "[ANSWER]raises KeyError or ValueError[/ANSWER]", "invalid"),
        ("None", True, "[ANSWER]None[/ANSWER]", "correct"),
    ],
)
def test_an_answer_is_judged(expected: str, returned: bool, reply: str, outcome: str) -> None:
    verdict = make_rule(expected, returned=returned).judge(Completion(text=reply), PYTHON)
    assert verdict.outcome == outcome
    assert verdict.metrics["exact"] == (outcome == "correct")
    assert ("value_found" in verdict.metrics) is returned
    assert ("raise_found" in verdict.metrics) is not returned


def test_a_reply_that_was_cut_or_refused() -> None:
    for finish, outcome in (("length", "truncated"), ("refused", "refused"), ("too-long", "too-long")):
        for returned in (True, False):
            completion = Completion(text="It", finish=finish)  # type: ignore[arg-type]
            assert make_rule("3", returned=returned).judge(completion, PYTHON).outcome == outcome
