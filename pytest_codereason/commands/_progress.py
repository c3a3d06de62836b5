"""How far a long command is, on standard error: from the first second on, and again and again."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from pytest_codereason.core.display import write_over
from pytest_codereason.core.text.wording import count, plural

#: Seconds between two lines: on a terminal, where a line replaces the one before, and in a log.
_CHANGES, _LOGS = 0.2, 30.0
#: Seconds of work of which nothing is said.
_QUIET = 2.0


class ProgressCount:
    """``120 of 400 texts``: on a terminal one line that changes, in a log a line each tenth and each half minute."""

    def __init__(self, total: int, noun: str, *, now: Callable[[], float] = time.monotonic) -> None:
        self._total, self._noun, self._now = total, noun, now
        self._terminal = sys.stderr.isatty()
        self._shown, self._tenth = now(), 0
        self._show(0)

    def __call__(self, done: int) -> None:
        """Says that so many are done, if it is time to."""
        tenth, waited = done * 10 // max(1, self._total), self._now() - self._shown
        is_last = done >= self._total
        due = waited >= _CHANGES if self._terminal else tenth > self._tenth or waited >= _LOGS
        if due or is_last:
            self._shown, self._tenth = self._now(), tenth
            self._show(done, end="\n" if is_last else "")

    def _show(self, done: int, end: str = "") -> None:
        line = f"{count(done)} of {plural(self._total, self._noun)}"
        if self._terminal:
            write_over(line, end)
        else:
            print(line, file=sys.stderr, flush=True)


class SaidLate:
    """A line about work that is mostly done at once: it is said if the work takes long."""

    def __init__(self, line: str, *, now: Callable[[], float] = time.monotonic) -> None:
        self._line, self._now, self._began = line, now, now()

    def wait(self) -> None:
        """Says the line if it is time to, once."""
        if self._line and self._now() - self._began > _QUIET:
            print(self._line, file=sys.stderr, flush=True)
            self._line = ""
