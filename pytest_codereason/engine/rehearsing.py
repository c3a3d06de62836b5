"""What a task asks of a question, while no model is asked.

Programs that judge a reply are never run here. Programs that a task runs before its first question are run where the
caller gives an ``execute``: what the task asks, and the right reply, may depend on them.
"""

from __future__ import annotations

from collections.abc import Callable

from pytest_codereason.core import Ask, Completion, Instance, Steps, Task
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.task_steps import follow_steps
from pytest_codereason.errors import blame

#: Stands for the execution of any program.
NOT_RUN = Execution(ending="returned")

#: Gives the end of a program, as :meth:`Executor.execute` does.
Execute = Callable[[Run], Execution]


def find_first_ask(task: Task, instance: Instance, execute: Execute | None = None) -> Ask:
    """The first question of a task.

    Raises:
        Skip: nothing can be asked about this program.
        PartError: the task raised an exception.
    """
    with blame(task):
        return _find_ask(follow_steps(task, instance), execute)


def _find_ask(steps: Steps, execute: Execute | None = None) -> Ask:
    step = next(steps)
    while isinstance(step, Run):
        step = steps.send(execute(step) if execute else NOT_RUN)
    return step


def ask_in_full(task: Task, instance: Instance, execute: Execute | None = None) -> tuple[list[Ask], str]:
    """All questions of a task if every reply is right, and the answer that the task expects at the end.

    Raises:
        Skip: nothing can be asked about this program.
        PartError: the task raised an exception.
    """
    with blame(task):
        steps = follow_steps(task, instance)
        asks = [_find_ask(steps, execute)]
        step: Ask | Run = asks[0]
        try:
            while True:
                step = steps.send(NOT_RUN if isinstance(step, Run) else Completion(text=step.truth, prefilled=True))
                if isinstance(step, Ask):
                    asks.append(step)
        except StopIteration as done:
            return asks, done.value.expected


def count_certain_asks(task: Task, instance: Instance) -> int:
    """How many questions a task asks if no reply says anything: the others follow only some replies.

    Raises:
        Skip: nothing can be asked about this program.
        PartError: the task raised an exception.
    """
    with blame(task):
        steps = follow_steps(task, instance)
        _find_ask(steps)
        many, reply = 1, Completion(text="", finish="stop")
        try:
            while True:
                step = steps.send(reply)
                while isinstance(step, Run):
                    step = steps.send(NOT_RUN)
                many += 1
        except StopIteration:
            return many
