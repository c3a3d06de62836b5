"""The task ``meaning``: what it asks, and what baselines get."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_codereason.core import Ask, Completion, Context, Instance, Recorded, Verdict
from pytest_codereason.errors import Skip
from pytest_codereason.questions.meanings.finding import VALUES
from pytest_codereason.questions.tasks.meaning import MeaningTask
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.questions import stepping
from tests.questions.meanings.meaning_programs import make_instance

SOURCE = """def f(n, m):
    t = 10
    for i in range(n):
        if i < 2 and m > 1:
            t = t + i
            continue
        if i == m or t >= 40:
            break
        t = t * 3 - i
    return t
"""


def judge(instance: Instance, reply: str | None, sandbox: Sandbox) -> tuple[Ask, Verdict]:
    return stepping.judge(MeaningTask(), instance, sandbox, reply)


@pytest.mark.parametrize("meaning", [value for value in VALUES if value != "swapped(rules=4)"])
def test_the_truth_is_right_and_habit_is_not(meaning: str, sandbox: Sandbox) -> None:
    instance = make_instance(SOURCE, "f(6, 4)", meaning, sandbox)
    asked, verdict = judge(instance, None, sandbox)
    assert (verdict.outcome, verdict.metrics["exact"]) == ("correct", 1)
    assert (asked.naive == "") is meaning.startswith("symbols")  # nobody is used to them
    _, habitual = judge(instance, asked.naive or asked.truth, sandbox)
    changed = meaning.startswith(("swapped", "keywords"))
    assert habitual.metrics["exact"] == (not changed)
    assert habitual.metrics.get("habit") == (1 if changed else None)
    assert verdict.metrics.get("habit") == (0 if changed else None)
    [message] = asked.messages
    assert ("these rules hold:" in message.content) is (meaning != "none")
    assert "What does f(6, 4) return?" in message.content


def test_a_record_is_judged_again(sandbox: Sandbox) -> None:
    instance = make_instance(SOURCE, "f(6, 4)", "swapped(rules=1)", sandbox)
    asked, _ = judge(instance, None, sandbox)
    for reply in (asked.truth, asked.naive, "[ANSWER]f(2)[/ANSWER]", "no"):
        _, verdict = judge(instance, reply, sandbox)
        recorded = Recorded(expected=verdict.expected, grounds=verdict.grounds, replies=[Completion(text=reply)])
        again = MeaningTask().judge_again(language("python"), recorded)
        assert again is not None
        assert (again.outcome, again.metrics) == (verdict.outcome, verdict.metrics)


def test_rules_are_said_of_one_program(sandbox: Sandbox) -> None:
    instance = make_instance(SOURCE, "f(6, 4)", "none", sandbox)
    with pytest.raises(Skip, match="without other functions"):
        judge(replace(instance, context=Context(distractors=("def g():\n    return 1\n",), place=0)), None, sandbox)
