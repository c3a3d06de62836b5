"""Shows how far a harvest is, on standard error."""

from __future__ import annotations

import sys
import threading
import time

from pytest_codereason.core.display import write_over
from pytest_codereason.harvest.outcomes import FileOutcome

_EVERY_S = 0.2


class ProgressLine:
    """On a terminal one line that changes, else one line a repository."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._terminal = sys.stderr.isatty()
        self._repositories = self._done = self._files = self._accepted = 0
        self._shown = 0.0

    def begin(self, repositories: int, done: int) -> None:
        """Says how many repositories there are, and how many were done before."""
        self._repositories, self._done = repositories, done
        if done:
            self.say(f"{done} of {repositories} repositories were done before")

    def count(self, outcome: FileOutcome) -> None:
        """Counts a file and its programs."""
        with self._lock:
            self._files += 1
            self._accepted += sum(program.refusal is None for program in outcome.programs)
            if self._terminal and time.monotonic() - self._shown > _EVERY_S:
                self._shown = time.monotonic()
                write_over(self._describe())

    def finish(self, repository: str, complaint: str) -> None:
        """Counts a repository."""
        with self._lock:
            self._done += 1
            if complaint:
                self.say(f"{repository}: {complaint}")
            elif not self._terminal:
                self.say(f"{repository} is done: {self._describe()}")

    def end(self) -> None:
        """Ends the line that changes."""
        if self._terminal and self._shown:
            write_over(self._describe(), "\n")

    def _describe(self) -> str:
        return (
            f"{self._done} of {self._repositories} repositories, {self._files:,} files, "
            f"{self._accepted:,} programs accepted"
        )

    def say(self, line: str) -> None:
        """Writes a line of its own."""
        if self._terminal:
            write_over(line, "\n")
        else:
            print(line, file=sys.stderr, flush=True)
