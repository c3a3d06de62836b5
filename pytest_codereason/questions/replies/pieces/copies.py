"""Knows the lines of a program again that a reply copies: what they say is no answer."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

_FILLED = re.compile(r"\S[^\n]*")


class Copies:
    """The lines of a program, each with the line above. Of the first line the line below is known.

    A reader that is given this and no text takes linear time for the program, however long it is. So a short reply
    about a long program is read without a second process (see :mod:`pytest_codereason.core.reading`).
    """

    def __init__(self, program: str) -> None:
        self.program = program

    def has_line(self, text: str, at: int) -> bool:
        """Whether the line of a place stands in the program, after the same line as in ``text``.

        A prefill may stand before the first line.
        """
        start = text.rfind("\n", 0, at) + 1
        end = text.find("\n", start)
        line, above = text[start : None if end < 0 else end].strip(), ""
        first = _take_first(self.program)
        is_first = line.endswith(first)
        if not first or not (is_first or line in self.program):  # which needs no pairs
            return False
        pairs = _list_pairs(self.program)
        if is_first and (first, _take_line(text, end)) in pairs:
            return True
        while start and not above:
            end, start = start, text.rfind("\n", 0, start - 1) + 1
            above = text[start:end].strip()
        return (first if above.endswith(first) else above, line) in pairs


@lru_cache(maxsize=256)
def _take_first(program: str) -> str:
    return _take_line(program, 0)


@lru_cache(maxsize=256)
def _list_pairs(program: str) -> frozenset[tuple[str, str]]:
    """Each line of a program with the line above."""
    return frozenset(pairwise(line.strip() for line in program.split("\n") if line.strip()))


def _take_line(text: str, start: int) -> str:
    """The first line behind ``start`` that is not blank."""
    line = _FILLED.search(text, start) if start >= 0 else None
    return line[0].strip() if line else ""
