"""What several steps of a sample add up to: tokens, money, time, and whether anything was asked at all."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Ask, Completion, Message, Price, Usage
from pytest_codereason.engine.sample_steps import SampleSteps

ASK = Ask(messages=(Message("user", "f(1)?"),), prefill="It is", truth="", guess=str)
PRICE = Price(1e6, 2e6)


def reply(prompt: int | None = 3, tokens: int | None = 2, latency_s: float | None = 0.5) -> Completion:
    usage = Usage(prompt=prompt, completion=tokens)
    return Completion(text="2", prefilled=True, reasoning="so", usage=usage, latency_s=latency_s, served_by="m-1")


def test_a_step_is_kept_whole() -> None:
    taken = SampleSteps()
    taken.add(ASK, reply(), PRICE, created=7.0, reused=True)
    assert [step.row() for step in taken.steps] == [
        {
            "messages": [{"role": "user", "content": "f(1)?"}],
            "prefill": "It is",
            "prefilled": True,
            "response": "2",
            "reasoning": "so",
            "finish": "stop",
            "served_by": "m-1",
            "usage": {"prompt": 3, "completion": 2, "reasoning": None, "cached": None},
            "cost": 7.0,
            "latency_s": 0.5,
            "answered_at": 7.0,
            "reused": True,
        }
    ]


@pytest.mark.parametrize(
    ("reused", "cost"),
    [
        ([], 0.0),
        ([False], 7.0),
        ([False, False], 14.0),
        ([True, True], 14.0),  # none was asked: what they once cost
        ([True, False], 7.0),  # another question has paid for the first
        ([False, True], 7.0),
        ([True, True, False, True, False], 14.0),
    ],
)
def test_only_steps_of_this_run_cost_unless_all_come_from_the_store(reused: list[bool], cost: float) -> None:
    taken = SampleSteps()
    for each in reused:
        taken.add(ASK, reply(), PRICE, created=None, reused=each)
    assert taken.cost == cost
    assert taken.reused is all(reused)
    assert taken.usage.prompt == (3 * len(reused) or None)
    assert taken.latency_s == 0.5 * len(reused)


def test_what_is_unknown_once_stays_unknown() -> None:
    taken = SampleSteps()
    taken.add(ASK, reply(latency_s=None), None, created=None)
    taken.add(ASK, reply(), PRICE, created=None)
    assert (taken.cost, taken.latency_s) == (None, None)
    taken = SampleSteps()
    taken.add(ASK, reply(tokens=None), PRICE, created=None, reused=True)
    assert taken.cost is None
    taken.add(ASK, reply(), PRICE, created=None)
    assert taken.cost == 7.0, "the unknown cost was another question's"
    taken.add(ASK, reply(tokens=None), PRICE, created=None, reused=True)
    assert taken.cost == 7.0
