"""Finds the items of a list that is written as text, so that two lists can be compared position by position."""

from __future__ import annotations

from collections.abc import Iterator

_OPEN, _CLOSE = "([{", ")]}"

Span = tuple[int, int]


def find_items(text: str) -> list[Span] | None:
    """The spans of the items of ``[...]`` or ``array(...)``, without blanks; ``None`` for any other text."""
    end = len(text.rstrip())
    for opening, closing in (("[", "]"), ("array(", ")")):
        start = len(text) - len(text.lstrip()) + len(opening)
        if text[:start].lstrip() == opening and start < end and text[end - 1] == closing:
            spans = [_trim(text, *span) for span in _split_at_commas(text, start, end - 1)]
            return spans if spans != [(end - 1, end - 1)] else []
    return None


def _trim(text: str, start: int, end: int) -> Span:
    """The span without blanks at its ends."""
    item = text[start:end]
    return (end - len(item.lstrip()), start + len(item.rstrip())) if item.strip() else (end, end)


def _split_at_commas(text: str, start: int, end: int) -> Iterator[Span]:
    """``text[start:end]`` cut at the commas outside brackets and quotes."""
    depth, quote, escaped = 0, "", False
    for i in range(start, end):
        char = text[i]
        if escaped:
            escaped = False
        elif quote:
            escaped = char == "\\"
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= 1
        elif char == "," and depth == 0:
            yield start, i
            start = i + 1
    yield start, end
