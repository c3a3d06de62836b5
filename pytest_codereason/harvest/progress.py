"""Shows how far a harvest is, on standard error."""

from __future__ import annotations

import sys
import threading
import time

from pytest_codereason.core.display import write_over
from pytest_codereason.core.text.wording import plural
from pytest_codereason.harvest.outcomes import FileOutcome

#: Seconds between two lines: on a terminal, where a line replaces the one before, and in a log.
_CHANGES, _LOGS = 0.2, 30.0


class ProgressLine:
    """On a terminal one line that changes, else one line a repository and one each half minute."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._terminal = sys.stderr.isatty()
        self._repositories = self._done = self._files = self._programs = 0
        self._shown = 0.0
        self._changed = False

    def begin(self, repositories: int, done: int) -> None:
        """Says how many repositories there are, and how many were done before."""
        self._repositories, self._done = repositories, done
        self._shown = time.monotonic()
        if not done:
            self.say(f"{plural(repositories, 'repository')} to look through")
        if done:
            self.say(f"{done} of {repositories} repositories were done before")

    def count(self, outcome: FileOutcome) -> None:
        """Counts a file and its programs."""
        with self._lock:
            self._files += 1
            self._programs += sum(program.refusal is None for program in outcome.programs)
            if time.monotonic() - self._shown > (_CHANGES if self._terminal else _LOGS):
                self._shown = time.monotonic()
                if self._terminal:
                    self._changed = True
                    write_over(self._describe())
                else:
                    self.say(self._describe())

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
        if self._changed:
            write_over(self._describe(), "\n")

    def _describe(self) -> str:
        return (
            f"{self._done} of {plural(self._repositories, 'repository')}, {plural(self._files, 'file')}, "
            f"{plural(self._programs, 'program')} before near copies are left out"
        )

    def say(self, line: str) -> None:
        """Writes a line of its own."""
        if self._terminal:
            write_over(line, "\n")
        else:
            print(line, file=sys.stderr, flush=True)
