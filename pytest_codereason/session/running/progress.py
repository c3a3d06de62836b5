"""Shows how far a run is: in one changing line on a terminal, in a new line now and then in a log.

With ``-q`` the lines become rarer as the run goes on, and questions have no letters: a log of hours stays short.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

import pytest

from pytest_codereason.core import SCORED, Record

#: Between two refreshes of the live line, and between two lines in a log, in seconds.
LIVE_S, LOG_S = 0.2, 30.0
#: With ``-q`` each wait is twice as long as the one before, up to this. Some machines of CI end a job that is silent.
MOST_SILENT_S = 540.0


class Progress:
    """Counts what comes in and says so."""

    def __init__(self, terminal: pytest.TerminalReporter | None, expected: int) -> None:
        self._terminal = terminal
        self.live = bool(terminal and terminal.isatty and terminal.verbosity == 0)
        self._quiet = bool(terminal and terminal.verbosity < 0)
        self._wait = LOG_S
        self._expected = expected
        self._done = self._asked = self._scored = self._right = self._errors = self._tokens = 0
        self._cost: float | None = 0.0
        self._began = self._said = time.monotonic()

    @property
    def replaces_letters(self) -> bool:
        """Whether questions get no letter of their own, such as the dot of a right answer."""
        return self.live or self._quiet

    def begin(self) -> None:
        """Says that questions are on their way: the first answer may take a while."""
        if self.live and self._terminal is not None:
            self._terminal.write_line("")
            self._terminal.rewrite(f"0/{self._expected:,} · waiting for the first answers", erase=True)

    def add(self, records: Iterable[Record]) -> None:
        """Counts the records of one item."""
        self._done += 1
        for record in records:
            scored = record.outcome in SCORED
            counts = scored and not record.repeat
            self._scored += counts
            self._right += counts and record.outcome == "correct"
            self._errors += record.outcome == "error"
            if scored and not record.reused:
                self._asked += 1
                self._tokens += int((record.usage.get("prompt") or 0) + (record.usage.get("completion") or 0))
                paid = record.cost
                self._cost = None if paid is None or self._cost is None else self._cost + paid
        self._say()

    def _say(self) -> None:
        if self._terminal is None:
            return
        now = time.monotonic()
        if self.live:
            if now - self._said >= LIVE_S or self._done == self._expected:
                self._said = now
                self._terminal.rewrite(self.format_line(now), erase=True)
        elif now - self._said >= self._wait and self._done < self._expected:
            self._said = now
            if self._quiet:
                self._wait = min(2 * self._wait, MOST_SILENT_S)
            self._terminal.ensure_newline()
            self._terminal.write_line(self.format_line(now))

    def format_line(self, now: float) -> str:
        """Done, right, rate, tokens, cost, time left; as much as fits the terminal."""
        took = max(now - self._began, 1e-6)
        parts = [f"{self._done:,}/{self._expected:,} {self._done * 100 // max(self._expected, 1)}%"]
        if self._scored:
            parts.append(f"right {self._right / self._scored:.1%}")
        if self._errors:
            parts.append(f"{self._errors:,} unanswered")
        if self._asked >= 5:
            parts.append(f"{self._asked / took:.1f} answers/s")
        if self._tokens:
            parts.append(f"{shorten_number(self._tokens)} tokens")
        if self._cost:
            parts.append(f"${self._cost:.2f}")
        # Answers come in batches: a rate of the first few foretells nothing.
        if self._expected > self._done >= max(5, self._expected // 20):
            parts.append(f"{format_clock((self._expected - self._done) * took / self._done)} left")
        assert self._terminal is not None
        width = self._terminal._tw.fullwidth - 1
        while len(parts) > 1 and len(" · ".join(parts)) > width:
            parts.pop(-2 if len(parts) > 2 else -1)
        return " · ".join(parts)[:width]


def shorten_number(number: float) -> str:
    """``1234567`` as ``1.2M``."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.1f}{unit}"
    return f"{number:.0f}"


def format_clock(seconds: float) -> str:
    """``125`` as ``2:05``."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
