"""The main function of a worker: a process that was forked to ask a share of the questions.

The event loop asks in a thread, as it does in a run of one process. This thread sums records up, writes their lines and
tells the process that forked this one. A second thread takes its orders.
"""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import NamedTuple

from pytest_codereason.engine.adaptive import CellJob, Chooser
from pytest_codereason.engine.engine import Engine
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.sharing.messages import (
    AskAgain,
    Dispatch,
    LetBegin,
    StopAsking,
    Stretch,
    Told,
    Warned,
    make_portable,
)
from pytest_codereason.engine.streaming import Hearer, Result, Stream
from pytest_codereason.engine.tallies import sum_up

#: How long a worker gathers what it tells, in seconds: to tell each result by itself takes longer than to sum it up.
GATHER_S = 0.02


class WorkerShare(NamedTuple):
    """What a worker is given."""

    open_engine: Callable[[], Engine]
    jobs: Mapping[int, Job]  #: by number, in order
    find_chooser: Callable[[CellJob], Chooser]
    paced: bool  #: whether questions wait until they are reached
    channel: Connection
    lines: int  #: the descriptor of the file for the lines of records
    under_way: memoryview  #: shared with the other processes: by number, whether a question is being asked


class _End(NamedTuple):
    """Nothing more is to be told."""


def serve(share: WorkerShare) -> None:
    """Asks a share of the questions, until it is told to stop or the process that forked this one has ended."""
    for each in (signal.SIGINT, signal.SIGTERM):  # Ctrl-C reaches the whole group; the first process decides
        signal.signal(each, signal.SIG_IGN)
    heard: SimpleQueue[tuple[int, Result] | Warned | _End] = SimpleQueue()

    def note(message: Warning | str, category: type[Warning], file: str, line: int, *_: object) -> None:
        heard.put(Warned(str(message), category, file, line))

    warnings.showwarning = note  # type: ignore[assignment]  # the last two have no use here
    teller = _Teller(share)
    try:
        engine = share.open_engine()
    except Exception as error:
        teller.tell(Dispatch(failure=make_portable(error)))
        return

    def begin(number: int) -> None:
        share.under_way[number] = 1

    def end(number: int, result: Result) -> None:
        heard.put((number, result))
        share.under_way[number] = 0

    stream = engine.stream(share.jobs, Hearer(begin, end), share.find_chooser, paced=share.paced)
    threading.Thread(target=_obey, args=(share.channel, stream, lambda: heard.put(_End())), daemon=True).start()
    ended = False
    while not ended:
        batch = [heard.get()]
        time.sleep(GATHER_S)
        while True:
            try:
                batch.append(heard.get_nowait())
            except Empty:
                break
        ended = any(isinstance(each, _End) for each in batch)
        warned = tuple(each for each in batch if isinstance(each, Warned))
        told = tuple(teller.write(*each) for each in batch if not isinstance(each, (Warned, _End)))
        if told or warned:
            teller.tell(Dispatch(told, warned, _list_stops(engine, share.jobs)))
    engine.close()
    left = []
    while not heard.empty():
        left.append(heard.get())
    teller.tell(Dispatch(warned=tuple(each for each in left if isinstance(each, Warned))))


def _list_stops(engine: Engine, jobs: Mapping[int, Job]) -> tuple[tuple[str, str], ...]:
    if not engine.stopped:
        return ()
    return tuple((label, str(engine.find_stop(label))) for label in dict.fromkeys(job.model for job in jobs.values()))


def _obey(channel: Connection, stream: Stream, end: Callable[[], object]) -> None:
    """Takes orders until there are no more. A second end, of the process that gave the first, ends this one at once."""
    try:
        while not isinstance(order := channel.recv(), StopAsking):
            match order:
                case LetBegin():
                    stream.reach(order.model, order.most)
                case AskAgain():
                    stream.ask_again(order.number)
    except (EOFError, OSError):  # that process was killed: answers in flight land, for whoever goes on
        end()
        return
    end()
    try:
        channel.recv()
    except (EOFError, OSError):
        os._exit(1)


class _Teller:
    """Writes lines, and tells what became of questions."""

    def __init__(self, share: WorkerShare) -> None:
        self._channel, self._lines = share.channel, share.lines
        self._place = 0
        self._writes = True

    def write(self, number: int, result: Result) -> Told:
        """Writes the lines of a question."""
        if isinstance(result, str):
            return Told(number, result)
        if isinstance(result, Exception):
            return Told(number, make_portable(result))
        tally, lines = sum_up(result)
        if self._writes:
            try:
                left = memoryview(lines)
                while left:
                    left = left[os.write(self._lines, left) :]
            except (
                OSError
            ):  # a full disk: the run folder lies on the same one, and the run says so when it writes there
                self._writes = False
        if not self._writes:
            return Told(number, tally, lines)
        place = Stretch(self._place, len(lines))
        self._place += len(lines)
        return Told(number, tally, place)

    def tell(self, dispatch: Dispatch) -> None:
        """Tells the process that forked this one, if it is still there."""
        try:
            self._channel.send(dispatch)
        except OSError:
            return
