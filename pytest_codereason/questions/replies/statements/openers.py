"""Finds what stands right before the arguments of a call: the name of a function with its bracket, or a cast."""

from __future__ import annotations

import re

from pytest_codereason.questions.replies.statements import forms

#: Characters of a name, and of words before a call.
_MAX_NAME, _MAX_WORDS = 120, 60


def find_opener(before: str) -> re.Match[str] | None:
    """The name and the bracket at the end of a text."""
    return forms.OPENER.search(before[-_MAX_NAME:]) if before.rstrip().endswith("(") else None


def drop_casts(before: str) -> str:
    """A text without the casts and words such as ``await`` at its end, which change no value."""
    while not before.endswith("(") and (
        cast := forms.CAST.search(before[-_MAX_WORDS:]) or forms.WRAPPED.search(before[-_MAX_WORDS:])
    ):
        before = before[: -len(cast[0])]
    return before
