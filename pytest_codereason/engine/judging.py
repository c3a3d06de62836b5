"""Lets tasks read replies. A long reply is read in a thread, so that the event loop goes on with other requests."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from pytest_codereason.core import Ask, Completion, RecordStep, Steps, Task, Verdict
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.reading import SMALL
from pytest_codereason.errors import SandboxError, blame
from pytest_codereason.questions.replies.reasoning import measure_reasoning

T = TypeVar("T")


class Judge:
    """Reads replies, one after the other: a task of a user's own need not expect several threads."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="codereason-read")
        self._closed = False

    async def advance(self, task: Task, steps: Steps, reply: Completion | Execution | None) -> Ask | Run | Verdict:
        """The next step of a task, as :func:`follow_steps` gives them, or its verdict.

        Raises:
            PartError: the task raised an exception, or its verdict cannot be recorded.
            SandboxError: no further reply is read.
        """
        return await self._call(_measure_reply(reply), _advance, task, steps, reply)

    async def measure(self, steps: Sequence[RecordStep]) -> dict[str, float]:
        """What the reasoning in all steps of a sample looks like."""
        traces = [(step.reasoning or "", step.response or "") for step in steps]
        return await self._call(sum(len(text) for trace in traces for text in trace), measure_reasoning, traces)

    async def _call(self, size: float, function: Callable[..., T], *arguments: Any) -> T:
        if size <= SMALL:
            return function(*arguments)
        if self._closed:
            raise SandboxError("the run is ending")
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)

    def close(self) -> None:
        """Reads no further reply. Replies that wait to be read are not read."""
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)


def _measure_reply(reply: Completion | Execution | None) -> float:
    """How much there is to read, in characters. The value of an execution may be of any size."""
    if isinstance(reply, Execution):
        return math.inf
    return 0 if reply is None else len(reply.text)


def _advance(task: Task, steps: Steps, reply: Completion | Execution | None) -> Ask | Run | Verdict:
    with blame(task):
        try:
            return steps.send(reply)  # type: ignore[arg-type]  # None begins
        except StopIteration as done:
            verdict: Verdict = done.value
            return verdict
