"""What the records of one question add up to: all that a session counts while it goes on.

A session counts tallies and writes lines. It keeps no record, and reads none again before its end: what asks a
question, in this process or another, has the records, and makes both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pytest_codereason.core import SCORED, Record
from pytest_codereason.core.text.wording import clip
from pytest_codereason.engine.storage.run_folder import write_line


class AnswerTally(NamedTuple):
    """The sums over the records of one question to one model."""

    outcome: str  #: ``correct``, ``miss``, ``skipped``, ``error``
    line: str  #: explains the outcome
    right: float  #: the share of its answers that are right
    suite: str
    language: str
    model: str
    plan: str
    is_asked: bool  #: whether any of them is more than a skipped question
    scored: int = 0  #: answers that count in scores
    correct: int = 0  #: of those
    errors: int = 0
    answered: int = 0  #: answers that were given in this run
    tokens: int = 0  #: of those
    cost: float | None = 0.0  #: of those, in US dollars; ``None`` if one of them has no known price
    tracebacks: tuple[tuple[str, str], ...] = ()  #: of parts that raised: each a reason and a traceback
    oldest: float = math.inf  #: when the oldest answer taken from the store was given
    oldest_text: float = math.inf  #: when the oldest text taken from the store was written


class Answered(NamedTuple):
    """A question with its answers."""

    tally: AnswerTally
    lines: bytes  #: its records, as they stand in ``records.jsonl``


def sum_up(records: Sequence[Record]) -> Answered:
    """The tally and the lines of the records of one question."""
    outcome, line = judge_item(records)
    first = records[0]
    counted = [each for each in records if each.outcome in SCORED and not each.repeat]
    answered = [each for each in records if each.outcome in SCORED and not each.reused]
    costs = [each.cost for each in answered]
    reused = (step.answered_at or math.inf for each in records if each.reused for step in each.steps)
    texts = (each or math.inf for record in records for each in record.texts_reused.values())
    tally = AnswerTally(
        outcome=outcome,
        line=line,
        right=sum(each.outcome == "correct" for each in records) / len(records),
        suite=first.suite,
        language=first.language,
        model=first.model,
        plan=first.plan,
        is_asked=any(each.outcome != "skipped" for each in records),
        scored=len(counted),
        correct=sum(each.outcome == "correct" for each in counted),
        errors=sum(each.outcome == "error" for each in records),
        answered=len(answered),
        tokens=sum(int((r.usage.get("prompt") or 0) + (r.usage.get("completion") or 0)) for r in answered),
        cost=None if None in costs else sum(each or 0.0 for each in costs),
        tracebacks=tuple((each.reason, each.traceback) for each in records if each.traceback),
        oldest=min(reused, default=math.inf),
        oldest_text=min(texts, default=math.inf),
    )
    return Answered(tally, b"".join(write_line(each.row()) for each in records))


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
