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
    # Line 4 reads what lines 2, 8, 8, 6 wrote; the return reads what line 6 wrote.
    assert [(each.place.line, each.visit, each.answer.line) for each in found if each.place.line == 4] == [
        (4, 2, 8),
        (4, 3, 8),
        (4, 4, 6),
    ]
    assert {each.naive.line for each in found if each.place.line == 4} == {2}
    assert {each.naive.line for each in found if each.place.line == 9} == {8}


def test_what_only_one_line_can_have_written_is_not_asked(sandbox: Sandbox) -> None:
    found = ask(KIND, watch(sandbox, SOURCE, "f([1, 3, 9, 0])"), 4, "v")
    assert 1 not in {each.visit for each in found}, "line 2 alone has run before the first visit"
    assert ask(KIND, watch(sandbox, SOURCE, "f([3, 4, 2])"), name="v") == [], "the value of line 2 stays to the end"


def test_each_call_has_its_own_variable(sandbox: Sandbox) -> None:
    source = """def f(n):
    v = n
    if n > 0:
        v = n + 1
    w = f(n - 1) if n > 0 else 0
    return v + w
"""
    found = ask(KIND, watch(sandbox, source, "f(2)"), 6, "v")
    assert [each.answer.line for each in found] == [4, 4]


STRAIGHT = """def f(xs):
    v = 0
    for x in xs:
        if x > 2:
            v = x
        v = v + 1
        w = v * 2
        if w > 9:
            w = v
    v = v + 2
    v = v * 2
    return v
"""


def test_a_writer_that_the_text_alone_tells_is_not_asked(sandbox: Sandbox) -> None:
    found = ask(KIND, watch(sandbox, STRAIGHT, "f([1, 3, 9, 0])"), name="v")
    # Lines 7, 9, 11 and 12 read what a line above, in a block around them, has surely written.
    assert {each.place.line for each in found} == {6, 10}
    assert {each.answer.line for each in found if each.place.line == 6} == {5}


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
    assert {each.place.line for each in ask(KIND, watch(sandbox, SOURCE, "f([1, 3, 9, 0])"), name="v")} == {4, 9}


def test_a_line_that_adds_to_a_variable_is_no_answer_for_itself(sandbox: Sandbox) -> None:
    source = SOURCE.replace("            v = x\n", "            v = v + 1\n")
    found = ask(KIND, watch(sandbox, source, "f([1, 3, 9, 9, 9, 0, 9])"), 6, "v")
    assert [each.answer.line for each in found] == [8]
