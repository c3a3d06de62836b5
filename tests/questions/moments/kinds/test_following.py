"""Which line runs next, where a line goes on to more than one."""

from __future__ import annotations

from pytest_codereason.questions.moments.kinds.following import NextKind
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import ask, watch

KIND = NextKind()
SOURCE = """def f(xs):
    n = 0
    for x in xs:
        if x > 4:
            n += x
        else:
            n -= 1
    return n
"""


def test_only_the_rarer_line_is_asked(sandbox: Sandbox) -> None:
    found = ask(KIND, watch(sandbox, SOURCE, "f([1, 2, 9, 1, 8])"))
    assert [(each.place.line, each.visit, each.answer.line, each.naive.line) for each in found] == [
        (4, 3, 5, 5),
        (4, 5, 5, 5),
    ]
    [other] = ask(KIND, watch(sandbox, SOURCE, "f([9, 9, 1])"))
    assert (other.visit, other.answer.line, other.naive.line) == (3, 7, 5)


def test_no_line_is_asked_whose_successors_are_equally_frequent(sandbox: Sandbox) -> None:
    assert ask(KIND, watch(sandbox, SOURCE, "f([9, 9, 1, 1])")) == []


def test_a_line_with_one_successor_is_not_asked(sandbox: Sandbox) -> None:
    assert ask(KIND, watch(sandbox, SOURCE, "f([9, 9, 9])")) == []


def test_the_head_of_a_loop_is_no_answer(sandbox: Sandbox) -> None:
    source = SOURCE.replace("        else:\n            n -= 1\n", "")
    assert [each.answer.line for each in ask(KIND, watch(sandbox, source, "f([9, 9, 1])"))] == []


def test_no_head_of_a_loop_lies_between(sandbox: Sandbox) -> None:
    source = """function f(xs) {
  let n = 0;
  for (const x of xs) {
    if (x > 4) {
      n += x;
    }
  }
  return n;
}
"""
    run = watch(sandbox, source, "f([1, 2, 9, 3])", "javascript")
    after = [run.find_next(event) for event in run.visits[ProgramLine(run.program.entry, 4)]]
    assert [each.line for each in after if each] == [4, 4, 5, 8]
    assert ask(KIND, run) == []  # only line 5 could be the answer, so the text tells


def test_a_condition_that_ends_a_loop_is_asked_where_both_ways_stay_in_it(sandbox: Sandbox) -> None:
    source = SOURCE.replace("        else:\n            n -= 1\n", "        n -= 1\n")
    assert [(each.visit, each.answer.line) for each in ask(KIND, watch(sandbox, source, "f([9, 9, 1])"))] == [(3, 6)]


def test_no_other_function_runs_in_between(sandbox: Sandbox) -> None:
    source = "def g(x):\n    return x > 4\n" + SOURCE.replace("x > 4", "g(x)")
    assert ask(KIND, watch(sandbox, source, "f([1, 2, 9, 1, 8])")) == []
