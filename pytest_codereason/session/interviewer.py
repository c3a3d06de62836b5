"""Asks the questions: in the only process of a plain run, in every worker of xdist, or by processes that it forks."""

from __future__ import annotations

import gc
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple

from pytest_codereason.engine.adaptive import CellJob, CellQueue, Chooser, list_cells
from pytest_codereason.engine.engine import Engine, Queue
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.sharing.sharding import Work, share
from pytest_codereason.engine.tallies import Answered, sum_up


@dataclass(frozen=True)
class Worker:
    """The place of this worker among the workers of xdist."""

    index: int
    count: int
    knows_share: bool  #: whether items are dealt by :func:`~pytest_codereason.engine.sharing.sharding.share`


class Assignment(NamedTuple):
    """One item of this session: how much work it is, and for a question what to ask."""

    nodeid: str
    work: Work
    job: Job | None  #: ``None`` for an ordinary test


class Interviewer(ABC):
    """What asks the questions of a session, ahead of their turn."""

    @property
    def engine(self) -> Engine:
        """The engine of this process, opened at its first use."""
        raise NotImplementedError("in this session other processes ask")

    @abstractmethod
    def find_answers(self, nodeid: str) -> Answered | str:
        """The answers of an item, or why adaptive asking did not need it; waits for them."""

    @abstractmethod
    def find_stop(self, label: str) -> str:
        """The reason why no model is asked any more. Empty while a model is asked."""

    def list_answered(self, nodeids: Sequence[str]) -> Collection[str]:
        """Which later items have their answers when nothing more is asked, as far as this process knows."""
        return ()

    @abstractmethod
    def pause(self) -> AbstractContextManager[None]:
        """Stops all work for as long as the ``with`` block runs."""

    @abstractmethod
    def close(self) -> None:
        """Sends no further request, runs no further program, and waits for answers in flight."""


class _Asking(NamedTuple):
    """What there is once the first question is due."""

    engine: Engine
    queue: Queue
    cells: CellQueue | None  #: the questions of adaptive suites
    numbers: Mapping[str, int]  #: the place of each question in its queue, by the id of its item
    chosen: frozenset[str]  #: the items of adaptive suites


class OwnInterviewer(Interviewer):
    """Asks this process's questions in this process.

    Args:
        open_engine: called when the first question is due.
        list_items: every item of the session in order, once it has been collected.
        find_chooser: who chooses the rounds of a cell of an adaptive suite.
        worker: where this process is a worker.
        side_by_side: whether all models begin at once; otherwise each begins at its first question.
        look: called now and then while an answer is awaited, with the number of later questions that are answered.
    """

    def __init__(
        self,
        open_engine: Callable[[], Engine],
        list_items: Callable[[], Sequence[Assignment]],
        find_chooser: Callable[[CellJob], Chooser],
        *,
        worker: Worker | None,
        side_by_side: bool,
        look: Callable[[int], object] = lambda ahead: None,
    ) -> None:
        self._open_engine = open_engine
        self._list_items = list_items
        self._find_chooser = find_chooser
        self._worker = worker
        self._side_by_side = side_by_side
        self._look = look
        self._asking: _Asking | None = None

    @property
    def engine(self) -> Engine:
        """The engine, opened at its first use."""
        return self._begin().engine

    def _begin(self) -> _Asking:
        """Opens the engine and hands it the questions, if that has not been done yet."""
        if self._asking is None:
            # What was loaded for the checks lives to the end, as the questions do.
            gc.freeze()
            engine = self._open_engine()
            try:
                self._asking = self._hand_over(engine)
            except BaseException:
                engine.close()
                raise
        return self._asking

    def _hand_over(self, engine: Engine) -> _Asking:
        items = self._list_items()
        if self._worker and self._worker.knows_share:
            work = [item.work for item in items]
            items = [items[place] for place in share(work, self._worker.count, self._worker.index)]
        questions = [(item.nodeid, item.job) for item in items if item.job is not None]
        plain = [(nodeid, job) for nodeid, job in questions if not job.suite.chosen_axis]
        chosen = [(nodeid, job) for nodeid, job in questions if job.suite.chosen_axis]
        queue = engine.queue([job for _, job in plain], side_by_side=self._side_by_side)
        return _Asking(
            engine,
            queue,
            self._queue_cells(engine, [job for _, job in chosen]) if chosen else None,
            {nodeid: number for part in (plain, chosen) for number, (nodeid, _) in enumerate(part)},
            frozenset(nodeid for nodeid, _ in chosen),
        )

    def _queue_cells(self, engine: Engine, jobs: Sequence[Job]) -> CellQueue:
        return engine.queue_cells(list_cells(jobs), self._find_chooser, side_by_side=self._side_by_side)

    def find_answers(self, nodeid: str) -> Answered | str:
        """The answers of an item, or why it was not needed."""
        asking = self._begin()
        queues: list[Queue | CellQueue] = [asking.queue, *([asking.cells] if asking.cells is not None else [])]

        def look() -> None:
            self._look(sum(queue.count_ahead() for queue in queues))

        queue = asking.cells if asking.cells is not None and nodeid in asking.chosen else asking.queue
        records = queue.records(asking.numbers[nodeid], look)
        return records if isinstance(records, str) else sum_up(records)

    def find_stop(self, label: str) -> str:
        """The reason why no model is asked any more."""
        return f"{label}: {self.engine.find_stop(label)}" if self.engine.stopped else ""

    def list_answered(self, nodeids: Sequence[str]) -> Collection[str]:
        """Waits for answers in flight. A question of an adaptive suite has its turn as it is chosen."""
        asking = self._begin()
        asking.engine.settle()
        plain = (nodeid for nodeid in nodeids if nodeid not in asking.chosen)
        return {nodeid for nodeid in plain if asking.queue.is_answered(asking.numbers[nodeid])}

    def pause(self) -> AbstractContextManager[None]:
        """Stops the event loop."""
        return self._asking.engine.pause() if self._asking is not None else nullcontext()

    def close(self) -> None:
        """Closes the engine."""
        if self._asking is not None:
            asking, self._asking = self._asking, None
            asking.engine.close()
