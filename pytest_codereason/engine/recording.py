"""Makes the records of questions: answered, not answered, or never asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pytest_codereason.core import EMPTY, Instance, Outcome, Record, Spec, Verdict, shallow
from pytest_codereason.engine.sample_steps import SampleSteps
from pytest_codereason.errors import NoText, Skip, find_traceback
from pytest_codereason.questions.suites.suite import Suite


class Sample(NamedTuple):
    """One of several answers to a question of a suite, which a model gives."""

    suite: Suite
    instance: Instance
    model: str  #: its label
    number: int
    repeat: int = 0  #: 1 for the answer to the same sample once more


def make_answered(sample: Sample, taken: SampleSteps, verdict: Verdict, trace: Mapping[str, float]) -> Record:
    """The record of an answer with its verdict; ``trace`` measures its reasoning."""
    return Record(
        **_describe(sample),
        **shallow(verdict),
        response=taken.steps[-1].response if taken.steps else None,
        steps=taken.steps,
        usage=shallow(taken.usage),
        trace=trace,
        cost=taken.cost,
        latency_s=taken.latency_s,
        reused=bool(taken.steps) and taken.reused,  # a task may decide without asking
        sandbox=taken.sandbox,
    )


def make_unanswered(sample: Sample, taken: SampleSteps, error: Exception) -> Record:
    """The record of a question to which there is no answer, with the steps that were taken. No model is to blame."""
    if isinstance(error, Skip):
        return Record(**_describe(sample), outcome="skipped", reason=str(error))
    trace = find_traceback(error)
    return Record(**_describe(sample), outcome="error", reason=str(error), steps=taken.steps, traceback=trace)


def _describe(sample: Sample) -> dict[str, Any]:
    """The fields of a record that tell what was asked."""
    suite, instance = sample.suite, sample.instance
    return {
        "id": instance.id,
        "family": instance.family,
        "suite": suite.name,
        "task": suite.task.name,
        "language": instance.language,
        "axes": instance.matrix,
        "model": sample.model,
        "sample": sample.number,
        "repeat": sample.repeat,
        "plan": suite.plan,
        "program_sha": instance.program.sha,
        "repository": instance.program.repository,
        "hint_by": instance.hint_by,
        "texts_by": instance.texts_by,
        "texts_reused": instance.texts_reused,
        "rejections": instance.rejections,
        "unchanged": instance.unchanged,
        "checked_calls": instance.checked_calls,
        "forms": instance.forms,
    }


def make_unasked(
    suite: Suite,
    spec: Spec,
    model: str,
    sample: int,
    reason: str,
    *,
    outcome: Outcome = "error",
    traceback: str = "",
    rejections: Mapping[str, Mapping[str, int]] = EMPTY,
) -> Record:
    """The record of a question that was not asked. The model is not to blame."""
    return Record(
        id=spec.id,
        family=suite.family(spec),
        suite=suite.name,
        task=suite.task.name,
        language=spec.language,
        axes=dict(spec.axes),
        model=model,
        sample=sample,
        outcome=outcome,
        reason=reason,
        plan=suite.plan,
        traceback=traceback,
        rejections=dict(rejections),  # EMPTY cannot be pickled, and records may wait for their turn on disk
    )


def make_unbuilt(suite: Suite, spec: Spec, model: str, sample: int, error: Exception) -> Record:
    """The record of a question that could not be built, or that does not exist: a :class:`Skip`."""
    if not isinstance(error, Skip):
        return make_unasked(suite, spec, model, sample, str(error), traceback=find_traceback(error))
    rejections = error.rejections if isinstance(error, NoText) else EMPTY  # what failed while a text was chosen
    return make_unasked(suite, spec, model, sample, str(error), outcome="skipped", rejections=rejections)
