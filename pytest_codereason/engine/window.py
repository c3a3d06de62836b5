"""Works on questions ahead of their turn.

pytest runs items one by one, but a model answers hundreds of requests at once. So an event loop in a thread works on
the current item and on the next items. An item waits for its own answer only.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import pickle
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import IO, Any, Generic, TypeVar

#: Seconds that a pause waits for the work of the moment, and between two looks of somebody who waits for a result.
PAUSE_S, LOOK_S = 2.0, 0.2
J = TypeVar("J")
R = TypeVar("R")


class Loop:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._closing = False
        self._thread = threading.Thread(target=self._loop.run_forever, name="codereason", daemon=True)
        self._thread.start()

    def submit(self, work: Coroutine[Any, Any, R]) -> concurrent.futures.Future[R]:
        """Starts ``work`` in the loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def submit_all(self, works: Sequence[Callable[[], Coroutine[Any, Any, R]]]) -> list[concurrent.futures.Future[R]]:
        """Starts all of ``works`` in the loop, waking it once. A loop that closes cancels them instead."""
        futures: list[concurrent.futures.Future[R]] = [concurrent.futures.Future() for _ in works]

        def start() -> None:
            for work, future in zip(works, futures, strict=True):
                if self._closing:
                    future.cancel()
                else:
                    self._loop.create_task(work()).add_done_callback(partial(_settle, future))

        self._loop.call_soon_threadsafe(start)
        return futures

    def call(self, function: Callable[[], object]) -> None:
        """Calls ``function`` in the loop as soon as it is free."""
        self._loop.call_soon_threadsafe(function)

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Stops the loop for as long as the ``with`` block runs."""
        idle, go_on = threading.Event(), threading.Event()

        def pause() -> None:
            idle.set()
            go_on.wait()

        self.call(pause)
        idle.wait(timeout=PAUSE_S)
        try:
            yield
        finally:
            go_on.set()

    def close(self) -> None:
        """Cancels what still runs and ends the thread."""

        async def cancel_all() -> None:
            self._closing = True  # where one ends, a window would begin the next
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        try:
            self.submit(cancel_all()).result(timeout=5)
        except (TimeoutError, concurrent.futures.TimeoutError):
            return  # a task cannot be cancelled; the daemon thread ends with the process
        self.call(self._loop.stop)
        self._thread.join(timeout=5)
        if not self._thread.is_alive():
            self._loop.close()


def wait_for(future: concurrent.futures.Future[R], meanwhile: Callable[[], object]) -> R:
    """The result of a future. Calls ``meanwhile`` now and then until it is there."""
    while not future.done():
        if concurrent.futures.wait([future], timeout=LOOK_S).not_done:
            meanwhile()
    return future.result()


def _settle(future: concurrent.futures.Future[R], task: asyncio.Task[R]) -> None:
    """Gives a future the result or the error of a task."""
    if task.cancelled():
        future.cancel()
        future.set_running_or_notify_cancel()
    elif error := task.exception():
        future.set_exception(error)
    else:
        future.set_result(task.result())


#: How many finished results wait in memory for their turn. Further results wait on disk.
WAITING = 1000


class Shelf(Generic[R]):
    """A temporary file for results whose turn is far away. The file ends with the process."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None

    def put(self, result: R) -> int | None:
        """Writes a result. Returns its place, ``None`` if it cannot be written."""
        try:
            content = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
            self._file = self._file or tempfile.TemporaryFile(prefix="codereason-")  # noqa: SIM115
            place = self._file.seek(0, 2)
            self._file.write(content)
        except Exception:  # a user's own value cannot be pickled, or the disk is full
            return None
        return place

    def take(self, place: int) -> R:
        """The result at a place."""
        assert self._file is not None
        self._file.seek(place)
        result: R = pickle.load(self._file)
        return result


class Window(Generic[J, R]):
    """The results of an ordered list of jobs. Jobs run ahead of their turn.

    Args:
        loop: runs the work.
        jobs: the jobs, in the order in which results will be asked for. The order may jump ahead, never back.
        work: gives the result of one job.
        ahead: how many jobs may be under way at once.
        waiting: how many more results may wait for their turn in memory. After :meth:`begin` any number of results
            may wait, the others on disk.
    """

    def __init__(
        self,
        loop: Loop,
        jobs: Sequence[J],
        work: Callable[[J], Coroutine[Any, Any, R]],
        ahead: int,
        waiting: int = WAITING,
    ) -> None:
        self._loop = loop
        self._jobs = jobs
        self._work = work
        self._ahead = max(1, ahead)
        self._most = self._ahead + waiting
        self._in_memory = self._most
        self._lock = threading.RLock()  # reentrant: a job may end while the same thread still starts it
        self._results: dict[int, concurrent.futures.Future[R]] = {}
        self._shelf: Shelf[R] = Shelf()
        self._shelved: dict[int, int] = {}  # the places on the shelf, by job
        self._waiting: concurrent.futures.Future[R] | None = None  # pytest waits for this result
        self._turn = 0
        self._next = 0  # all jobs before this one have been started or skipped
        self._under_way = 0
        self._filling = self._stopped = False

    def begin(self) -> None:
        """Starts the jobs now and works through to the last one, before any of them has its turn."""
        with self._lock:
            self._most = len(self._jobs) + self._ahead
            self._fill()

    def result(self, index: int, meanwhile: Callable[[], object] = lambda: None) -> R:
        """The result of job ``index``. Waits for it, and calls ``meanwhile`` now and then."""
        with self._lock:
            self._turn = max(self._turn, index)
            if (place := self._shelved.pop(index, None)) is not None:
                return self._shelf.take(place)
            if index not in self._results:  # the order has jumped, or this result is asked for again
                self._forget_before(index)
                self._next = max(self._next, index + 1)
                self._start([index])
            self._fill()
            self._waiting = self._results.pop(index)
        return wait_for(self._waiting, meanwhile)

    def peek(self, index: int) -> R | None:
        """The result of a job that has ended before its turn, ``None`` if there is none. It keeps its turn."""
        with self._lock:
            if (place := self._shelved.get(index)) is not None:
                return self._shelf.take(place)
            future = self._results.get(index)
            return future.result() if future is not None and future.done() and _has_result(future) else None

    def count_ahead(self) -> int:
        """How many jobs have ended before their turn."""
        with self._lock:
            return len(self._shelved) + sum(future.done() for future in self._results.values())

    def _fill(self) -> None:
        if self._filling:  # called because a job ended while it was being started
            return
        self._filling = True
        while not self._stopped and (room := self._measure_room()):
            start, self._next = self._next, self._next + room
            self._start(range(start, self._next))
        self._filling = False

    def _measure_room(self) -> int:
        """How many jobs to start now. They start in batches, because waking the other thread takes time."""
        left = len(self._jobs) - self._next
        room = min(left, self._ahead - self._under_way, self._turn + self._most - self._next)
        return max(0, room) if room == left or 2 * room >= self._ahead else 0

    def _forget_before(self, index: int) -> None:
        for waiting in (self._results, self._shelved):
            for passed in [i for i in waiting if i < index]:
                del waiting[passed]

    def _start(self, indices: Sequence[int]) -> None:
        works = [partial(self._work, self._jobs[index]) for index in indices]
        futures = self._loop.submit_all(works)
        self._under_way += len(futures)
        self._results.update(zip(indices, futures, strict=True))
        for index, future in zip(indices, futures, strict=True):
            future.add_done_callback(partial(self._end, index))

    def _end(self, index: int, future: concurrent.futures.Future[R]) -> None:
        with self._lock:
            self._under_way -= 1
            if index >= self._turn + self._in_memory and index in self._results and _has_result(future):
                place = self._shelf.put(future.result())
                if place is not None:
                    self._shelved[index] = place
                    del self._results[index]
            self._fill()

    def stop(self, grace_s: float) -> int:
        """Starts no further job and waits up to ``grace_s`` seconds. Returns the number of jobs that have not ended."""
        with self._lock:
            self._stopped = True
            landing = [*self._results.values(), *([self._waiting] if self._waiting else [])]
        return len(concurrent.futures.wait(landing, timeout=grace_s).not_done)


def _has_result(future: concurrent.futures.Future[Any]) -> bool:
    return not future.cancelled() and future.exception() is None
