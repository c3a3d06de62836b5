"""Several processes ask the questions of a session that has nothing but questions: ``-n 4`` with suite files.

The workers of xdist each start Python and pytest, collect the whole session, and send every report through a channel.
Here the processes are forked once everything is collected and checked, so they start at once and only ask. pytest runs
in one process, as without ``-n``, and everything that users see is the same.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import pytest

from pytest_codereason.core import Model
from pytest_codereason.core.reading import close_reader
from pytest_codereason.engine.adaptive import CellJob, Chooser
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.engine import Engine
from pytest_codereason.engine.sharing.workers import ForkedWorkers, SharedQuestion, Staff
from pytest_codereason.engine.storage.run_folder import RunFolder
from pytest_codereason.engine.tallies import Answered
from pytest_codereason.questions.suites.suite import is_question
from pytest_codereason.session.interviewer import Assignment, Interviewer
from pytest_codereason.session.running.runtest_protocol import steps_aside


def count_processes(config: pytest.Config, models: Sequence[Model]) -> int:
    """How many processes shall be forked to ask the questions of this session; 0 if xdist distributes it, or nobody."""
    return count_wanted(config, models) if can_fork() else 0


def count_wanted(config: pytest.Config, models: Sequence[Model]) -> int:
    """How many processes shall ask a session of questions alone.

    0 where ordinary tests may be in it, where the user wants more of xdist than a number of processes, where another
    plugin decides how items run, and where a model cannot be asked by a fork.
    """
    option = config.option
    plain = getattr(option, "dist", "no") == "load" and bool(getattr(option, "numprocesses", None))
    if not plain or option.collectonly or getattr(option, "looponfail", False):
        return 0
    if not config.args or not all(map(is_question, config.args)):
        return 0
    if not all(model.forks for model in models) or steps_aside(config):
        return 0
    return len(option.tx)


def can_fork() -> bool:
    """Whether a fork of this process is safe: not on systems without it, on macOS, and where threads run."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


def take_from_xdist(config: pytest.Config) -> None:
    """Lets xdist start no workers, even where ``-n`` stands in the ini file."""
    if hasattr(config.option, "numprocesses"):
        config.option.numprocesses, config.option.dist, config.option.tx = None, "no", []


def read_most_deaths(config: pytest.Config) -> int | None:
    """How many processes may be replaced, an option of xdist."""
    most = config.getoption("maxworkerrestart", None)
    return None if most is None else int(most)


class Forks(NamedTuple):
    """How the processes are made."""

    processes: int
    open_engine: Callable[[int, int], Engine]  #: called in a process, with its number and how many there are
    executor: Executor
    find_folder: Callable[[], RunFolder]  #: the folder of the run
    say: Callable[[str], object]  #: tells the user what became of a process
    most_deaths: int | None = None


class ForkedInterviewer(Interviewer):
    """Has processes ask that it forks when the first question is due.

    Args:
        list_items: every item of the session in order, once it has been collected.
        find_chooser: who chooses the rounds of a cell of an adaptive suite.
        paced: whether the session may end at any question.
        look: called now and then while an answer is awaited, with the number of later questions that are answered.
    """

    def __init__(
        self,
        forks: Forks,
        list_items: Callable[[], Sequence[Assignment]],
        find_chooser: Callable[[CellJob], Chooser],
        *,
        paced: bool,
        look: Callable[[int], object] = lambda ahead: None,
    ) -> None:
        self._forks, self._list_items, self._find_chooser = forks, list_items, find_chooser
        self._paced, self._look = paced, look
        self._workers: ForkedWorkers | None = None
        self._numbers: Mapping[str, int] = {}

    def _begin(self) -> ForkedWorkers:
        """Forks the processes, if that has not been done yet."""
        if self._workers is None:
            forks, folder = self._forks, self._forks.find_folder()
            # What a fork must not share: processes that this one talks to. Each has its own, if it needs one.
            forks.executor.rest()
            close_reader()
            asked = [(item.nodeid, SharedQuestion(item.work, item.job)) for item in self._list_items() if item.job]
            self._numbers = {nodeid: number for number, (nodeid, _) in enumerate(asked)}
            gc.freeze()  # a fork that looked through what it inherits would copy it
            staff = Staff(
                count=forks.processes,
                open_engine=forks.open_engine,
                find_chooser=self._find_chooser,
                leave=folder.leave,
                folder=folder.path,
                say=forks.say,
                most_deaths=forks.most_deaths,
                paced=self._paced,
            )
            self._workers = ForkedWorkers([question for _, question in asked], staff)
        return self._workers

    def find_answers(self, nodeid: str) -> Answered | str:
        """The answers of an item, or why it was not needed."""
        workers = self._begin()
        return workers.find_answers(self._numbers[nodeid], self._look)

    def find_stop(self, label: str) -> str:
        """The reason why no model is asked any more in one of the processes."""
        reason = self._workers.find_stop(label) if self._workers is not None else ""
        return f"{label}: {reason}" if reason else ""

    def pause(self) -> AbstractContextManager[None]:
        """Stops the processes for good: the session is ending."""
        if self._workers is not None:
            self._workers.stop()
        return nullcontext()

    def close(self) -> None:
        """Ends the processes."""
        if self._workers is not None:
            workers, self._workers = self._workers, None
            workers.close()
