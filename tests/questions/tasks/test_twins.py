"""The task ``twins``: what it asks, and what baselines get."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_codereason.core import Ask, Completion, Context, Instance, Recorded, Verdict
from pytest_codereason.errors import Skip
from pytest_codereason.questions.tasks.twins import TWINS
from pytest_codereason.questions.tasks.twins import Twins as Task
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.questions import stepping
from tests.questions.twins.twin_programs import CALL, make_instance


def judge(instance: Instance, reply: str | None, sandbox: Sandbox) -> tuple[Ask, Verdict]:
    return stepping.judge(Task(), instance, sandbox, reply)


@pytest.mark.slow
@pytest.mark.parametrize("kind", TWINS)
def test_the_truth_is_right_and_the_published_output_is_not(kind: str, sandbox: Sandbox) -> None:
    for seed in range(3):
        instance = make_instance(sandbox, kind, seed=seed)
        asked, verdict = judge(instance, None, sandbox)
        assert (verdict.outcome, verdict.metrics["exact"]) == ("correct", 1)
        _, recited = judge(instance, asked.naive, sandbox)
        assert recited.metrics["exact"] == (kind == "published")
        assert (f"the Python call {CALL} return" in asked.messages[0].content) is (kind == "published")
        assert "If the call raises an exception, write `raises` and its type." in asked.messages[0].content


@pytest.mark.slow
def test_a_record_is_judged_again(sandbox: Sandbox) -> None:
    for seed in range(2):
        instance = make_instance(sandbox, "fresh-raise", seed=seed)
        asked, _ = judge(instance, None, sandbox)
        for reply in (asked.truth, asked.naive, "[ANSWER]raises KeyError[/ANSWER]", "no"):
            _, verdict = judge(instance, reply, sandbox)
            recorded = Recorded(expected=verdict.expected, grounds=verdict.grounds, replies=[Completion(text=reply)])
            again = Task().judge_again(language("python"), recorded)
            assert again is not None
            assert (again.outcome, again.metrics) == (verdict.outcome, verdict.metrics)


def test_twins_are_shown_as_published(sandbox: Sandbox) -> None:
    instance = make_instance(sandbox, "published")
    with pytest.raises(Skip, match="without other functions"):
        judge(replace(instance, context=Context(distractors=("def g():\n    return 1\n",), place=0)), None, sandbox)
