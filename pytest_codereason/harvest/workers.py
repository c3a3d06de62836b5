"""The processes that read files and make programs, one for each processor.

Parsers of Python keep a state for all threads of a process, so threads would disturb each other.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from pytest_codereason.core.reading.reader_process import HAS_TIMER
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.errors import CodereasonError, SandboxError

T = TypeVar("T")
#: Seconds of processor time of one task. What programs take does not count.
MOST_CPU_S = 600.0
#: Seconds between two looks whether the process that started this one is still there.
_LOOK_S = 1.0
_own: list[Executor] = []  #: the sandbox of this worker


class WorkerDied(Exception):
    """A worker ended while it had a task: the task crashes it, or shared the pool with one that does."""


class Workers:
    """The processes. Threads may share them."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._lock = threading.Lock()
        self._closed = False
        self._pool = self._start()

    def call(self, function: Callable[..., T], *arguments: object) -> Future[T]:
        """Has a function of a module called in a worker. Others take the place of workers that died.

        Raises:
            SandboxError: The harvest is ending.
        """
        with self._lock:
            if self._closed:
                raise SandboxError("the harvest is ending")
            try:
                return self._pool.submit(_call, function, *arguments)
            except BrokenProcessPool:
                self._pool = self._start()
                return self._pool.submit(_call, function, *arguments)

    def wait(self, future: Future[T]) -> T:
        """The result of a call.

        Raises:
            WorkerDied: A worker died.
            SandboxError: Programs cannot be run, or the harvest is ending.
        """
        try:
            return future.result()
        except (BrokenProcessPool, CancelledError) as error:
            if self._closed:
                raise SandboxError("the harvest is ending") from error
            raise WorkerDied from error

    def find_missing(self, languages: Sequence[str]) -> list[str]:
        """A message for each of these languages whose programs cannot be run."""
        return self.wait(self.call(_find_missing, [*languages]))

    def close(self) -> None:
        """Ends the processes at once, with what they run."""
        with self._lock:
            self._closed = True
            processes = [*(self._pool._processes or {}).values()]
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()

    def _start(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # a fork would take locks along that threads hold
        return ProcessPoolExecutor(self._count, mp_context=context, initializer=_begin, initargs=(os.getpid(),))


def get_executor() -> Executor:
    """The sandbox of this worker."""
    return _own[0]


def _begin(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    _own.append(Executor("auto"))


def _watch(parent: int) -> None:
    """Ends this process when the one that started it is gone."""
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    _end()


def _end(*_: object) -> None:
    for executor in _own:
        executor.close()
    os._exit(1)


def _call(function: Callable[..., Any], *arguments: object) -> Any:
    if HAS_TIMER:  # without it, as on Windows, there is no sandbox either, and the first call says so
        signal.setitimer(signal.ITIMER_PROF, MOST_CPU_S)  # then the kernel ends this process
    try:
        return function(*arguments)
    except CodereasonError as error:  # some cannot be pickled
        raise SandboxError(str(error)) from None


def _find_missing(languages: list[str]) -> list[str]:
    return list(get_executor().find_missing(languages))
