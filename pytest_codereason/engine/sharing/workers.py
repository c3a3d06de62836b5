"""Forks processes that ask the questions of a session, and puts their answers into the order of the session.

A worker inherits what this process has read and imported, so it starts at once. It has an engine of its own, takes its
share by :func:`~pytest_codereason.engine.sharing.sharding.share`, and sends a short tally of each question through a
channel. The lines of its records go to a file without a name, from which this process copies them, as bytes, into the
records of the run when the turn of the question comes. So this process reads no record.

Nothing is lost with a worker: its answers are in the store, and its questions go to another one. A question that was
under way in two workers when they died counts as unanswered.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import IO, NamedTuple, NoReturn

from pytest_codereason.core.text.wording import plural
from pytest_codereason.engine.adaptive import CellJob, Chooser
from pytest_codereason.engine.engine import Engine
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.limits.time_limit import GRACE_S
from pytest_codereason.engine.recording import make_unasked
from pytest_codereason.engine.sharing.messages import AskAgain, Dispatch, LetBegin, StopAsking, Stretch, WorkerOrder
from pytest_codereason.engine.sharing.serving import WorkerShare, serve
from pytest_codereason.engine.sharing.sharding import Work, share
from pytest_codereason.engine.tallies import Answered, AnswerTally, sum_up
from pytest_codereason.engine.window import LOOK_S, WAITING

#: Seconds that a worker has to end: its answers in flight land, then it closes its model, its store and its sandbox.
END_S = GRACE_S + 4.0
#: What is said of a question that nobody answered.
DIED_TWICE = "the worker that asked the question died, twice"


class SharedQuestion(NamedTuple):
    """A question, and how much work it is."""

    work: Work
    job: Job


@dataclass(frozen=True, kw_only=True)
class Staff:
    """How workers are made."""

    count: int
    open_engine: Callable[[int, int], Engine]  #: called in a worker, with its number and how many there are
    find_chooser: Callable[[CellJob], Chooser]  #: who chooses the rounds of a cell; called in a worker
    leave: Callable[[], object]  #: called in a worker: lets go of what belongs to this process
    folder: Path  #: on whose disk the lines of records wait
    say: Callable[[str], object]  #: tells the user of a dead worker
    most_deaths: int | None = None  #: after so many no further worker is made
    paced: bool = False  #: whether the session may end before any question: then none far ahead is asked


@dataclass(eq=False)
class _Worker:
    number: int
    pid: int
    channel: Connection
    lines: IO[bytes]
    questions: Sequence[int]


class _Heard(NamedTuple):
    """What a worker has told of a question."""

    worker: _Worker | None
    result: AnswerTally | str | Exception
    lines: Stretch | bytes


class ForkedWorkers:
    """The workers of a session. They are forked here, so no other thread may run."""

    def __init__(self, questions: Sequence[SharedQuestion], staff: Staff) -> None:
        self._questions, self._staff = questions, staff
        work = [question.work for question in questions]
        shares = [share(work, staff.count, number) for number in range(staff.count)]
        shares = [mine for mine in shares if mine]
        self.count = len(shares)  #: how many ask: none without a share
        self._under_way = mmap.mmap(-1, max(1, len(questions)))  # shared by all processes: a byte for each question
        self._open = set(range(len(questions)))  # questions of which nothing was told
        self._told: dict[int, _Heard] = {}  # what was told of questions before their turn
        self._owners: dict[int, _Worker] = {}
        self._deaths: Counter[int] = Counter()  # by question: of workers that were asking it
        self._died = 0
        self._reached = -1
        self._stops: dict[str, str] = {}
        self._failure: Exception | None = None
        self._closing = self._torn = False
        self._workers: list[_Worker] = []
        for number, mine in enumerate(shares):
            self._fork(number, mine)

    # --- asking -------------------------------------------------------------------------------

    def find_answers(self, number: int, meanwhile: Callable[[int], object] = lambda ahead: None) -> Answered | str:
        """The answers of a question, or why it was not needed. Waits for them.

        Args:
            meanwhile: called now and then, with the number of later questions that were told of.
        """
        if number not in self._told and number not in self._open:  # it has had its turn
            self._open.add(number)
            self._order(self._owners[number], AskAgain(number))
        while number not in self._told:
            if self._failure is not None:
                raise self._failure
            self._reach(number)
            self._listen(LOOK_S)
            meanwhile(len(self._told))
        worker, result, lines = self._told[number]
        if not self._questions[number].job.suite.chosen_axis:  # a cell tells of a question once
            del self._told[number]
        if isinstance(result, Exception):
            raise result
        if isinstance(result, str):
            return result
        if isinstance(lines, Stretch):
            assert worker is not None
            lines = os.pread(worker.lines.fileno(), lines.size, lines.start)
        return Answered(result, lines)

    def find_stop(self, label: str) -> str:
        """Why no model is asked any more in one of the workers. Empty while all ask."""
        return self._stops.get(label, "") or next(iter(self._stops.values()), "")

    def _reach(self, number: int) -> None:
        """Lets workers begin the questions that come next."""
        if self._staff.paced and number > self._reached:
            self._reached = number
            for worker in list(self._workers):
                self._order(worker, self._next_reach(number))

    def _next_reach(self, number: int) -> LetBegin:
        model = self._questions[number].job.model
        return LetBegin(model, number + WAITING)

    def _order(self, worker: _Worker, order: WorkerOrder) -> None:
        with suppress(OSError):  # it has died, as its channel will say
            worker.channel.send(order)

    def _listen(self, timeout_s: float) -> None:
        """Takes what workers have to tell."""
        channels = {worker.channel: worker for worker in self._workers}
        for channel in wait(list(channels), timeout_s):
            assert isinstance(channel, Connection)
            worker = channels[channel]
            try:
                if self._torn:
                    if not os.read(channel.fileno(), 65_536):
                        raise EOFError
                else:
                    self._take(worker, channel.recv())
            except (EOFError, OSError, pickle.UnpicklingError):
                self._bury(worker)
            except KeyboardInterrupt:  # perhaps half of a report was read
                self._torn = True
                raise

    def _take(self, worker: _Worker, dispatch: Dispatch) -> None:
        self._failure = self._failure or dispatch.failure
        for label, reason in dispatch.stops:
            self._stops.setdefault(label, reason)
        for told in dispatch.told:
            if told.number in self._open:  # a cell that is asked once more tells of all its questions
                self._open.remove(told.number)
                self._told[told.number] = _Heard(worker, told.result, told.lines)
        for warned in dispatch.warned:
            warnings.warn_explicit(warned.message, warned.category, warned.file, warned.line)

    # --- life and death -----------------------------------------------------------------------

    def _fork(self, number: int, questions: Sequence[int]) -> None:
        mine, its = Pipe()
        lines = tempfile.TemporaryFile(dir=self._staff.folder)  # noqa: SIM115  # as long as the run takes
        for each in questions:
            self._under_way[each] = 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # numpy may have threads, which take care of themselves
            pid = os.fork()
        if pid == 0:
            self._live(number, questions, its, mine, lines)
        its.close()
        worker = _Worker(number, pid, mine, lines, questions)
        self._workers.append(worker)
        self._owners.update(dict.fromkeys(questions, worker))

    def _live(
        self, number: int, questions: Sequence[int], channel: Connection, other: Connection, lines: IO[bytes]
    ) -> NoReturn:
        """The life of a worker. Nothing that waits to be written is written here: it is the parent's."""
        try:
            for each in (other, *(worker.channel for worker in self._workers)):
                each.close()  # else nobody would learn of the parent's death
            self._staff.leave()
            serve(
                WorkerShare(
                    open_engine=lambda: self._staff.open_engine(number, self.count),
                    jobs={each: self._questions[each].job for each in questions},
                    find_chooser=self._staff.find_chooser,
                    paced=self._staff.paced,
                    channel=channel,
                    lines=lines.fileno(),
                    under_way=memoryview(self._under_way),
                )
            )
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)

    def _bury(self, worker: _Worker) -> None:
        """Gives the questions of a dead worker to another one."""
        _, status = os.waitpid(worker.pid, 0)
        worker.channel.close()
        self._workers.remove(worker)
        left = [number for number in worker.questions if number in self._open]
        if self._closing or not left or self._failure is not None:
            return
        self._died += 1
        self._deaths.update([number for number in left if self._under_way[number]] or left)
        goes_on = self._staff.most_deaths is None or self._died <= self._staff.most_deaths
        for number in left:
            if not goes_on or self._deaths[number] > 1:
                self._give_up(number)
        cells = {self._questions[number].work.family for number in left if number in self._open}
        again = [number for number in worker.questions if number in self._open or self._is_of(cells, number)]
        after = f"{plural(len(again), 'question')} go to another one" if again else "no other one takes its place"
        self._staff.say(f"worker {worker.number} has died ({_describe_end(status)}): {after}")
        if again:
            self._fork(worker.number, again)
            if self._reached >= 0:
                self._order(self._workers[-1], self._next_reach(self._reached))

    def _is_of(self, cells: set[str], number: int) -> bool:
        """Whether a question belongs to a cell that is asked once more: its rounds need all answers."""
        work, job = self._questions[number]
        return bool(job.suite.chosen_axis) and work.family in cells

    def _give_up(self, number: int) -> None:
        job = self._questions[number].job
        samples = job.samples or range(job.suite.samples_for(job.spec))
        records = [make_unasked(job.suite, job.spec, job.model, sample, DIED_TWICE) for sample in samples]
        self._open.remove(number)
        self._told[number] = _Heard(None, *sum_up(records))

    def stop(self) -> None:
        """Has the workers ask no further question. Answers in flight are stored."""
        self._closing = True
        for worker in self._workers:
            self._order(worker, StopAsking())

    def close(self) -> None:
        """Stops the workers and waits until they have ended. Ctrl-C meanwhile ends them at once."""
        if not self._closing:
            self.stop()
        end = time.monotonic() + END_S
        try:
            while self._workers and (left := end - time.monotonic()) > 0:
                self._listen(left)
        finally:
            for worker in self._workers:
                os.kill(worker.pid, signal.SIGKILL)
                os.waitpid(worker.pid, 0)
                worker.channel.close()
            self._workers.clear()


def _describe_end(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
