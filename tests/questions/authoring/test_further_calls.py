"""A change is checked on further calls than the program's own, in one run."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext

import pytest

from pytest_codereason.core import Facts, Fault, Program
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.engine.building.fact_checking import TURNS, FactChecker
from pytest_codereason.errors import Skip
from pytest_codereason.questions.authoring.further_calls import MOST, evaluate, find_difference, list_further_calls
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.engine.instances import make_instance

#: A program whose own call returns early, the same with a fault behind that, with an error of another type, and with
#: another text of the error.
EARLY = {
    "python": ("def f(n):\n    if n > 5:\n        {}\n    return n\n", "f(2)"),
    "javascript": ("function f(n) {{ if (n > 5) {{ {} }} return n; }}\n", "f(2)"),
    "php": ("<?php function f($n) {{ if ($n > 5) {{ {} }} return $n; }}\n", "f(2)"),
    "java": ("class Main {{ static int f(int n) {{ if (n > 5) {{ {} }} return n; }} }}\n", "Main.f(2)"),
}
BODIES = {
    "python": ("return n * 2", "return n * 3", "raise ValueError('a')", "raise KeyError('a')", "raise ValueError('b')"),
    "javascript": ("return n * 2", "return n * 3", "throw new TypeError('a')", "throw new Error('a')", "null.x"),
    "php": (
        "return $n * 2;",
        "return $n * 3;",
        "throw new LogicException('a');",
        "throw new Exception('a');",
        "throw new LogicException('b');",
    ),
    "java": (
        "return n * 2;",
        "return n * 3;",
        'throw new IllegalStateException("a");',
        'throw new RuntimeException("a");',
        'throw new IllegalStateException("b");',
    ),
}


def make_program(name: str, body: str, facts: Facts = Facts(output=2)) -> Program:
    source, call = EARLY[name]
    return Program.from_source(language=name, source=source.format(body), call=call, facts=facts)


class Counted:
    """A sandbox that counts its runs."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox, self.count = sandbox, 0

    async def run(self, job: Run) -> Execution:
        self.count += 1
        return self.sandbox.run(job)


@pytest.fixture
def counted(sandbox: Sandbox) -> Counted:
    return Counted(sandbox)


@pytest.mark.slow
@pytest.mark.parametrize("name", EARLY)
def test_a_change_that_the_own_call_does_not_reach_is_refuted(name: str, counted: Counted) -> None:
    value, other, error, kind, text = (make_program(name, body) for body in BODIES[name])
    check = FactChecker(counted.run).check_perturbed
    checked = asyncio.run(check(make_instance(value, value)))
    assert (checked.calls, counted.count) == (1 + MOST, 2), "a run for each program, whatever the number of calls"
    for right, wrong, words in (
        (value, other, "returns something else"),
        (error, kind, "raises"),
        (value, error, "raises"),
    ):
        with pytest.raises(Skip, match=rf"^the perturbed program {words}.* for .*\(.*\): the reference does not$"):
            asyncio.run(check(make_instance(right, wrong)))
    assert asyncio.run(check(make_instance(error, text))).calls == 1 + MOST, "only the type of an error counts"


def test_the_calls_are_the_same_each_time_and_have_as_many_arguments() -> None:
    program = Program.from_source(language="python", source="def f(n, s='x'):\n    return n > 40\n", call="f(2, 'ab')")
    renamed = Program.from_source(language="python", source=program.source, call="g(2, 'ab')")
    calls, others = list_further_calls(program, renamed)
    assert len(calls) == MOST == len({*calls})
    assert others == [f"g{call[1:]}" for call in calls]
    assert all(len(language("python").values.read(f"[{call[2:-1]}]").value) == 2 for call in calls)
    assert any("40" in call or "41" in call or "39" in call for call in calls), "what the program names"


def test_no_calls_where_an_argument_is_renamed_and_for_scripts() -> None:
    program = Program.from_source(language="python", source="def f(n):\n    return n\n", call="f(n=2)")
    renamed = Program.from_source(language="python", source="def f(m):\n    return m\n", call="f(m=2)")
    script = Program.from_source(language="python", source="print(1)\n")
    assert list_further_calls(program, renamed) == ([], []) == list_further_calls(script, script)
    assert list_further_calls(program, program)[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "changed", "calls"),
    [
        ("return f(n)", "raise RecursionError", 1 + MOST),  # left out: below
        ("import random\n        return random.random()", "return 1", 1 + MOST),
        ("while n:\n            pass", "while n:\n            pass", 1),
        ("return open", "return open", 1),
    ],
    ids=["too-deep", "unsteady", "endless", "no-literal"],
)
def test_what_says_nothing_is_left_out(body: str, changed: str, calls: int, counted: Counted) -> None:
    right, wrong = make_program("python", body), make_program("python", changed)
    checked = asyncio.run(FactChecker(counted.run).check_perturbed(make_instance(right, wrong)))
    assert 1 <= checked.calls <= calls
    assert checked.calls < 1 + MOST, "those above 5 are left out"


@pytest.mark.parametrize(("turn", "refuted"), [(TURNS, False), (TURNS + 1, True)])
def test_a_reference_that_seldom_differs_refutes_no_change(turn: int, refuted: bool, counted: Counted) -> None:
    """In one of its runs, each of which has another hash seed, the reference returns what the changed program does."""
    right = make_program("python", f"import os\n        return int(os.environ.get('PYTHONHASHSEED') == '{turn}')")
    check = FactChecker(counted.run).check_perturbed(make_instance(right, make_program("python", "return 1")))
    with pytest.raises(Skip, match="returns something else for f") if refuted else nullcontext():
        assert asyncio.run(check).calls < 1 + MOST
    assert counted.count == 2 + TURNS


@pytest.mark.slow
def test_a_reference_without_ends_is_run_once_for_all_its_changes(counted: Counted) -> None:
    endless = make_program("python", "while n:\n            pass")
    checker = FactChecker(counted.run)
    for expected in (2, 3, 4):  # the calls of the reference together, then each change by its own call
        assert asyncio.run(checker.check_perturbed(make_instance(endless, endless))).calls == 1
        assert counted.count == expected


def test_the_further_calls_of_a_reference_are_run_once_for_all_its_changes(counted: Counted) -> None:
    program = make_program("python", "return n * 2")
    checker = FactChecker(counted.run)
    for expected in (2, 3, 4):  # the calls of the reference together, then those of each change together
        assert asyncio.run(checker.check_perturbed(make_instance(program, program))).calls == 1 + MOST
        assert counted.count == expected


def test_a_change_whose_value_has_no_literal_is_refuted(counted: Counted) -> None:
    right, wrong = make_program("python", "return n * 2"), make_program("python", "return open")
    with pytest.raises(Skip, match=r"^the perturbed program .*no literal form for f\(.*\): the reference does not$"):
        asyncio.run(FactChecker(counted.run).check_perturbed(make_instance(right, wrong)))


def test_a_call_of_java_without_its_class_is_evaluated_too(counted: Counted) -> None:
    program = Program.from_source(
        language="java", source="class Main { private static int f(int n) { return n; } }", call="f(3)"
    )
    ends = asyncio.run(evaluate(program, ["f(7)"], counted.run, Limits()))
    assert [end.value for end in ends] == [3, 7]


def test_a_change_of_a_faulty_program_is_compared_with_the_faulty_one(counted: Counted) -> None:
    facts = Facts(fault=Fault(3))
    faulty, other = make_program("python", "return n * 2", facts), make_program("python", "return n * 3", facts)
    check = FactChecker(counted.run).check_perturbed
    assert asyncio.run(check(make_instance(faulty, faulty))).calls == 1 + MOST
    with pytest.raises(Skip, match="returns something else for f"):
        asyncio.run(check(make_instance(faulty, other)))


def test_calls_end_one_by_one(counted: Counted) -> None:
    program = make_program("python", "raise ValueError('a')")
    ends = asyncio.run(evaluate(program, ["f(7)", "f(1)"], counted.run, Limits()))
    assert [(end.returned, end.value) for end in ends] == [(True, 2), (False, "ValueError"), (True, 1)]
    assert find_difference(program, ends, [ends[0], ends[0], ends[2]], range(1, 3)) == [1]
