"""Says whether a reply denies an assertion: ``assert not f(81) == 38``. Has the words by which replies deny a value.

Readers of assertions, boxes, inline code and what follows a value build their patterns from these tables.
"""

from __future__ import annotations

import re

#: What denies a value behind it: ``it is not 38``.
NEGATIONS = r"not|never|cannot|neither|nor"
#: The end of a word that does the same: ``isn't``.
NEGATED = r"n['’]t"
#: What makes a value a guess.
GUESSES = r"maybe|perhaps|possibly|could|might"
#: What names a value beside the answer.
CONTRASTS = r"instead[ ]of|rather[ ]than|unlike|except"
#: What makes a value an example.
EXAMPLES = r"examples?,?|such[ ]as|e\.g\.?,?|like"
#: What is said of a value, or of an assertion, that is no answer.
WRONG = r"wrong|incorrect|incorrectly|false|impossible"
#: Signs that deny the value behind them.
UNEQUAL = r"\\neq?\b|!=|≠"

#: Characters before a call that are looked at.
_MAX_BEFORE = 60
#: What stands before the call, and what stands after the value.
_DENYING = re.compile(
    r"(?:\bnot\b[ \t(]*|!(?:[\w.]{0,40}\()*|\bassert[\w.]*(?:false|not)\w*[ \t]*\([ \t(]*)\Z", re.IGNORECASE
)
_DENIED = re.compile(r"[ \t)]*+(?:is|={2,3})[ \t]+(?:false|not[ \t]+true)\b", re.IGNORECASE)
#: What stands after a call, and says the same of its value or of the whole assertion.
_OTHER_VALUE = re.compile(
    r"[ \t)]*={2,3}[^\n;#'\"]{0,200}?(?:\bor\b|\|\|)|[ \t]*\)[ \t]*\.[ \t]*not\b"
    r"|[ \t]*={2,3}[^\n;]{0,200}?\)[ \t]*(?:is|={2,3})[ \t]+(?:false|not[ \t]+true)\b",
    re.IGNORECASE,
)


def denies_before(text: str, start: int) -> bool:
    """Whether the assertion whose call begins at ``start`` is denied before the call."""
    return _DENYING.search(text, max(0, start - _MAX_BEFORE), start) is not None


def denies_after(text: str, end: int) -> bool:
    """Whether an assertion is denied behind its value, which ends at ``end``: ``(f(81) == 38) is False``."""
    return _DENIED.match(text, end) is not None


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether the assertion is denied whose call begins at ``start`` and ends at ``end``."""
    return denies_before(text, start) or _OTHER_VALUE.match(text, end) is not None
