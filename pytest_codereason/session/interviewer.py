"""Asks the questions: in the only process of a plain run, and in every worker of xdist."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple

from pytest_codereason.core import Record
from pytest_codereason.engine.engine import Engine, Job
from pytest_codereason.engine.sharding import Work, share


@dataclass(frozen=True)
class Worker:
    """The place of this worker among the workers of xdist."""

    index: int
    count: int
    knows_share: bool  #: whether items are dealt by :func:`~pytest_codereason.engine.sharding.share`


class Planned(NamedTuple):
    """One item of this session."""

    nodeid: str
    work: Work
    job: Job | None  #: ``None`` for an ordinary test


class Interviewer:
    """Asks this process's questions, ahead of their turn.

    Args:
        open_engine: called when the first question is due.
        list_items: every item of the session in order, once it has been collected.
        worker: where this process is a worker.
        side_by_side: whether all models begin at once; otherwise each begins at its first question.
    """

    def __init__(
        self,
        open_engine: Callable[[], Engine],
        list_items: Callable[[], Sequence[Planned]],
        *,
        worker: Worker | None,
        side_by_side: bool,
    ) -> None:
        self._open_engine = open_engine
        self._list_items = list_items
        self._worker = worker
        self._side_by_side = side_by_side
        self._engine: Engine | None = None

    @property
    def engine(self) -> Engine:
        """The engine, opened at its first use."""
        if self._engine is None:
            # What was loaded for the checks lives to the end, as the questions do.
            gc.freeze()
            self._engine = self._open_engine()
            items = self._list_items()
            if self._worker and self._worker.knows_share:
                work = [item.work for item in items]
                items = [items[place] for place in share(work, self._worker.count, self._worker.index)]
            questions = [(item.nodeid, item.job) for item in items if item.job is not None]
            self._queue = self._engine.queue([job for _, job in questions], side_by_side=self._side_by_side)
            self._numbers = {nodeid: number for number, (nodeid, _) in enumerate(questions)}
        return self._engine

    def records(self, nodeid: str) -> list[Record]:
        """The records of an item; waits for them."""
        assert self.engine is not None
        return self._queue.records(self._numbers[nodeid])

    def find_stop(self, label: str) -> str:
        """The reason why no model is asked any more. Empty while a model is asked."""
        return f"{label}: {self.engine.find_stop(label)}" if self.engine.stopped else ""

    def end_runs(self, label: str, plans: Iterable[str]) -> None:
        """Ends the runs of plans that have all their answers: the next session asks anew."""
        if self._engine is not None:
            self._engine.end_runs(label, plans)

    def pause(self) -> AbstractContextManager[None]:
        """Stops all work for as long as the ``with`` block runs."""
        return self._engine.pause() if self._engine is not None else nullcontext()

    def close(self) -> None:
        """Sends no further request, runs no further program, and waits for answers in flight."""
        if self._engine is not None:
            engine, self._engine = self._engine, None
            engine.close()
