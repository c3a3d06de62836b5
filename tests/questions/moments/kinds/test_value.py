"""Values that can be asked about, and those that say too little or stand in the text."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.moments.kinds.value import ValueKind
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import ask, watch

KIND = ValueKind()
RUN = """def f(xs):
    best, run = 0, 0
    for x in xs:
        if x > 3:
            run = run + x
        else:
            run = 0
        best = max(best, run)
    return best
"""


def test_the_example_of_the_page(sandbox: Sandbox) -> None:
    run = watch(sandbox, RUN, "f([4, 9, 1, 5, 6, 8, 2])")
    found = {each.visit: each for each in ask(KIND, run, 8, "run")}
    # 4, 5, 0 stand in the call or the text; 19 is returned; 0 is the last visit; 4 the first.
    assert {visit: each.answer for visit, each in found.items()} == {2: 13, 5: 11}
    moment = found[5]
    assert (moment.visits, moment.depth) == (7, 21)
    assert run.moments.lines[moment.depth] == 8
    assert moment.weight == pytest.approx(2.522 * 16, abs=0.1)  # two lines or more change the variable


def test_a_variable_that_assignments_change_is_drawn_more_often(sandbox: Sandbox) -> None:
    body = ("y = n * x", "z = y - 1", "z = z * z", "w = 0")
    source = "def f(n):\n    for x in (n * i for i in range(7, 12)):\n" + "".join(f"        {each}\n" for each in body)
    found = ask(KIND, watch(sandbox, source + "    return 0\n", "f(13)"), 6)
    weights = {each.names: each.weight for each in found}
    assert weights["y",] == pytest.approx(weights["x",] * 4)
    assert weights["z",] == pytest.approx(weights["x",] * 16)


#: A loop whose body is the lines 4 and 5.
LOOP = "def f(n):\n    v = 10\n    for i in range(n):\n        w = 0\n        v = {v}\n    return 0\n"
GROWING = LOOP.format(v="v * 7 + i")
#: By the rule that it breaks and no other: a program with a variable ``v`` at line 4, and its call.
BROKEN = {
    "two values": (LOOP.format(v="17 - v"), "f(5)"),
    "a value of over 200 characters": (LOOP.format(v="v * 10 ** 200 + i"), "f(6)"),
    "how often the line has run": (LOOP.format(v="i + 1 + i % 2"), "f(6)"),
    "no plain data": (LOOP.format(v="{i, str(v)[-9:]}"), "f(6)"),
    "a literal of the text": (LOOP.format(v="31 + i").replace("w = 0", "w = 32, 33, 34, 35, 36"), "f(6)"),
    "a literal of the call": (LOOP.replace("range(n)", "n").format(v="i"), "f([41, 42, 43, 44])"),
    "a literal with an escape": (
        LOOP.format(v="chr(9 + i)").replace("= 0", r"= '\t', '\n', '\x0b', '\f', '\r'"),
        "f(6)",
    ),
    "a number with a sign": (LOOP.format(v="-31 - i").replace("w = 0", "w = -32, -33, -34, -35, -36"), "f(6)"),
    "a letter of the call": (LOOP.replace("i in range(n)", "v in n").replace("        v = {v}\n", ""), "f('qwxyz')"),
    "a letter of the text": (
        LOOP.replace("i in range(n)", "v in 'qwxyz'").replace("        v = {v}\n", ""),
        "f(5)",
    ),
    "a word in a literal": (LOOP.format(v="'ann bob cid dan eve fay'.split()[i]"), "f(6)"),
    "a number in a literal": (LOOP.format(v="int('31;32;33;34;35;36'.split(';')[i])"), "f(6)"),
    "where the program runs": (LOOP.format(v="[__file__ + str(i)]"), "f(6)"),
    "an empty list": (LOOP.format(v="([], '', (), {}, [7], 0)[i]"), "f(6)"),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_a_value_that_breaks_a_rule_is_not_asked(rule: str, sandbox: Sandbox) -> None:
    source, call = BROKEN[rule]
    assert ask(KIND, watch(sandbox, source, call), 4, "v") == []


def test_the_same_variable_is_asked_where_no_rule_is_broken(sandbox: Sandbox) -> None:
    found = ask(KIND, watch(sandbox, GROWING, "f(6)"), 4, "v")
    assert [each.visit for each in found] == [2, 3, 4, 5]  # all but the first and the last


def test_first_last_and_returned_values_are_no_answers(sandbox: Sandbox) -> None:
    source = (
        "def f(n):\n    v, kept = n + n, n\n    for i in range(n):\n        w = i\n        v = (v * 5 + 3) % 17\n"
        "        kept = v if i == 3 else kept\n    return kept\n"
    )
    run = watch(sandbox, source, "f(9)")
    answers = [each.answer for each in ask(KIND, run, 4, "v")]
    [probe] = [number for number in range(len(run.probes)) if run.find_probed(number).line == 4]
    seen = [held.value for held in run.list_held(probe, run.probes[probe].names.index("v")) if held]
    returned = run.execution.value
    assert returned in seen[1:-1]
    assert answers
    assert not {seen[0], seen[-1], returned} & {*answers}


def test_a_variable_of_another_function_is_not_asked(sandbox: Sandbox) -> None:
    source = """def g(q):
    r = q * 7 + 100
    return r
def f(n):
    for i in range(n):
        s = g(i)
    return 0
"""
    run = watch(sandbox, source, "f(7)")
    assert {each.names for each in ask(KIND, run)} <= {("q",), ("r",), ("i",), ("s",), ("n",)}
    assert {each.names for each in ask(KIND, run, 3)} <= {("q",), ("r",)}


def test_a_line_with_two_statements_is_not_asked(sandbox: Sandbox) -> None:
    source = "def f(n):\n    v = 10\n    for i in range(n):\n        w = 0; v = v * 7 + i\n    return 0\n"
    assert ask(KIND, watch(sandbox, source, "f(6)"), 4) == []


def test_the_head_of_a_loop_is_not_asked(sandbox: Sandbox) -> None:
    assert ask(KIND, watch(sandbox, GROWING, "f(6)"), 3) == []
