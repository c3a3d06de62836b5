"""Makes the record of a question that was not asked."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.core import EMPTY, Outcome, Record, Spec
from pytest_codereason.errors import NoText, Skip
from pytest_codereason.questions.suites.suite import Suite


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
        rejections=rejections,
    )


def make_skipped(suite: Suite, spec: Spec, model: str, sample: int, skip: Skip) -> Record:
    """The record of a question that does not exist, with what failed while a text of it was chosen."""
    rejections = skip.rejections if isinstance(skip, NoText) else EMPTY
    return make_unasked(suite, spec, model, sample, str(skip), outcome="skipped", rejections=rejections)
