"""Verdicts with as much of their texts as a record keeps, and the reason for an answer that was cut off."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.core import Outcome, Verdict

#: Characters kept of an answer and of a reason.
MAX_ANSWER, MAX_REASON = 10_000, 200
#: Why an answer counts as truncated.
CUT_OFF = "the reply reached the limit on its length before an answer was complete"


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
