"""Judges an item by its records."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_codereason.core import Record
from pytest_codereason.core.text.wording import clip


def judge_item(records: Sequence[Record]) -> tuple[str, str]:
    """An item's outcome (``correct``, ``miss``, ``skipped``, ``error``) and a line that explains it.

    An item is right if every sample is right. An item with an unanswered sample is an error. The answer to a question
    that is asked once more says nothing, unless it is missing.
    """
    for outcome in ("error", "skipped"):
        if first := next((r for r in records if r.outcome == outcome), None):
            return outcome, clip(first.reason, 300)
    records = [r for r in records if not r.repeat]
    missed = [r for r in records if r.outcome != "correct"]
    if not missed:
        return "correct", ""
    first = missed[0]
    line = f"expected {clip(first.expected)}, got {clip(first.answer) if first.answer is not None else 'no answer'}"
    if first.outcome != "wrong":
        line = f"{first.outcome}: {line}" + (f" ({clip(first.reason, 120)})" if first.reason else "")
    if len(records) > 1:
        line = f"{len(records) - len(missed)} of {len(records)} samples right; {line}"
    return "miss", line
