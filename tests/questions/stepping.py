"""Takes the steps of a task: programs are run, and questions are answered."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

from pytest_codereason.core import Ask, Completion, Instance, Task, Verdict
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.sandbox import Sandbox

T = TypeVar("T")


class CountingSandbox(Sandbox):
    """A sandbox that knows what it has run."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._runs_in = sandbox
        self.runs: list[Run] = []

    def run(self, run: Run) -> Execution:
        """Runs a program, and notes it."""
        self.runs.append(run)
        return self._runs_in.run(run)


class RememberingSandbox(Sandbox):
    """A sandbox that runs each program once, as the engine does."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._runs_in = sandbox
        self._known: dict[Run, Execution] = {}

    def run(self, run: Run) -> Execution:
        """The execution of a program, which is run unless it is known."""
        if run not in self._known:
            self._known[run] = self._runs_in.run(run)
        return self._known[run]


def take_steps(
    steps: Generator[Ask | Run, Completion | Execution, T],
    sandbox: Sandbox,
    answer: Callable[[Ask], Completion] | None = None,
) -> T:
    """What the steps return. Without ``answer`` nothing may be asked."""
    try:
        step = next(steps)
        while True:
            if isinstance(step, Run):
                step = steps.send(sandbox.run(step))
            else:
                assert answer is not None, step
                step = steps.send(answer(step))
    except StopIteration as done:
        returned: T = done.value
        return returned


def ask(task: Task, instance: Instance, sandbox: Sandbox) -> Ask:
    """The question, after all runs that come before it."""
    steps = task.steps(instance)
    step = next(steps)
    while not isinstance(step, Ask):
        step = steps.send(sandbox.run(step))
    return step


def judge(
    task: Task, instance: Instance, sandbox: Sandbox, reply: str | Completion | None = None
) -> tuple[Ask, Verdict]:
    """The question, and the verdict on a reply or on the right one."""
    asked = list[Ask]()

    def answer(question: Ask) -> Completion:
        asked.append(question)
        return reply if isinstance(reply, Completion) else Completion(text=question.truth if reply is None else reply)

    verdict = take_steps(task.steps(instance), sandbox, answer)
    return asked[-1], verdict
