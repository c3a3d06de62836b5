"""Reads equations with steps: ``6 * 7 = 42``."""

from __future__ import annotations

from pytest_codereason.questions.replies.literals import Candidate, LiteralReader
from pytest_codereason.questions.replies.statements import forms
from pytest_codereason.questions.replies.statements.tails import ends_prose

#: Characters of the steps.
_MAX_STEPS = 500


def read_chain(reader: LiteralReader, text: str, start: int) -> tuple[Candidate, int] | None:
    """The last value of an equation with steps, and where it ends: ``6 * 7 = 42``."""
    start += len(text[start : start + 80]) - len(text[start : start + 80].lstrip())
    steps = forms.STEPS.match(text, start, start + _MAX_STEPS)
    return reader.read_at(text, steps.end(), comma_ends=True, ends=ends_prose) if steps else None
