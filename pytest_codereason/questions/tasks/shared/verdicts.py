"""Verdicts with as much of their texts as a record keeps, and the reason for an answer that was cut off."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.core import ANSWERED, Metric, Outcome, Value, Verdict

#: Characters kept of an answer and of a reason.
MAX_ANSWER, MAX_REASON = 10_000, 200
#: Why an answer counts as truncated.
CUT_OFF = "the reply reached the limit on its length before an answer was complete"
#: What a verdict on a value says of arithmetic that is left in it, as in ``[1, 1 + 1]``.
RESOLVED_METRICS = (
    Metric(name="unresolved", title="Unresolved", of=ANSWERED, higher_is_better=False),
    Metric(name="exact_resolved", title="Exact and resolved"),
)


def measure_resolved(exact: float, value: Value | None) -> dict[str, float]:
    """The numbers of :data:`RESOLVED_METRICS`, by the value that an answer gives."""
    unresolved = float(value is not None and value.unresolved)
    return {"unresolved": unresolved, "exact_resolved": exact * (1 - unresolved)}


def make_verdict(
    outcome: Outcome, *, expected: str, answer: str | None, reason: str, metrics: Mapping[str, float]
) -> Verdict:
    """A verdict with as much of its texts as a record keeps."""
    return Verdict(
        outcome=outcome,
        expected=expected,
        answer=None if answer is None else answer[:MAX_ANSWER],
        reason=reason[:MAX_REASON],
        metrics=metrics,
    )
