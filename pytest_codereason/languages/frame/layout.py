"""A program in a uniform layout, with the map from its old text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_codereason.core.edit_maps import Applied, Part

if TYPE_CHECKING:
    pass


class LaidOut(Applied):
    """A text before and after the layout.

    The map is computed when it is first needed, because most programs have no fact that needs it.

    Args:
        find_tokens: Returns start and end of every token of the old text, in order, without comments. A layout keeps
            the order of the tokens. It may change blanks inside tokens, drop tokens, and add semicolons.
    """

    def __init__(self, before: str, text: str, find_tokens: Callable[[], Iterable[tuple[int, int]]]) -> None:
        object.__setattr__(self, "before", before)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "_find_tokens", find_tokens)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The new place of each stretch."""
        if self.before == self.text:
            return ((0, len(self.text), None),) if self.text else ()
        find_tokens: Callable[[], Iterable[tuple[int, int]]] = self._find_tokens  # type: ignore[attr-defined]
        parts: list[Part] = []
        old = new = 0
        for start, end in find_tokens():
            for at in _list_candidates(self.text, new, self.before[start]):
                kept = _match(self.before, start, end, self.text, at)
                if kept:
                    if old < start or new < at:
                        parts.append((old, start, self.text[new:at]))
                    parts += kept
                    old, new = end, at + sum(last - first for first, last, text in kept if text is None)
                    break
        if old < len(self.before) or new < len(self.text):
            parts.append((old, len(self.before), self.text[new:]))
        return tuple(parts)


def _list_candidates(text: str, at: int, first: str) -> Iterator[int]:
    """The places where the next token may begin: here, after the blanks, or after an added semicolon."""
    yield at
    while at < len(text) and (text[at].isspace() or (text[at] == ";" and first != ";")):
        at += 1
        yield at


def _match(before: str, start: int, end: int, text: str, at: int) -> list[Part]:
    """The stretches of a token at ``at``, empty if another token is there. Blanks inside the token may be missing."""
    if text.startswith(before[start:end], at):
        return [(start, end, None)]
    parts: list[Part] = []
    begin = start
    for i in range(start, end):
        if at < len(text) and before[i] == text[at]:
            at += 1
        elif before[i].isspace():
            if begin < i:
                parts.append((begin, i, None))
            parts.append((i, i + 1, ""))
            begin = i + 1
        else:
            return []
    if begin < end:
        parts.append((begin, end, None))
    return parts
