"""How an answer that is a call is judged: it is written anew, run under trace, and judged again from the record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_codereason.core import Ask, Completion, Verdict
from pytest_codereason.core.execution import Run
from pytest_codereason.questions.moments.inverse.aims import Aim, Want
from pytest_codereason.questions.moments.inverse.judging import CallRule, read_grounds
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import PYTHON, watch

SOURCE = """def g(s):
    n = 0
    for c in s:
        if c == "(":
            n += 1
        elif n == 0:
            return -1
        else:
            n -= 1
    return n
"""
REACH = Aim((Want(ProgramLine("main", 7), 1, None), Want(ProgramLine("main", 9), 2, 2)))
AVOID = Aim((Want(ProgramLine("main", 5), 0, 0),), returns=True)


def judge(sandbox: Sandbox, aim: Aim, reply: str, source: str = SOURCE, **completion: Any) -> tuple[Verdict, list[Run]]:
    """The verdict, and what was run for it."""
    rule = CallRule(
        kind="reach", function="g", expected="g('(()))')", aim=aim, labels=[str(want.place.line) for want in aim.wants]
    )
    reader = Completion(text=reply, **completion)
    steps = rule.judge(reader, PYTHON, watch(sandbox, source, "g('(())')"))
    ran = list[Run]()
    try:
        step: Ask | Run = next(steps)
        while True:
            assert isinstance(step, Run)
            ran.append(step)
            step = steps.send(sandbox.run(step))
    except StopIteration as done:
        verdict: Verdict = done.value
    again, end = read_grounds(json.loads(json.dumps(verdict.grounds)))
    repeated = again.judge_again(reader, PYTHON, end)
    assert (repeated.outcome, repeated.reason, repeated.metrics) == (verdict.outcome, verdict.reason, verdict.metrics)
    return verdict, ran


@pytest.mark.parametrize(
    ("reply", "outcome", "reason"),
    [
        ("[ANSWER]g('(()))')[/ANSWER]", "correct", ""),
        ('[ANSWER]g("(()))(((")[/ANSWER]', "correct", ""),
        ("[ANSWER]g(['(', '(', 0, 0, 0])[/ANSWER]", "correct", ""),
        ("[ANSWER]g(s='(()))')[/ANSWER]", "correct", ""),
        ("[ANSWER]g('())')[/ANSWER]", "wrong", "line 7 runs 1 times and line 9 runs 1 times"),
        ("[ANSWER]g('(())')[/ANSWER]", "wrong", "line 7 runs 0 times and line 9 runs 2 times"),
        ("[ANSWER]g(7)[/ANSWER]", "wrong", "raises TypeError"),
        ("[ANSWER]g()[/ANSWER]", "wrong", "raises TypeError"),
        ("[ANSWER]g(print('(()))'))[/ANSWER]", "invalid", "not a literal"),
        ("[ANSWER]g('(()))') or g('')[/ANSWER]", "invalid", ""),
        ("[ANSWER]h('(()))')[/ANSWER]", "invalid", ""),
        ("I do not know.", "invalid", "no complete call"),
    ],
)
def test_an_answer_is_judged_by_the_lines_that_run(reply: str, outcome: str, reason: str, sandbox: Sandbox) -> None:
    verdict, _ = judge(sandbox, REACH, reply)
    assert verdict.outcome == outcome
    assert reason in verdict.reason
    assert verdict.metrics["exact"] == (outcome == "correct")


def test_what_is_run_is_written_anew(sandbox: Sandbox) -> None:
    _, [run] = judge(sandbox, REACH, '[ANSWER]g( "(("   "))"\t")" ) # f([/ANSWER]')
    assert run.call == "g('(()))')"
    assert judge(sandbox, REACH, "[ANSWER]g(__import__('os').getcwd())[/ANSWER]")[1] == []


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [("g('))')", "correct"), ("g('')", "correct"), ("g([1, None])", "correct"), ("g(7)", "wrong"), ("g('(')", "wrong")],
)
def test_a_call_that_must_return_is_wrong_if_it_raises(reply: str, outcome: str, sandbox: Sandbox) -> None:
    assert judge(sandbox, AVOID, f"[ANSWER]{reply}[/ANSWER]")[0].outcome == outcome


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import os\ndef g(s):\n    if s == 'x':\n        os._exit(0)\n    return 1\n", "tampering"),
        ("def g(s):\n    while s == 'x':\n        pass\n    return 1\n", "limit"),
        ("def g(s):\n    for i in range(10 ** 5 if s == 'x' else 1):\n        s = s\n    return 1\n", "too many lines"),
    ],
)
def test_a_call_whose_lines_are_not_seen_is_wrong(source: str, reason: str, sandbox: Sandbox) -> None:
    verdict, _ = judge(sandbox, Aim((Want(ProgramLine("main", 1), 0, None),)), "[ANSWER]g('x')[/ANSWER]", source)
    assert verdict.outcome == "wrong"
    assert reason in verdict.reason


def test_replies_that_were_cut_or_refused_are_told_apart(sandbox: Sandbox) -> None:
    assert judge(sandbox, REACH, "[ANSWER]g('(()", finish="length")[0].outcome == "truncated"
    assert judge(sandbox, REACH, "", finish="refused")[0].outcome == "refused"


def test_a_call_that_was_not_run_is_not_right() -> None:
    rule = CallRule(kind="reach", function="g", expected="g('(()))')", aim=REACH, labels=["7", "9"])
    verdict = rule.judge_again(Completion(text="[ANSWER]g('(()))')[/ANSWER]"), PYTHON, None)
    assert (verdict.outcome, verdict.reason) == ("wrong", "its call was never run")
