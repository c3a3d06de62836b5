"""Two lists as text, compared position by position, so that a reader of a miss sees which positions differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

_OPEN, _CLOSE = "([{", ")]}"

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A stretch of text; ``differs`` where the other list has something else at this position."""

    text: str
    differs: bool = False


def compare_lists(expected: str, answer: str) -> tuple[list[MarkedText], list[MarkedText], str]:
    """The pieces of both texts, and in words how many positions differ (empty if the texts are no lists).

    Items are compared as text without the blanks around them. Nothing is evaluated.
    """
    left, right = _find_items(expected), _find_items(answer)
    if left is None or right is None:
        return [MarkedText(expected)], [MarkedText(answer)], ""
    pairs = zip_longest((expected[a:b] for a, b in left), (answer[a:b] for a, b in right))
    differing = [a != b for a, b in pairs]
    count, of = sum(differing), len(differing)
    text = f"{count} of {of} position{'s' * (of != 1)} differ{'s' * (count == 1)}"
    return _mark_differences(expected, left, differing), _mark_differences(answer, right, differing), text


def _mark_differences(text: str, items: list[Span], differing: list[bool]) -> list[MarkedText]:
    pieces, at = [], 0
    for (start, end), differs in zip(items, differing, strict=False):
        pieces += [MarkedText(text[at:start]), MarkedText(text[start:end], differs)]
        at = end
    return [*pieces, MarkedText(text[at:])]


def _find_items(text: str) -> list[Span] | None:
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
