"""Makes the record of a question that was not asked."""

from __future__ import annotations

from pytest_codereason.core import Outcome, Record, Spec
from pytest_codereason.suites.suite import Suite


def make_unasked(
    suite: Suite,
    spec: Spec,
    model: str,
    sample: int,
    reason: str,
    *,
    outcome: Outcome = "error",
    traceback: str = "",
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
    )
