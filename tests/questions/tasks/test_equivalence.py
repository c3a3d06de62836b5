"""The task ``equivalence``: what it asks, what baselines get, and what a witness may be."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pytest_codereason.core import Completion, Context, Recorded
from pytest_codereason.errors import SandboxError, Skip
from pytest_codereason.questions.tasks.equivalence import Equivalence
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.questions.pairs.pairing import PROGRAMS, RARE, ask, find, judge, make_instance


@pytest.mark.parametrize("pair", ["equal", "different"])
@pytest.mark.parametrize(
    "spoken", [name if name == "python" else pytest.param(name, marks=pytest.mark.slow) for name in PROGRAMS]
)
def test_the_truth_is_right_in_every_language(spoken: str, pair: str, sandbox: Sandbox) -> None:
    instance = make_instance(spoken, pair=pair)
    question = ask(instance, sandbox)
    verdict = judge(instance, question.truth, sandbox)
    assert (verdict.outcome, verdict.metrics["exact"], verdict.metrics["verdict"]) == ("correct", 1, 1)
    other = judge(instance, "[ANSWER]EQUAL[/ANSWER]", sandbox)
    assert other.metrics["exact"] == (pair == "equal")


def test_the_prompt_has_both_programs_their_calls_and_the_domain(sandbox: Sandbox) -> None:
    pair = find(make_instance(), sandbox)
    [message] = ask(make_instance(), sandbox).messages
    assert f"called as {pair.one.call}:\n[A]\n{pair.one.text}[/A]" in message.content
    assert f"called as {pair.other.call}:\n[B]\n{pair.other.text}[/B]" in message.content
    assert "a list of 0 to 10 items (each a whole number from 0 to 100); (2) a whole number from 0 to 10." in (
        message.content
    )
    assert "[ANSWER]DIFFERENT f(...)[/ANSWER]" in message.content
    assert "Calls that never end in one of them do not count either." in message.content


def test_a_guess_is_right_in_half_and_says_both_words(sandbox: Sandbox) -> None:
    question, uniform = ask(make_instance(pair="equal"), sandbox), Random(1).random
    guesses = [question.guess(uniform) for _ in range(200)]
    assert 0.4 < sum(guess == question.truth for guess in guesses) / 200 < 0.6


def test_who_goes_by_looks_says_the_same_of_both_pairs(sandbox: Sandbox) -> None:
    says = {ask(make_instance(pair=pair), sandbox).naive for pair in ("equal", "different")}
    assert len(says) == 1


def test_a_witness_that_separates_an_equal_pair_is_an_error(sandbox: Sandbox) -> None:
    instance = make_instance(
        source="def f(xs, n):\n    t = 0\n    for x in xs:\n        if x > 90 and n > 1:\n            t += x\n"
        "    return t > 3\n",
        call="f([5, 80, 2, 7, 31], 4000)",
        changes=f"conditions+{RARE}",
        pair="equal",
    )
    with pytest.raises(SandboxError, match=r"the pair is not equal: f\(\[1\], 7777\) separates the programs"):
        judge(instance, "[ANSWER]DIFFERENT f([1], 7777)[/ANSWER]", sandbox)
    assert judge(instance, "[ANSWER]EQUAL[/ANSWER]", sandbox).outcome == "correct"


@pytest.mark.parametrize(
    "reply", ["DIFFERENT f([], 4)", "EQUAL", "DIFFERENT f([3], 99)", "DIFFERENT", "DIFFERENT f(xs, n)"]
)
def test_a_record_is_judged_again_without_a_run(reply: str, sandbox: Sandbox) -> None:
    verdict = judge(make_instance(), reply, sandbox)
    recorded = Recorded(expected=verdict.expected, grounds=verdict.grounds, replies=[Completion(text=reply)])
    again = Equivalence().judge_again(language("python"), recorded)
    assert again is not None
    assert (again.outcome, again.reason) == (verdict.outcome, verdict.reason)
    assert verdict.metrics.items() >= again.metrics.items()
    forged = replace(recorded, grounds={**verdict.grounds, "found": True, "ran": "[], 5"})
    other = Equivalence().judge_again(language("python"), forged)
    assert other is not None
    assert other.outcome != "correct"


def test_a_pair_is_shown_without_other_functions(sandbox: Sandbox) -> None:
    instance = replace(make_instance(), context=Context(distractors=("def g():\n    return 1\n",), place=0))
    with pytest.raises(Skip, match="without other functions"):
        ask(instance, sandbox)
