"""Two lists as text, position by position: which differ is what a reader looks for in a miss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

_OPEN, _CLOSE = "([{", ")]}"

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; ``differs`` where the other list has something else at this position."""

    text: str
    differs: bool = False


def compare(expected: str, answer: str) -> tuple[list[Piece], list[Piece], str]:
    """The pieces of both texts, and in words how many positions differ (empty where they are no lists).

    Texts are compared as they are written, blanks aside; nothing is evaluated.
    """
    left, right = _items(expected), _items(answer)
    if left is None or right is None:
        return [Piece(expected)], [Piece(answer)], ""
    pairs = zip_longest((expected[a:b] for a, b in left), (answer[a:b] for a, b in right))
    differing = [a != b for a, b in pairs]
    count, of = sum(differing), len(differing)
    text = f"{count} of {of} position{'s' * (of != 1)} differ{'s' * (count == 1)}"
    return _marked(expected, left, differing), _marked(answer, right, differing), text


def _marked(text: str, items: list[Span], differing: list[bool]) -> list[Piece]:
    pieces, at = [], 0
    for (start, end), differs in zip(items, differing, strict=False):
        pieces += [Piece(text[at:start]), Piece(text[start:end], differs)]
        at = end
    return [*pieces, Piece(text[at:])]


def _items(text: str) -> list[Span] | None:
    """Where the items of ``[...]`` or ``array(...)`` stand, without blanks; ``None`` for anything else."""
    end = len(text.rstrip())
    for opening, closing in (("[", "]"), ("array(", ")")):
        start = len(text) - len(text.lstrip()) + len(opening)
        if text[:start].lstrip() == opening and start < end and text[end - 1] == closing:
            spans = [_bare(text, *span) for span in _split(text, start, end - 1)]
            return spans if spans != [(end - 1, end - 1)] else []
    return None


def _bare(text: str, start: int, end: int) -> Span:
    """The span without blanks at its ends."""
    item = text[start:end]
    return (end - len(item.lstrip()), start + len(item.rstrip())) if item.strip() else (end, end)


def _split(text: str, start: int, end: int) -> Iterator[Span]:
    """``text[start:end]`` cut at the commas that stand in no bracket and no quotes."""
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
