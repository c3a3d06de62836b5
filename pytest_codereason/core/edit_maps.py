"""A text before and after a change, with the map from old to new places.

The old text is cut into stretches. The new text is those stretches, perhaps in another order, with new text between
them. The stretches are the map.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from pytest_codereason.core.language.structure import Span
from pytest_codereason.errors import BadEdit


class Piece(NamedTuple):
    """A stretch of the old text and what became of it; one of the two is empty for text that came or went."""

    old: Span
    new: Span
    kept: bool  #: whether the characters are the same


#: Start and end of a stretch of the old text, and what stands for it: itself (``None``), or another text.
Part = tuple[int, int, str | None]


@dataclass(frozen=True)
class Applied:
    """A text before and after some edits. Offsets count characters; lines count from 1 and end with ``\\n``."""

    before: str
    text: str
    parts: tuple[Part, ...]  #: in the order of ``text``

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The new place of each stretch, in the order of ``text``."""
        pieces, at = [], 0
        for first, last, text in self.parts:
            end = at + (last - first if text is None else len(text))
            pieces.append(Piece(Span(first, last), Span(at, end), text is None))
            at = end
        return tuple(pieces)

    def offset(self, old: int) -> int | None:
        """The new offset of the character at ``old``, ``None`` if it was removed. The end stays the end."""
        if not 0 <= old <= len(self.before):
            raise BadEdit(f"offset {old} lies outside a text of {len(self.before)} characters")
        if old == len(self.before):
            return len(self.text)
        piece = self._by_old[bisect_right(self._by_old, old, key=lambda p: p.old.start) - 1]
        return piece.new.start + old - piece.old.start if piece.kept else None

    def line(self, old: int) -> int | None:
        """The new number of a line, ``None`` if the whole line was removed.

        The first remaining character of the line that is not a blank decides; else the text that replaced
        a part of the line; else its first remaining blank.
        """
        if not 1 <= old < len(self._starts):
            raise BadEdit(f"there is no line {old}: the text has {len(self._starts) - 1} lines")
        place = next(self._trace_back(self._starts[old - 1], self._starts[old]), None)
        return None if place is None else self.text.count("\n", 0, place) + 1

    def span(self, old: Span) -> Span | None:
        """The new place of a text, from its first remaining character that is no blank to its last.

        What replaced a part of the text counts as a part of it, and so does what was inserted within. ``None`` if the
        text was removed, or moved in two pieces.
        """
        inside: list[tuple[int, int]] = []
        around: list[tuple[int, int]] = []  # new text for something wider
        for first, behind, text, new in self._find_parts(old.start, old.end):
            start = max(first, old.start)
            kept = self.before[start : min(behind, old.end)] if text is None else text
            if stripped := kept.strip():
                at = new + kept.index(stripped) + (start - first if text is None else 0)
                within = text is None or (old.start <= first and behind <= old.end)
                (inside if within else around).append((at, at + len(stripped)))
        if not (found := inside or around):
            return None
        place = Span(min(start for start, _ in found), max(end for _, end in found))
        return None if self._is_torn(old, place) else place

    def _is_torn(self, old: Span, new: Span) -> bool:
        """Whether old text from without a stretch stands in its new place."""
        at = 0
        for first, behind, text in self.parts:
            end = at + (behind - first if text is None else len(text))
            if text is None and at < new.end and end > new.start:
                shift = first - at
                start, last = max(at, new.start) + shift, min(end, new.end) + shift
                without = self.before[start : min(last, old.start)] + self.before[max(start, old.end) : last]
                if without.strip():
                    return True
            at = end
        return False

    def _trace_back(self, start: int, end: int) -> Iterator[int]:
        """The remaining characters of a line, as offsets in the new text, the best evidence first."""
        last = len(self.before)
        around = self._find_parts(start, end)
        left = [
            (i, new - first + i)
            for first, behind, text, new in around
            if text is None
            for i in range(max(first, start), min(behind, end))
        ]
        if start <= last < end:
            left.append((last, len(self.text)))
        yield from (new for i, new in left if i < last and not self.before[i].isspace())
        yield from (new for first, _, text, new in around if first >= start and text is not None and text.strip())
        yield from (new for _, new in left)

    def _find_parts(self, start: int, end: int) -> list[tuple[int, int, str | None, int]]:
        """The parts that hold some of a stretch of the old text, in its order, each with its offset in the new text.

        A map may have a part for each word of a program, and pieces of all of them take long to make.
        """
        around, at = [], 0
        for first, behind, text in self.parts:
            if first < end and behind > start:
                around.append((first, behind, text, at))
            at += behind - first if text is None else len(text)
        around.sort(key=itemgetter(0))
        return around

    @cached_property
    def _by_old(self) -> list[Piece]:
        return sorted(piece for piece in self.pieces if piece.old.start < piece.old.end)

    @cached_property
    def _starts(self) -> list[int]:
        """The offset at which each line starts. The end of the text belongs to the last line."""
        return [0, *(end.end() for end in re.finditer("\n", self.before)), len(self.before) + 1]
