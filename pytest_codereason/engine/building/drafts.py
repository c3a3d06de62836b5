"""The steps of building a question that ask nobody and run nothing, and the questions that they give alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pytest_codereason.core import Instance, Spec, Stage, Task, TextRequest
from pytest_codereason.engine.building.authoring import draft_text
from pytest_codereason.errors import UsageError, blame, name_part
from pytest_codereason.questions.suites.suite import Suite

#: Counts tokens by the model's tokenizer; ``None`` if there is no tokenizer.
CountTokens = Callable[[str], int | None]


def count_nothing(text: str) -> None:
    """Stands for a model without a tokenizer."""


def draft(suite: Suite, spec: Spec, count_tokens: CountTokens = count_nothing) -> Instance:
    """The question, with ``None`` for each fact that only an execution of its program could give.

    Each of its texts is the first that the rule would write, unchecked.

    Raises:
        Skip: this question cannot be built.
    """
    begun = begin(suite, spec)
    instance = apply_stages(suite, draft_texts(begun, request_texts(suite, begun)), count_tokens)
    unknown = dict.fromkeys(suite.task.needs - instance.program.facts.keys())
    if not unknown:
        return instance
    program = instance.program
    return replace(instance, program=replace(program, facts=program.facts.replace(**unknown)))


def begin(suite: Suite, spec: Spec) -> Instance:
    """The question with the program of the source, before any stage."""
    axes = suite.conditions.list_axes(spec)
    with blame(suite.source):
        program = suite.source.program(spec.language, spec.program, axes)
        shots = suite.source.shots(spec.language, spec.program, axes, int(axes.get("shots", 0)))
    return Instance(
        id=spec.id,
        family=suite.family(spec),
        suite=suite.name,
        program=program,
        axes=axes,
        matrix=dict(spec.axes),
        shots=shots,
        template=suite.prompts.templates[str(axes.get("prompting", ""))],
        rewriting=suite.find_rewriting(axes),
        seed=suite.seed,
        asks=suite.task.asks,
        texts_by=dict(program.written_by),
    )


def request_texts(suite: Suite, begun: Instance) -> list[TextRequest]:
    """The texts that a question wants before any stage.

    Raises:
        Skip: this question cannot be built.
        UsageError: a part asks for a text that it did not announce, or two texts go to one place.
    """
    if not suite.text_kinds:
        return []
    requests = _request(suite, suite.task, begun, ())
    askers = suite.stages[: suite.last_asking]
    for number, stage in enumerate(askers, 1):
        requests += _request(suite, stage, begun, requests)
        if number < len(askers):
            with blame(stage):
                begun = stage.apply(begun, count_nothing)
    return requests


def _request(suite: Suite, part: Stage | Task, instance: Instance, before: Sequence[TextRequest]) -> list[TextRequest]:
    """The requests of one part, whose kinds must be named and whose places must be free."""
    with blame(part):
        requests = list(part.text_requests(instance))
    if unnamed := {request.kind for request in requests} - suite.text_kinds:
        raise UsageError(
            f"{name_part(part)}: text_requests() asks for {min(unnamed)!r}, which text_kinds() does not name"
        )
    places = [request.place for request in (*before, *requests)]
    if taken := next((place for place in places if places.count(place) > 1), None):
        raise UsageError(
            f"{name_part(part)}: two texts go to the place {taken!r}: give each TextRequest a place of its own"
        )
    return requests


def draft_texts(begun: Instance, requests: Sequence[TextRequest]) -> Instance:
    """The question with the first text that the rule would write for each request."""
    return replace(begun, texts={each.place: draft_text(each) for each in requests}) if requests else begun


def apply_stages(suite: Suite, begun: Instance, count_tokens: CountTokens = count_nothing) -> Instance:
    """The question as it is shown, and its twin if the task wants one. The rule writes missing texts, unchecked.

    Raises:
        Skip: this question cannot be built.
    """
    instance = _apply_each(suite.stages, begun, count_tokens)
    if not suite.task.twin:
        return instance
    other = {name: value for name, value in suite.task.twin.items() if name in begun.axes}
    twin = _apply_each(suite.stages, replace(begun, axes={**begun.axes, **other}), count_tokens)
    return replace(instance, twin=twin)


def _apply_each(stages: Sequence[Stage], instance: Instance, count_tokens: CountTokens) -> Instance:
    for stage in stages:
        with blame(stage):
            instance = stage.apply(instance, count_tokens)
    return instance
