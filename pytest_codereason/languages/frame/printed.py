"""Reads what a shell or a function for debugging prints for a value, one token after the other."""

from __future__ import annotations

import re
from typing import NoReturn

from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.literals import strip_blanks

_BLANKS = re.compile(r"\s*+")


class PrintedReader:
    """Reads a printed value. A subclass reads one value at a place by the patterns of its language."""

    def __init__(self, text: str) -> None:
        self._text = strip_blanks(text)
        self._at = 0

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What matches a pattern at the place, behind blanks. The place moves behind it."""
        start = _BLANKS.match(self._text, self._at).end()  # type: ignore[union-attr]  # matches anywhere
        if match := pattern.match(self._text, start):
            self._at = match.end()
        return match

    def expect(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """The same of what must stand there."""
        return self.take(pattern) or self.refuse()

    def end(self) -> None:
        """Makes sure that nothing else follows."""
        if self._text[self._at :].strip():
            self.refuse()

    def refuse(self) -> NoReturn:
        """Says that this is not what the language prints.

        Raises:
            NotALiteral: always.
        """
        raise NotALiteral("not a value as it is printed")
