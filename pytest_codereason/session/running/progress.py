"""Shows how far a run is: in one changing line on a terminal, in a new line now and then in a log.

With ``-q`` the lines become rarer as the run goes on, and questions have no letters: a log of hours stays short.
"""

from __future__ import annotations

import time

import pytest

from pytest_codereason.engine.tallies import AnswerTally
from pytest_codereason.session.running.progress_file import EVERY_S, ProgressFile

#: Between two refreshes of the live line, and between two lines in a log, in seconds.
LIVE_S, LOG_S = 0.2, 30.0
#: With ``-q`` each wait is twice as long as the one before, up to this. Some machines of CI end a job that is silent.
MOST_SILENT_S = 540.0


class RunCounts:
    """What the answers of a run so far add up to."""

    def __init__(self) -> None:
        self.items = self.answered = self.scored = self.right = self.errors = self.tokens = 0
        self.ahead = 0  #: items that are answered and have not had their turn
        self.cost: float | None = 0.0

    def add(self, tally: AnswerTally | None) -> None:
        """Counts one item; ``None`` for one that was not needed."""
        self.items += 1
        self.ahead = max(0, self.ahead - 1)
        if tally is not None:
            self.scored += tally.scored
            self.right += tally.correct
            self.errors += tally.errors
            self.answered += tally.answered
            self.tokens += tally.tokens
            self.cost = None if tally.cost is None or self.cost is None else self.cost + tally.cost

    def list_words(self, expected: int, took: float) -> list[str]:
        """Done, right, rate, tokens, cost, time left, after so many seconds."""
        done = min(self.items + self.ahead, expected)
        parts = [f"{done:,}/{expected:,} {done * 100 // max(expected, 1)}%"]
        if self.scored:
            parts.append(f"right {self.right / self.scored:.1%}")
        if self.errors:
            parts.append(f"{self.errors:,} unanswered")
        if self.answered >= 5 and not self.ahead:  # of those ahead nobody knows yet which were asked anew
            parts.append(f"{self.answered / took:.1f} answers/s")
        if self.tokens:
            parts.append(f"{shorten_number(self.tokens)} tokens")
        if self.cost:
            parts.append(f"${self.cost:.2f}")
        # Answers come in batches: a rate of the first few foretells nothing.
        if expected > done >= max(5, expected // 20):
            parts.append(f"{format_clock((expected - done) * took / done)} left")
        return parts

    def describe(self, expected: int, took: float) -> dict[str, object]:
        """The same as numbers."""
        names = ("scored", "right", "errors", "answered", "tokens", "cost")
        counted = {name: getattr(self, name) for name in names}
        return {"done": min(self.items + self.ahead, expected), "of": expected, **counted, "took_s": round(took, 1)}


class Progress:
    """Says how far a run is, to the user and in a file.

    Args:
        expected: the number of items.
        file: is written now and then.
    """

    def __init__(
        self, terminal: pytest.TerminalReporter | None, expected: int, file: ProgressFile | None = None
    ) -> None:
        self._file = file
        self._terminal = terminal
        self.live = bool(terminal and terminal.isatty and terminal.verbosity == 0)
        self._quiet = bool(terminal and terminal.verbosity < 0)
        self._wait = LOG_S
        self._expected = expected
        self._counts = RunCounts()
        self._began = self._said = self._filed = time.monotonic()

    @property
    def replaces_letters(self) -> bool:
        """Whether questions get no letter of their own, such as the dot of a right answer."""
        return self.live or self._quiet

    def begin(self) -> None:
        """Says that questions are on their way: the first answer may take a while."""
        self._write_file(time.monotonic())
        if self.live and self._terminal is not None:
            self._terminal.write_line("")
            self._terminal.rewrite(f"0/{self._expected:,} · waiting for the first answers", erase=True)

    def add(self, tally: AnswerTally | None) -> None:
        """Counts one item; ``None`` for one that was not needed."""
        self._counts.add(tally)
        self._show(last=self._counts.items == self._expected)

    def wait(self, ahead: int) -> None:
        """The next item waits for its answer, and ``ahead`` later ones have theirs: a model may choose its order."""
        self._counts.ahead = ahead
        if ahead:
            self._show()

    def end(self) -> None:
        """The run has its report."""
        if self._file is not None:
            self._file.remove()

    def _show(self, *, last: bool = False) -> None:
        now = time.monotonic()
        if now - self._filed >= EVERY_S:
            self._write_file(now)
        if self._terminal is None:
            return
        if self.live:
            if now - self._said >= LIVE_S or last:
                self._said = now
                self._terminal.rewrite(self.format_line(now), erase=True)
        elif now - self._said >= self._wait and not last:
            self._said = now
            if self._quiet:
                self._wait = min(2 * self._wait, MOST_SILENT_S)
            self._terminal.ensure_newline()
            self._terminal.write_line(self.format_line(now))

    def _write_file(self, now: float) -> None:
        self._filed, took = now, max(now - self._began, 1e-6)
        if self._file is not None:
            words = " · ".join(self._counts.list_words(self._expected, took))
            self._file.write(self._counts.describe(self._expected, took), words)

    def format_line(self, now: float) -> str:
        """What is counted so far, as much as fits the terminal."""
        parts = self._counts.list_words(self._expected, max(now - self._began, 1e-6))
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
