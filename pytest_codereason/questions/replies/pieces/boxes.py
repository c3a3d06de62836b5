r"""Finds what a reply puts into a box of LaTeX, the mark of a result in mathematics: ``\boxed{39}``.

A box that a sentence denies (``it is not \boxed{38}``), doubts or gives as an example is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pytest_codereason.core.text.brackets import find_closing_bracket
from pytest_codereason.questions.replies.statements.denials import (
    CONTRASTS,
    EXAMPLES,
    GUESSES,
    NEGATED,
    NEGATIONS,
    UNEQUAL,
    WRONG,
)

#: Boxes that are read, the last ones, and characters of each.
_MAX_BOXES, _MAX_LENGTH = 5, 2_000
#: Characters on either side of a box that are looked at.
_MAX_AROUND = 200
_BOX = re.compile(r"\\f?boxed[ \t]*\{")
_WORDS = re.compile(r"\\(?:text|textbf|texttt|mathbf|mathrm|mathtt)\{([^{}]*)\}")
#: A number with commas between thousands reads like several numbers. An escape of LaTeX is another one in code.
_UNCLEAR = re.compile(r"\s*[-+]?\d{1,3}(?:,\d{3})+\s*|.*\\[{}_%#$&].*", re.DOTALL)
#: What begins a sentence or a clause with a statement of its own.
_CLAUSE = re.compile(r"(?<!\be\.g)[.;!?](?=\s)|\n|,[ \t]*(?=(?:so|thus|hence|therefore|then|but|we)\b)", re.IGNORECASE)
_DENIED_BEFORE = re.compile(
    rf"\b(?:or|format|{NEGATIONS}|{GUESSES}|{CONTRASTS}|{EXAMPLES}|{WRONG})(?!\w)|{NEGATED}\b|{UNEQUAL}", re.IGNORECASE
)
_DENIED_AFTER = re.compile(
    rf"[\s$*`)\]\\]*(?:(?:is|was|seems|looks)[ ](?:\w+[ ])?(?:{NEGATIONS}|{WRONG})\b"
    rf"|(?:cannot|fails|\w+{NEGATED})\b|neq?\b|{UNEQUAL}|\?)",
    re.IGNORECASE,
)


class Box(NamedTuple):
    """What a box holds, and where it stands."""

    content: str
    start: int
    end: int


def find_boxes(text: str, pay: Callable[[int], bool]) -> Iterator[Box]:
    """The closed boxes by which ``text`` states something, the last 5 from the last one on.

    ``pay`` is asked for each character of a box: many boxes may begin in one another.
    """
    for opening in reversed(list(_BOX.finditer(text))[-_MAX_BOXES:]):
        inside = text[opening.end() : opening.end() + _MAX_LENGTH]
        if not pay(len(inside)):
            return
        length = find_closing_bracket(inside, 0, "}")
        if length is None or _is_denied(text, opening.start(), opening.end() + length + 1):
            continue
        content = inside[:length].strip()
        if words := _WORDS.fullmatch(content):
            content = words[1]
        if content and not _UNCLEAR.fullmatch(content):
            yield Box(content, opening.start(), opening.end() + length + 1)


def _is_denied(text: str, start: int, end: int) -> bool:
    clause = _CLAUSE.split(text[max(0, start - _MAX_AROUND) : start])[-1]
    return bool(_DENIED_BEFORE.search(clause) or _DENIED_AFTER.match(text, end, end + _MAX_AROUND))
