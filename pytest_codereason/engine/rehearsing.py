"""What a task asks of a question, while no model is asked.

Programs that judge a reply are never run here. Programs that a task runs before its first question are run where the
caller gives an ``execute``: what the task asks, and the right reply, may depend on them.
"""

from __future__ import annotations

from collections.abc import Callable

from pytest_codereason.core import Ask, Completion, Instance, Task, Verdict
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.task_steps import follow_steps
from pytest_codereason.errors import PartError, Skip, blame

#: Stands for the execution of any program.
NOT_RUN = Execution(ending="returned")

#: Gives the end of a program, as :meth:`Executor.execute` does.
Execute = Callable[[Run], Execution]


def find_first_ask(task: Task, instance: Instance, execute: Execute | None = None) -> Ask:
    """The first question of a task.

    Raises:
        Skip: nothing can be asked about this program, or the question depends on a value that only a run gives.
        PartError: the task raised an exception.
    """
    return _Rehearsal(task, instance, execute).find_ask()


def ask_in_full(task: Task, instance: Instance, execute: Execute | None = None) -> tuple[list[Ask], str]:
    """All questions of a task if every reply is right, and the answer that the task expects at the end.

    Where the end depends on a program that judges a reply, the answer is the right reply.

    Raises:
        Skip: nothing can be asked about this program, or the question depends on a value that only a run gives.
        PartError: the task raised an exception.
    """
    rehearsal = _Rehearsal(task, instance, execute)
    asks = [rehearsal.find_ask()]
    step: Ask | Run | Verdict = asks[0]
    try:
        while not isinstance(step, Verdict):
            step = rehearsal.take(NOT_RUN if isinstance(step, Run) else Completion(text=step.truth, prefilled=True))
            if isinstance(step, Ask):
                asks.append(step)
    except NotKnown:
        return asks, asks[-1].truth
    return asks, step.expected


def count_certain_asks(task: Task, instance: Instance) -> int:
    """How many questions a task asks if no reply says anything: the others follow only some replies.

    Raises:
        Skip: nothing can be asked about this program, or the question depends on a value that only a run gives.
        PartError: the task raised an exception.
    """
    rehearsal = _Rehearsal(task, instance)
    rehearsal.find_ask()
    many, reply = 1, Completion(text="", finish="stop")
    try:
        while not isinstance(step := rehearsal.take(reply), Verdict):
            while isinstance(step, Run):
                step = rehearsal.take(NOT_RUN)
            many += isinstance(step, Ask)
    except NotKnown:
        pass
    return many


class NotKnown(Skip):
    """What a task asks, and whether it asks anything, depends on a program that was not run."""


_NOT_KNOWN = "what is asked depends on the value of a program that was not run"


class _Rehearsal:
    """The steps of a task, while values may be missing.

    A fact of a draft and the value of an execution may be ``None`` here. No author of a task expects that, so what the
    task then raises is not its mistake.
    """

    def __init__(self, task: Task, instance: Instance, execute: Execute | None = None) -> None:
        self._task, self._execute, self._ran_nothing = task, execute, False
        self._steps = follow_steps(task, instance)
        facts = instance.program.facts
        self._guesses = execute is None and any(facts.get(name, "") is None for name in task.needs)

    def take(self, reply: Completion | Execution | None) -> Ask | Run | Verdict:
        """The next step of the task after what it is sent, or its verdict.

        Raises:
            Skip: nothing can be asked about this program, or the task uses a value that only a run gives.
            PartError: the task raised an exception.
        """
        self._guesses = self._guesses or reply is NOT_RUN
        self._ran_nothing = self._ran_nothing or reply is NOT_RUN
        try:
            with blame(self._task):
                try:
                    return self._steps.send(reply)  # type: ignore[arg-type]
                except StopIteration as done:
                    verdict: Verdict = done.value
                    return verdict
        except Skip as skip:
            if not self._ran_nothing:
                raise
            raise NotKnown(_NOT_KNOWN) from skip
        except PartError as error:
            if not self._guesses:
                raise
            raise NotKnown(_NOT_KNOWN) from error

    def find_ask(self) -> Ask:
        """The first question, behind the programs that are run before it."""
        step = self.take(None)
        while isinstance(step, Run):
            step = self.take(self._execute(step) if self._execute else NOT_RUN)
        if isinstance(step, Verdict):
            raise Skip("the task asks nothing about this program")
        return step
