"""Finds where a reply goes on with another question, or with its own prompt: what it says there is no answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from pytest_codereason.questions.replies.pieces.strings import has_any

#: Such places that are looked at, the first ones, and characters before each.
_MAX_QUESTIONS, _MAX_BEFORE = 3, 40
_QUESTION = (
    r"\[(?:CODE|TITLE)\]|\[ASSERTION\]\s*[^\n]*\?\?"
    r"|(?:Human|User|Question|Q|Instruction|Problem|Exercise)[ \t]*\d*[ \t]*:"
)
#: What every such place has, so that most replies are passed over at once.
_SIGNS = ("??", "[CODE]", "Human", "User", "Q", "Instruction", "Problem", "Exercise")
_LINE_START = re.compile(r"(?:\A|\n)[ \t#]*\Z")


def list_beginnings(text: str, title: str) -> Iterator[str]:
    """What stands before each other question in a reply, the shortest first; ``title`` is that of the language."""
    if not has_any(text, _SIGNS) and not ("[" in text and f"[{title.upper()}]" in text):
        return
    starts = (
        question.start()
        for question in _compile(title).finditer(text)
        if _LINE_START.search(text[max(0, question.start() - _MAX_BEFORE) : question.start()])
    )
    for start in islice(starts, _MAX_QUESTIONS):
        if text[:start].strip():
            yield text[:start]


@lru_cache(maxsize=64)
def _compile(title: str) -> re.Pattern[str]:
    return re.compile(_QUESTION.replace("TITLE", re.escape(title.upper())))
