"""Rows of conditions: mixed and without a simple period."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.moments.kinds.branch import BranchKind, is_varied
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import ask, watch

KIND = BranchKind()
SOURCE = """def f(xs):
    n = 0
    for x in xs:
        if x > 4:
            n += x
        elif x > 2:
            for y in range(x):
                n -= y
        else:
            n = 1
    return n
"""
CALL = "f([5, 1, 3, 9, 9, 0, 3, 5, 2, 7, 1, 3])"


@pytest.mark.parametrize(
    ("row", "varied"),
    [
        ("TTFTFFTFFT", True),
        ("TTTTTTTTFF", False),
        ("FFFFFFTTFF", False),
        ("TFTFTFTFTF", False),
        ("TTFTTFTTFT", False),
        ("TFFTFFTFFT", False),
        ("TTFFTTFFTT", True),
    ],
)
def test_a_row_is_mixed_and_does_not_repeat(row: str, varied: bool) -> None:
    assert is_varied(row) == varied


def test_a_condition_is_true_where_its_block_runs_next(sandbox: Sandbox) -> None:
    run = watch(sandbox, SOURCE, CALL)
    xs = [5, 1, 3, 9, 9, 0, 3, 5, 2, 7, 1, 3]
    rows = {each.visit: each.answer for each in ask(KIND, run, 4)}
    letters = "".join("T" if x > 4 else "F" for x in xs)
    assert rows
    assert rows == {at + 1: letters[at : at + 10] for at in range(3) if is_varied(letters[at : at + 10])}
    place = next(place for place in run.visits if place.line == 6)
    assert run.list_outcomes(place) == [x > 2 for x in xs if x <= 4]


def test_a_condition_that_raises_is_in_no_row(sandbox: Sandbox) -> None:
    source = SOURCE.replace("if x > 4", "if 9 / (x - 3) > 4").replace("    for x in xs:\n", "    for x in xs:\n", 1)
    run = watch(sandbox, source, "f([5, 1, 4, 9, 4, 0, 4, 5, 2, 4, 3])")
    assert run.execution.error == "ZeroDivisionError"
    place = next(place for place in run.visits if place.line == 4)
    assert run.list_outcomes(place)[-1] is None
    assert {each.visit for each in ask(KIND, run, 4)} <= {1}


def test_a_condition_with_its_block_on_one_line_is_not_asked(sandbox: Sandbox) -> None:
    source = "def f(xs):\n    n = 0\n    for x in xs:\n        if x > 4: n += x\n    return n\n"
    assert ask(KIND, watch(sandbox, source, CALL)) == []


def test_a_condition_is_not_asked_whose_exception_the_function_may_catch(sandbox: Sandbox) -> None:
    source = """def f(xs):
    n = 0
    for x in xs:
        try:
            if 9 // x > 1:
                n += 1
        except ZeroDivisionError:
            n = 0
    return n
"""
    call = "f([5, 1, 3, 9, 9, 2, 3, 5, 2, 7, 1, 3, 0])"
    assert ask(KIND, watch(sandbox, source, call)) == []
    plain = """def f(xs):
    n = 0
    for x in xs:
        if 9 // x > 1:
            n += 1
    return n
"""
    assert ask(KIND, watch(sandbox, plain, call.replace(", 0]", "]")))
