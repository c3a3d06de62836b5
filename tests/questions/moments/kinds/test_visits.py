"""How often a line runs: asked where no length, literal or loop gives it away."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.moments.kinds.visits import VisitsKind
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import ask, watch

KIND = VisitsKind()
COUNT = """def f(xs):
    n = 0
    for x in xs:
        if x % 2:
            n = n + x
    return n
"""


def test_a_line_in_a_branch_is_asked(sandbox: Sandbox) -> None:
    [found] = ask(KIND, watch(sandbox, COUNT, "f([1, 3, 8, 6, 5, 9, 12])"))
    assert (found.place.line, found.answer, found.visits) == (5, 4, 4)


@pytest.mark.parametrize(
    ("rule", "source", "call"),
    [
        ("once", COUNT, "f([3, 8, 6, 12])"),
        ("more than thirty times", COUNT, "f([" + "1, " * 31 + "8])"),
        ("a literal of the call", COUNT, "f([1, 3, 8, 6, 5, 9, 4])"),
        ("a literal of the text", COUNT.replace("n = 0", "n = 4"), "f([1, 3, 8, 6, 5, 9, 12])"),
        ("the length of an argument", COUNT.replace("f(xs)", "f(xs, ys)"), "f([1, 3, 8, 6, 5, 9, 12], 'abcd')"),
        ("the rounds of its loop", COUNT.replace("x % 2", "x >= n"), "f({50: 0, 60: 0, 200: 0, 900: 0}.keys())"),
    ],
)
def test_a_number_that_breaks_a_rule_is_not_asked(rule: str, source: str, call: str, sandbox: Sandbox) -> None:
    assert ask(KIND, watch(sandbox, source, call), 5) == []


def test_a_line_outside_of_loops_and_branches_is_not_asked(sandbox: Sandbox) -> None:
    source = "def g(x):\n    y = x\n    return y\ndef f(xs):\n    return [g(x) for x in xs if x > 2]\n"
    assert ask(KIND, watch(sandbox, source, "f([7, 8, 1, 0, 9])")) == []


def test_a_loop_without_a_body_is_not_asked(sandbox: Sandbox) -> None:
    source = "function f(n) {\n    if (n > 0) {\n        while (n-- > 5);\n        f(n - 3);\n    }\n}\n"
    found = ask(KIND, watch(sandbox, source, "f(90)", "javascript"))
    assert {each.place.line for each in found} == {4}


def test_the_rounds_of_a_loop_that_begins_with_a_try_are_not_asked(sandbox: Sandbox) -> None:
    source = """class Problem {
    static int f(String text) {
        int n = 0;
        for (String word : text.split(" ")) {
            try {
                n += Integer.parseInt(word);
            } catch (NumberFormatException error) {
                n--;
            }
        }
        return n;
    }
}
"""
    found = ask(KIND, watch(sandbox, source, 'Problem.f("1 a 7 b c")', "java"))
    assert [(each.place.line, each.answer) for each in found] == [(8, 3)]


def test_a_line_that_runs_often_is_more_likely_drawn(sandbox: Sandbox) -> None:
    source = COUNT.replace("    return n\n", "        else:\n            n = n - x\n    return n\n")
    found = ask(KIND, watch(sandbox, source, "f([7, 9, 8, 6, 19, 12, 10, 14])"))
    assert [(each.answer, each.weight) for each in found] == [(3, 81), (5, 625)]
