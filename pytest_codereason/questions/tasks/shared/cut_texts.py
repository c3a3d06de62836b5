"""How much of an answer and of its reason a record keeps, and the reason for an answer that the token limit cut off."""

from __future__ import annotations

#: Characters kept of an answer and of a reason.
MAX_ANSWER, MAX_REASON = 10_000, 200
#: Why an answer counts as truncated.
CUT_OFF = "the reply reached the limit on its length before an answer was complete"
