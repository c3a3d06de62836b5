"""Builds questions without asking a model and without running a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pytest_codereason.core import Ask, Completion, Instance, Spec, Steps
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.authoring import draft_text
from pytest_codereason.suites.suite import Suite

#: Stands for the execution of any program.
NOT_RUN = Execution(ending="returned")


def preview(suite: Suite, spec: Spec, count_tokens: Callable[[str], int | None] = lambda _: None) -> Instance:
    """The question, with ``None`` for each fact that only an execution of its program could give.

    Each of its texts is the first that the rule would write.

    Raises:
        Skip: this question cannot be built.
    """
    texts = {request.place: draft_text(request) for request in suite.text_requests(spec)}
    instance = suite.build(spec, count_tokens, texts)
    unknown = dict.fromkeys(suite.task.needs - instance.program.facts.keys())
    if not unknown:
        return instance
    return replace(instance, program=replace(instance.program, facts=instance.program.facts.replace(**unknown)))


def find_first_ask(steps: Steps) -> Ask:
    """The first question of a task."""
    step = next(steps)
    while isinstance(step, Run):
        step = steps.send(NOT_RUN)
    return step


def ask_in_full(steps: Steps) -> tuple[list[Ask], str]:
    """All questions of a task if every reply is right, and the answer that the task expects at the end."""
    asks = [find_first_ask(steps)]
    step: Ask | Run = asks[0]
    try:
        while True:
            step = steps.send(NOT_RUN if isinstance(step, Run) else Completion(text=step.truth, prefilled=True))
            if isinstance(step, Ask):
                asks.append(step)
    except StopIteration as done:
        return asks, done.value.expected
