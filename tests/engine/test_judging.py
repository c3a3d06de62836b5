"""Replies are read by the task: short ones at once, long ones in a thread, none after the end."""

from __future__ import annotations

import asyncio
import threading
from typing import ClassVar

import pytest

from pytest_codereason.core import Ask, Completion, Instance, Message, RecordStep, Steps, Task, Verdict
from pytest_codereason.core.execution import Execution
from pytest_codereason.core.reading import SMALL
from pytest_codereason.engine.judging import Judge
from pytest_codereason.errors import PartError, SandboxError
from pytest_codereason.questions.replies.reasoning import measure_reasoning

ASK = Ask(messages=(Message("user", "?"),), truth="", guess=str)


class Naming(Task):
    """Says in its verdict which thread has read the reply."""

    name = "naming"
    version = 1
    needs: ClassVar[frozenset[str]] = frozenset()
    metrics = ()

    def steps(self, instance: Instance | None) -> Steps:
        reply = yield ASK
        if isinstance(reply, Completion) and reply.text == "broken":
            raise ZeroDivisionError("by the task")
        return Verdict(outcome="correct", expected=threading.current_thread().name)


def read(judge: Judge, reply: Completion | Execution) -> str:
    async def run() -> str:
        task = Naming()
        steps = task.steps(None)
        assert await judge.advance(task, steps, None) is ASK
        verdict = await judge.advance(task, steps, reply)
        assert isinstance(verdict, Verdict)
        return verdict.expected

    return asyncio.run(run())


def test_what_may_take_long_is_read_beside_the_loop() -> None:
    judge, here = Judge(), threading.current_thread().name
    assert read(judge, Completion(text="x" * SMALL)) == here
    assert read(judge, Completion(text="x" * (SMALL + 1))).startswith("codereason-read")
    assert read(judge, Execution(ending="returned")).startswith("codereason-read"), "its value may be of any size"
    judge.close()


def test_a_broken_task_is_named() -> None:
    with pytest.raises(PartError, match="by the task"):
        read(Judge(), Completion(text="broken"))


def test_after_the_end_only_what_is_read_at_once_is_read() -> None:
    judge = Judge()
    judge.close()
    assert read(judge, Completion(text="short")) == threading.current_thread().name
    with pytest.raises(SandboxError, match="the run is ending"):
        read(judge, Completion(text="x" * (SMALL + 1)))


def test_replies_that_wait_to_be_read_are_not_read() -> None:
    judge, begun, go_on = Judge(), threading.Event(), threading.Event()

    class Slow(Naming):
        def steps(self, instance: Instance | None) -> Steps:
            yield ASK
            begun.set()
            go_on.wait(10)
            return Verdict(outcome="correct", expected="")

    async def run() -> list[object]:
        tasks = Slow(), Slow()
        steps = [task.steps(None) for task in tasks]
        for task, each in zip(tasks, steps, strict=True):
            await judge.advance(task, each, None)
        long = Completion(text="x" * (SMALL + 1))
        reading = [asyncio.ensure_future(judge.advance(t, s, long)) for t, s in zip(tasks, steps, strict=True)]
        await asyncio.to_thread(begun.wait, 10)
        judge.close()
        go_on.set()
        return list(await asyncio.gather(*reading, return_exceptions=True))

    first, second = asyncio.run(run())
    assert isinstance(first, Verdict)
    assert isinstance(second, asyncio.CancelledError)


@pytest.mark.parametrize("size", [1, SMALL])
def test_the_reasoning_of_all_steps_is_measured(size: int) -> None:
    judge = Judge()
    steps = [
        RecordStep(reasoning="think " * size, response="42"),
        RecordStep(response="43 wait"),
        RecordStep(reasoning="no answer"),
    ]
    expected = measure_reasoning([("think " * size, "42"), ("", "43 wait"), ("no answer", "")])
    assert asyncio.run(judge.measure(steps)) == expected != {}
    judge.close()
