"""What a task of a user's own may yield and return."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from pytest_codereason.core import ANSWERED, Ask, Completion, Instance, Message, Metric, Ratio, Steps, Task, Verdict
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.task_steps import check_verdict, follow_steps
from pytest_codereason.errors import BadResult
from tests.models.asking import request

ASK = Ask(messages=(Message("user", "?"),), truth="", guess=str)
RUN = Run.from_source(language="python", source="1")
RATIO = Ratio(part={"tp": 2.0}, whole={"tp": 2.0, "missed": 1.0})


class Own(Task):
    name = "own"
    version = 1
    needs: ClassVar[frozenset[str]] = frozenset()
    metrics = (
        Metric(name="exact", title="Exact"),
        Metric(name="distance", title="Distance", of=ANSWERED, binary=False),
        Metric(name="f1", title="F1", ratio=RATIO),
        Metric(name="pass_2", title="Pass", k=2),
        Metric(name="cut", title="Cut", outcome="truncated"),
        Metric(name="only_keys", title="Keys", only=("layout", "keys")),
    )

    def __init__(self, give: Callable[[], Any]) -> None:
        self._give = give

    def steps(self, instance: Instance) -> Steps:
        steps: Steps = self._give()
        return steps


def verdict(**numbers: float | None) -> Verdict:
    return Verdict(outcome="correct", expected="3", metrics=numbers)  # type: ignore[arg-type]


def follow(give: Callable[[], Any]) -> Steps:
    return follow_steps(Own(give), request().instance)


def test_steps_go_in_and_replies_come_back() -> None:
    seen: list[object] = []
    replies: list[Completion | Execution] = [Completion(text="1"), Execution(ending="returned")]

    def give() -> Generator[Ask | Run, object, Verdict]:
        for step in (ASK, RUN):
            seen.append((yield step))
        return verdict(exact=1.0, distance=0.0)

    steps = follow(give)
    assert steps.send(None) is ASK  # type: ignore[arg-type]  # None begins
    assert steps.send(replies[0]) is RUN
    with pytest.raises(StopIteration) as ended:
        steps.send(replies[1])
    assert ended.value.value == verdict(exact=1.0, distance=0.0)
    assert seen == replies


def _yield(step: object) -> Callable[[], Iterator[object]]:
    def give() -> Iterator[object]:
        yield step

    return give


@pytest.mark.parametrize(
    ("give", "complaint"),
    [
        (lambda: [ASK], "steps must be a generator, not list: write `completion = yield Ask(...)`"),
        (_yield(verdict(exact=1.0)), "steps must return the Verdict: write `return`, not `yield`"),
        (_yield("f(1)?"), "steps must yield an Ask or a Run, not str"),
        (_yield(ASK), "steps must return a Verdict, not None"),
        (_yield(replace(ASK, messages="f(1)?")), 'write (Message("user", "..."),)'),  # type: ignore[arg-type]
        (_yield(replace(ASK, messages=("f(1)?",))), "must be a tuple of Message"),  # type: ignore[arg-type]
        (_yield(replace(ASK, truth=3)), "the truth of an Ask must be text, not int"),  # type: ignore[arg-type]
    ],
)
def test_other_steps_are_refused(give: Callable[[], Any], complaint: str) -> None:
    with pytest.raises(BadResult) as caught:
        list(follow(give))
    assert complaint in str(caught.value)


def check(outcome: str, **numbers: float | None) -> str:
    """The complaint about a verdict, empty if there is none."""
    task = Own(lambda: None)
    given = Verdict(outcome=outcome, expected="3", metrics=numbers)  # type: ignore[arg-type]
    try:
        assert check_verdict(task, given) is given
    except BadResult as error:
        return str(error).partition("): ")[2]
    return ""


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        ({"expected": 3}, "expected must be text, not int: write str(...)"),
        ({"expected": "3", "answer": 0}, "answer must be text, not int"),
        ({"expected": None}, "expected must be text, not None"),
        ({"expected": "3", "answer": None}, ""),
    ],
)
def test_what_is_expected_and_answered_is_text(texts: Mapping[str, Any], complaint: str) -> None:
    given = Verdict(outcome="invalid", **texts)
    with pytest.raises(BadResult, match=re.escape(complaint)) if complaint else nullcontext():
        assert check_verdict(Own(lambda: None), given) is given


@pytest.mark.parametrize(
    ("outcome", "numbers", "complaint"),
    [
        ("correct", {"exact": 1.0, "distance": 0.0}, ""),
        ("wrong", {"exact": 0.0, "distance": 7.5, "tp": 3.0, "missed": 9.0, "only_keys": 1.0}, ""),
        ("correct", {"exact": 1.0, "distance": 0.0, "steps": 8.0}, ""),
        ("invalid", {}, ""),
        ("truncated", {"exact": 0.0}, ""),
        ("correct", {"exact": 1.0}, "the verdict lacks the metric 'distance', which the task declares: it has exact"),
        ("wrong", {}, "the verdict lacks the metric 'exact', which the task declares: it has none"),
        ("wrong", {"exact": None, "distance": 1.0}, "the verdict lacks the metric 'exact'"),
        (
            "correct",
            {"exakt": 1.0, "distance": 0.0},
            "has the metric 'exakt', which the task does not declare (did you mean 'exact'?)",
        ),
        ("correct", {"exact": 1.0, "distance": 0.0, "mised": 1.0}, "(did you mean 'missed'?)"),
        ("correct", {"exact": 1.0, "distance": 0.0, "only_key": 1.0}, "(did you mean 'only_keys'?)"),
        ("correct", {"exact": 1.5, "distance": 0.0}, "exact"),
        ("correct", {"exact": 1.0, "distance": 0.0, "tp": -1.0}, "tp"),
        ("skipped", {}, "unknown outcome 'skipped'"),
        ("corect", {"exact": 1.0}, "unknown outcome 'corect' (did you mean 'correct'?): choose one of correct, wrong"),
    ],
)
def test_a_verdict_has_the_numbers_that_the_task_declares(
    outcome: str, numbers: Mapping[str, float | None], complaint: str
) -> None:
    told = check(outcome, **numbers)
    assert bool(told) is bool(complaint)
    assert complaint in told
