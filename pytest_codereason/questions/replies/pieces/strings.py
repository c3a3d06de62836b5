"""Finds string literals in the text of a reply, so that nothing within them is changed or read as a mark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

#: A string on one line, or between three quotes. A quote behind a letter, as in ``don't``, opens none;
#: backticks are quotes where code has a value, else they mark code in prose.
#: Groups are not repeated possessively: Python 3.11.2, which Debian 12 has, then matches something else (gh-100061).
STRING = (
    r"(?<!\w)(?:[bBrRuUfF]{1,2})?"
    r"(?:'''(?:[^'\\]|\\.|'(?!'')){0,2000}'''"
    r'|"""(?:[^"\\]|\\.|"(?!"")){0,2000}"""'
    r"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*'"
    r'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"'
    r"|(?:(?<=[(\[,=])|(?<=[(\[,=] ))`[^`\\\n]*+(?:\\.[^`\\\n]*+)*`)"
)
_STRING = re.compile(STRING, re.DOTALL)
#: Characters on either side of a place in which a string around it begins and ends.
_MAX_AROUND = 300


def compile_outside(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Matches a string, or ``pattern`` outside of strings: then the group ``outside`` matches."""
    return re.compile(rf"(?s:{STRING})|(?P<outside>{pattern})", flags)


def replace_outside(pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str], text: str) -> str:
    """``text`` with each match outside of strings replaced; ``pattern`` is one of :func:`compile_outside`."""
    return pattern.sub(lambda match: match[0] if match["outside"] is None else replace(match), text)


def has_any(text: str, signs: Iterable[str]) -> bool:
    """Whether a text has any of some short signs. A search for each is faster than any pattern."""
    for sign in signs:  # noqa: SIM110
        if sign in text:
            return True
    return False


def stands_in_string(text: str, start: int, end: int) -> bool:
    """Whether a string on the line of ``start`` holds the text from ``start`` to ``end``."""
    low = max(0, start - _MAX_AROUND)
    line_start = text.rfind("\n", low, start) + 1 or low
    before = text[line_start:start]
    if "'" not in before and '"' not in before and "`" not in before:
        return False
    for string in _STRING.finditer(text, line_start, end + _MAX_AROUND):
        if string.start() < start and end < string.end():
            return True
        if string.start() > start:
            break
    return False
