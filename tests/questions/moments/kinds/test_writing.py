"""Which line wrote a variable, where more than one could."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.moments.kinds.writing import WriterKind
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import ask, watch

KIND = WriterKind()
SOURCE = """def f(xs):
    v = 0
    for x in xs:
        w = v + x
        if w > 5:
            v = x
        elif w < 2:
            v = 1
    return v
"""


def test_the_last_line_that_wrote_it_is_asked(sandbox: Sandbox) -> None:
    found = ask(KIND, watch(sandbox, SOURCE, "f([1, 3, 9, 0])"), name="v")
    # Line 4 reads what lines 2, 8, 8, 6 wrote.
    assert [(each.place.line, each.visit, each.answer.line) for each in found] == [(4, 2, 8), (4, 3, 8), (4, 4, 6)]
    assert {each.naive.line for each in found} == {8}, "the last one by text"


def test_a_first_value_is_asked_at_later_visits(sandbox: Sandbox) -> None:
    found = ask(KIND, watch(sandbox, SOURCE, "f([3, 4, 2, 9, 1])"), 4, "v")
    # Line 4 reads what lines 2, 2, 2, 2, 6 wrote.
    assert [(each.visit, each.answer.line) for each in found] == [(2, 2), (3, 2), (4, 2), (5, 6)]


def test_what_is_the_same_at_each_visit_is_not_asked(sandbox: Sandbox) -> None:
    assert ask(KIND, watch(sandbox, SOURCE, "f([3, 4, 2, 3, 4])"), name="v") == [], (
        "the value of line 2 stays to the end"
    )
    straight = "def f(xs):\n    for x in xs:\n        v = x\n        v = v + 1\n        w = v\n    return v\n"
    assert ask(KIND, watch(sandbox, straight, "f([1, 3, 9, 0])"), name="v") == [], "the line above always wrote it"
    summed = "def f(xs):\n    v = 0\n    for x in xs:\n        v += x\n    return v\n"
    assert ask(KIND, watch(sandbox, summed, "f([1, 3, 9, 0])"), name="v") == [], "a sum comes from its loop"


def test_each_call_has_its_own_variable(sandbox: Sandbox) -> None:
    source = """def f(n):
    v = n
    if n % 2:
        v = n + 1
    w = 0 if n < 1 else f(n - 1)
    u = v + w
    return u
"""
    found = ask(KIND, watch(sandbox, source, "f(4)"), 6, "v")
    assert [(each.visit, each.answer.line) for each in found] == [(2, 4), (3, 2), (4, 4), (5, 2)]


NESTED = """def f(xs):
    v = 0
    def g():
        nonlocal v
        v = 2
    v = 1
    g()
    w = v
    return w
"""
#: By the rule that it breaks: a program with a variable ``v``.
BROKEN = {
    "one line writes it": SOURCE.replace("v = x", "pass").replace("v = 1", "pass"),
    "the call gave the value": "def f(v):\n    w = v\n    v = w\n    v = 1\n    return w\n",
    "the head of a loop writes it": SOURCE.replace("v + x\n", "v + x\n        for v in xs[2:]:\n            w += 1\n"),
    "two statements on its line": SOURCE.replace("v = x", "v = x; w = 1"),
    "an assignment within an expression": SOURCE.replace("return v", "return v + (v := 1)"),
    "another function writes it": NESTED,
    "a line may be left before it writes": SOURCE.replace(
        "    v = 0\n", "    v = 0\n    try:\n        v = xs[9]\n    except IndexError:\n        pass\n"
    ),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_a_variable_that_breaks_a_rule_is_not_asked(rule: str, sandbox: Sandbox) -> None:
    assert ask(KIND, watch(sandbox, BROKEN[rule], "f([1, 3, 9, 0])"), name="v") == []


def test_a_line_that_only_writes_it_is_not_asked(sandbox: Sandbox) -> None:
    assert {each.place.line for each in ask(KIND, watch(sandbox, SOURCE, "f([1, 3, 9, 0])"), name="v")} == {4}


def test_a_line_that_adds_to_a_variable_is_no_answer_for_itself(sandbox: Sandbox) -> None:
    adding = SOURCE.replace("            v = x\n", "            v = v + 1\n")
    more = adding.replace("            v = 1\n", "            v = 1\n        elif w == 4:\n            v = 2\n")
    call = "f([1, 9, -9, 9, 2, 9])"
    assert [each.answer.line for each in ask(KIND, watch(sandbox, more, call), 6, "v")] == [8, 10]
    assert ask(KIND, watch(sandbox, adding, call), 6, "v") == [], "line 8 is all that is left"
