"""Builds questions without asking a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from pytest_codereason.core import Ask, Completion, Instance, RunProgram, Spec, Steps, Text
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.building.authoring import draft_text, provide_text
from pytest_codereason.engine.building.fact_checking import FactChecker
from pytest_codereason.questions.suites.suite import Suite

#: Stands for the execution of any program.
NOT_RUN = Execution(ending="returned")


def preview(suite: Suite, spec: Spec, count_tokens: Callable[[str], int | None] = lambda _: None) -> Instance:
    """The question, with ``None`` for each fact that only an execution of its program could give.

    Each of its texts is the first that the rule would write.

    Raises:
        Skip: this question cannot be built.
    """
    texts = {request.place: draft_text(request) for request in suite.text_requests(spec)}
    return _build(suite, spec, count_tokens, texts)


async def preview_checked(suite: Suite, spec: Spec, run: RunProgram) -> Instance:
    """The question as a run asks it, but with texts of files and of the rule only.

    Programs are run to compute an output that the source does not know, to check the outputs of a source that is not
    trusted, to check texts (a wrong input of a hint must not give the right output), and to see that a changed program
    does what the reference does.

    Raises:
        Skip: a run skips this question too.
        SandboxError: a program could not be run.
    """
    instance = await preview_completed(suite, spec, run)
    await check_preview(instance, run)
    return instance


async def preview_completed(suite: Suite, spec: Spec, run: RunProgram) -> Instance:
    """The question as :func:`preview_checked` gives it, before its changed program is run.

    Raises:
        Skip: a run skips this question too.
        SandboxError: a program could not be run.
    """
    facts = FactChecker(run)
    program, _ = await facts.complete_program(suite, suite.source_program(spec))
    if suite.checks:
        await facts.check_original(suite, program)
    requests = suite.text_requests(spec, program)
    texts = {r.place: await provide_text(r, suite.texts.get(r.kind), None, run) for r in requests}
    return (await facts.complete_output(suite, suite.build(spec, lambda _: None, texts, program)))[0]


async def check_preview(instance: Instance, run: RunProgram) -> None:
    """Runs the program of a question, if a stage changed it, as a run does before it asks.

    Raises:
        Skip: the changed program does something else than the reference, so a run skips the question.
        SandboxError: the program could not be run.
    """
    if instance.verify:
        await FactChecker(run).check_perturbed(instance)


def _build(suite: Suite, spec: Spec, count_tokens: Callable[[str], int | None], texts: Mapping[str, Text]) -> Instance:
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


def count_certain_asks(steps: Steps) -> int:
    """How many questions a task asks if no reply says anything: the others follow only some replies."""
    find_first_ask(steps)
    many, reply = 1, Completion(text="", finish="stop")
    try:
        while True:
            step = steps.send(reply)
            while isinstance(step, Run):
                step = steps.send(NOT_RUN)
            many += 1
    except StopIteration:
        return many
