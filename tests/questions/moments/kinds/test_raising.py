"""Exceptions that can be asked about."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.moments.kinds.raising import RaiseKind
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import ask, watch

KIND = RaiseKind()
SOURCE = """def f(xs, n):
    if n < 0:
        raise ValueError(n)
    a = xs[n]
    b = xs[a]
    if b:
        c = a // b
        if c > 9:
            raise KeyError(c)
    return b
"""


def test_the_line_and_the_type_are_asked(sandbox: Sandbox) -> None:
    [found] = ask(KIND, watch(sandbox, SOURCE + "def g():\n    f([1, 1, 7], 1)\n    return f([1, 1], 5)\n", "g()"))
    assert (found.answer[0].line, found.answer[1]) == (4, "IndexError")
    assert found.excluded["last raise by text"][0].line == 9
    assert found.excluded["last line run by text"][0].line == 13


@pytest.mark.parametrize(
    ("rule", "source", "call"),
    [
        ("it returns", SOURCE, "f([0, 1], 0)"),
        ("the last line that ran by text", SOURCE, "f([9, 1], 0)"),
        ("the last raise by text", SOURCE + "def g():\n    return f([20] + [0] * 19 + [1], 0)\n", "g()"),
        ("fewer than three lines could", "def f(x):\n    return x[1]\ndef g():\n    return f([])\n", "g()"),
        ("a statement over two lines", SOURCE.replace("xs[n]", "xs[\n        n]"), "f([0, 1], 9)"),
    ],
)
def test_a_run_that_breaks_a_rule_is_not_asked(rule: str, source: str, call: str, sandbox: Sandbox) -> None:
    assert ask(KIND, watch(sandbox, source, call)) == []
