"""What many calls of a program do, seen in a few runs."""

from __future__ import annotations

import pytest

from pytest_codereason.errors import Skip
from pytest_codereason.questions.moments.inverse import trying
from pytest_codereason.questions.moments.inverse.finding import see_call, trace_call
from pytest_codereason.questions.moments.inverse.trying import try_calls
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import try_all, watch
from tests.questions.stepping import CountingSandbox, RememberingSandbox, take_steps

COUNT = """SEEN = []
def f(xs):
    n = 0
    for x in xs:
        ys = [y for y in xs if y]
        if x > 3:
            n = n + 12 // x
    return n
"""


@pytest.fixture(scope="module")
def sandbox(sandbox: Sandbox) -> Sandbox:
    """One that runs a program once: several tests try the calls of ``COUNT``."""
    return RememberingSandbox(sandbox)


@pytest.mark.slow
def test_calls_that_are_tried_together_do_what_each_does_alone(sandbox: Sandbox) -> None:
    run = watch(sandbox, COUNT, "f([5, 1, 9])")
    tried = try_all(sandbox, run)
    assert len(tried.drifted) > 100
    assert "[]" in tried.blind
    for call in [*tried.corners[:4], *tried.drifted[:4]]:
        alone = see_call(call.arguments, sandbox.run(trace_call(run, call.arguments)))
        assert alone is not None
        assert alone.returned == call.returned
        assert call.counts == {place: times for place, times in alone.counts.items() if run.is_ours(place)}


def test_arguments_that_are_made_by_a_call_have_corners_too(sandbox: Sandbox) -> None:
    tried = try_all(sandbox, watch(sandbox, "def f(d):\n    n = len(d)\n    return n\n", "f(dict(a = 1, b = 2))"))
    assert tried.recorded.arguments == "{'a': 1, 'b': 2}"
    assert "{}" in tried.blind


def test_a_number_behind_a_long_list_is_set_to_nothing_too(sandbox: Sandbox) -> None:
    run = watch(sandbox, "def f(xs, n):\n    m = n + 1\n    return m\n", "f([1, 2, 3, 4], 5)")
    assert "[1, 2, 3, 4], 0" in try_all(sandbox, run).blind


def test_heads_of_loops_are_not_counted_and_a_comprehension_once(sandbox: Sandbox) -> None:
    run = watch(sandbox, COUNT, "f([5, 1, 9])")
    assert {place.line: times for place, times in try_all(sandbox, run).recorded.counts.items()} == {
        1: 1,
        3: 1,
        5: 3,
        6: 3,
        7: 2,
        8: 1,
    }


@pytest.mark.slow
def test_lines_that_run_once_for_each_item_are_found(sandbox: Sandbox) -> None:
    tried = try_all(sandbox, watch(sandbox, COUNT, "f([5, 1, 9])"))
    assert {place.line for place in tried.plain} == {5, 6}
    body = "        m = m * 2\n        if m % 3 == 1:\n            m = m + 1\n    return m\n"
    source = f"def f(n, m):\n    for i in range(1, n):\n{body}"
    assert {place.line for place in try_all(sandbox, watch(sandbox, source, "f(7, 2)")).plain} == {3, 4}


def test_a_call_that_raises_is_told_from_one_that_returns(sandbox: Sandbox) -> None:
    run = watch(sandbox, "def f(x):\n    y = 10 // x\n    return y\n", "f(3)")
    ends = {call.arguments: (call.returned, len(call.counts)) for call in try_all(sandbox, run).corners}
    assert (ends["0"], ends["1"]) == ((False, 1), (True, 2))


@pytest.mark.slow
def test_an_endless_call_does_not_hide_the_others(sandbox: Sandbox) -> None:
    run = watch(sandbox, "def f(x):\n    while x == 0:\n        pass\n    return x\n", "f(7)")
    tried = [call.arguments for call in try_all(sandbox, run).corners]
    assert tried
    assert "0" not in tried


def test_hundreds_of_calls_are_tried_in_a_few_runs(sandbox: Sandbox) -> None:
    counting = CountingSandbox(sandbox)
    tried = take_steps(try_calls(watch(sandbox, COUNT, "f([5, 1, 9])")), counting)
    assert len(tried.drifted) > 200
    assert len(counting.runs) <= 4


@pytest.mark.slow
def test_where_a_run_fails_small_runs_find_what_they_find_alone(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = watch(sandbox, "def f(x):\n    while x == 7003:\n        pass\n    return x\n", "f(7001)")
    tried = try_all(sandbox, run)
    monkeypatch.setattr(trying, "_LARGE", trying._SMALL)
    assert try_all(sandbox, run) == tried
    assert len(tried.drifted) > 100


@pytest.mark.parametrize(
    ("source", "call", "reason"),
    [("x = 1\n", "", "no call"), ("def f(x):\n    return x\n", "f(object())", "no literals")],
)
def test_a_program_without_a_call_with_literals_is_skipped(
    source: str, call: str, reason: str, sandbox: Sandbox
) -> None:
    with pytest.raises(Skip, match=reason):
        try_all(sandbox, watch(sandbox, source, call))
