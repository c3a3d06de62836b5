"""Shows how far a search is: in one changing line on a terminal, in a new line now and then in a log."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import pytest

from pytest_codereason.core.text.wording import plural
from pytest_codereason.fuzzing.examiner import Examiner

#: Between two refreshes of the live line, and between two lines in a log, in seconds.
LIVE_S, LOG_S = 0.2, 30.0


class SearchProgress:
    """Says after the answers of a round how many requests the search has made, and how small its counterexample is.

    In a worker of pytest-xdist there is no terminal, and nothing is said.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._plugins = config.pluginmanager
        self._said = time.monotonic()
        self._shown = False

    def say(self, test: str, examiner: Examiner, most: int) -> None:
        """Shows the state of the search of a test.

        Args:
            test: its name.
            examiner: puts its questions.
            most: how many requests the search, or the shrinking, may make.
        """
        now, terminal = time.monotonic(), self._terminal
        live = bool(terminal and terminal.isatty)
        if terminal is None or now - self._said < (LIVE_S if live else LOG_S):
            return
        self._said = now
        line = f"{test}: {describe_search(examiner, most)}"
        with self._uncovered():
            if live:
                terminal.rewrite(line[: terminal._tw.fullwidth - 1], erase=True)
            else:
                terminal.ensure_newline()
                terminal.write_line(line)
        self._shown = live

    def clear(self) -> None:
        """Removes the live line before pytest writes again."""
        if self._shown and self._terminal is not None:
            with self._uncovered():
                self._terminal.rewrite("", erase=True)
        self._shown = False

    @contextmanager
    def _uncovered(self) -> Iterator[None]:
        """Lets the line through pytest's capture of what tests print."""
        capture = self._plugins.get_plugin("capturemanager")
        with capture.global_and_fixture_disabled() if capture else nullcontext():
            yield

    @property
    def _terminal(self) -> pytest.TerminalReporter | None:
        return self._plugins.get_plugin("terminalreporter")


def describe_search(examiner: Examiner, most: int) -> str:
    """``84 requests, at most 116 more, 61 questions``; while it shrinks also the smallest counterexample's size."""
    tally = examiner.tally
    text = f"{plural(tally.requests, 'request')}, at most {min(most, examiner.left):,} more"
    text += f", {plural(len(tally.questions), 'question')}"
    if examiner.smaller_than is not None:
        text += f"; shrinking, {examiner.smaller_than[0]} statements left"
    return text
