"""The entry to the engine: puts questions to models and returns records.

A pytest session, the commands that ask a model, and the search for counterexamples all use it::

    with Engine({"openai:gpt-x": model}, store=folder, executor=Executor("auto")) as engine:
        for records in engine.records([Job("openai:gpt-x", suite, spec) for spec in suite.specs()]):
            ...
"""

from __future__ import annotations

import asyncio
import time
import warnings
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pytest_codereason.core import EMPTY, Model, Price, Record
from pytest_codereason.core.adaptive import Ended
from pytest_codereason.engine.adaptive import CellJob, CellQueue, Chooser, ask_cell
from pytest_codereason.engine.answers import Answers
from pytest_codereason.engine.asking import Asker
from pytest_codereason.engine.building.authoring import Writer
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.limits.allowance import Allowance
from pytest_codereason.engine.limits.budget import Budget
from pytest_codereason.engine.limits.time_limit import GRACE_S, TimeLimit
from pytest_codereason.engine.posting.post import Post
from pytest_codereason.engine.running import run_to_end
from pytest_codereason.engine.sending import Sender
from pytest_codereason.engine.storage.open_runs import OpenRuns
from pytest_codereason.engine.storage.processes import keep_alive
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.engine.streaming import Hearer, Stream
from pytest_codereason.engine.window import Loop, Window
from pytest_codereason.errors import FatalModelError, PartError, StoreError, UsageError, blame, explain

#: Questions under way for each request in flight: some questions are being built, others judged.
AHEAD = 4
#: Questions under way that wait for a batch: each is built and kept in memory.
MOST_BATCHED = 50_000
#: How often a process looks whether its session was stopped in another process, in seconds.
WATCH_S = 0.2
J = TypeVar("J")
R = TypeVar("R")


class Engine:
    """Asks models, from an event loop in a thread of its own.

    Args:
        models: by label.
        store: the folder where answers are kept.
        executor: runs programs. The engine closes it.
        allowance: how many requests may be in flight, and how much they may cost.
        reuse_s: the greatest age of an endpoint's answer, or a writer's text, from an earlier run, in seconds. With 0,
            every question is asked, of pinned models too. With ``None``, only an open run is continued.
        selection: which questions of the suites the command selects, as text; empty for all.
        writers: by the label of a model, the model that writes its texts; it may be the same one.
        batches: whether models that take batches are asked by them.
        tell: tells the user what becomes of a batch, in the event loop.

    Raises:
        StoreError: the store cannot be used.
    """

    def __init__(
        self,
        models: Mapping[str, Model],
        *,
        store: Path,
        executor: Executor,
        allowance: Allowance | None = None,
        reuse_s: float | None = None,
        selection: str = "",
        writers: Mapping[str, Model] = EMPTY,
        batches: bool = False,
        tell: Callable[[str], object] = lambda text: None,
    ) -> None:
        allowance = allowance or Allowance()
        self._allowance = allowance
        self._executor = executor
        self._store = Store(store, reuse_s=reuse_s or 0.0)
        budget = Budget(self._store, session=allowance.session, limit=allowance.max_cost)
        self._loop = Loop()
        self._loop.submit(keep_alive(self._store.processes))
        self._senders = {label: self._open_sender(model, budget) for label, model in models.items()}
        self._writing = {model: self._open_sender(model, budget) for model in set(writers.values())}
        hired = {model: self._hire(sender, reuse_s or 0.0) for model, sender in self._writing.items()}
        self._posts = {
            label: self._open_post(sender, tell)
            for label, sender in self._senders.items()
            if batches and sender.model.batching is not None
        }
        self._askers = {}
        for label, sender in self._senders.items():
            runs = OpenRuns(self._store, sender.model, selection, only=allowance.session if reuse_s == 0 else None)
            answers = Answers(sender, self._store, runs, session=allowance.session, post=self._posts.get(label))
            self._askers[label] = Asker(answers, executor, hired[writers[label]] if label in writers else None)
        self._windows: list[Window[Any, Any] | Stream] = []
        self._settled = 0.0  # until when answers in flight are waited for, once no question is begun any more
        self._loop.submit(self._watch_stop())
        if allowance.end is not None:
            self._loop.submit(self._watch_end(allowance.end))

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _open_sender(self, model: Model, budget: Budget) -> Sender:
        price = Price.of(model.price)
        pays = price is not None and not price.is_free
        return Sender(model, self._allowance, self._store.notices, budget=budget if pays else None)

    def _open_post(self, sender: Sender, tell: Callable[[str], object]) -> Post:
        allowance, batching = self._allowance, sender.model.batching
        assert batching is not None
        return Post(
            sender,
            batching,
            self._store,
            session=allowance.session,
            max_cost=allowance.max_cost,
            most=allowance.concurrency,
            idle=lambda: self._executor.idle,
            tell=tell,
        )

    def _hire(self, sender: Sender, reuse_s: float) -> Writer:
        return Writer(
            sender.model,
            sender.ask,
            self._executor.run,
            self._store,
            session=self._allowance.session,
            reuse_s=reuse_s,
            stop=sender.stop,
        )

    # --- asking -------------------------------------------------------------------------------

    def queue(self, jobs: Sequence[Job], *, side_by_side: bool = True) -> Queue:
        """A queue of the jobs, in this order. All models are asked at once, each about its own jobs.

        Args:
            jobs: the jobs, in order.
            side_by_side: whether all models begin now. Otherwise a model begins at the turn of its first job.
        """
        numbers: dict[str, list[int]] = {}
        for number, job in enumerate(jobs):
            numbers.setdefault(job.model, []).append(number)
        places: dict[int, tuple[Window[Job, list[Record]], int]] = {}
        for label, mine in numbers.items():
            asker = self._askers[label]
            window = self._open_window(label, [jobs[number] for number in mine], partial(_ask, asker))
            for place, number in enumerate(mine):
                places[number] = window, place
            if side_by_side and len(numbers) > 1:
                window.begin()
        return Queue(places)

    def queue_cells(
        self, cells: Sequence[CellJob], find_chooser: Callable[[CellJob], Chooser], *, side_by_side: bool = True
    ) -> CellQueue:
        """A queue of the questions of cells. All cells of a model are asked at once.

        Args:
            find_chooser: who chooses the rounds of a cell.
            side_by_side: whether all models begin now. Otherwise a model begins at its first question.
        """

        async def ask(queue: CellQueue, cell: CellJob) -> Ended:
            asker = self._askers[cell.model]
            return await queue.follow(cell, lambda tell: ask_cell(asker, cell, find_chooser(cell), tell))

        def start(model: str, queue: CellQueue) -> None:
            mine = [cell for cell in cells if cell.model == model]
            window = Window(self._loop, mine, partial(ask, queue), len(mine))
            self._windows.append(window)
            window.begin()

        queue = CellQueue(cells, start)
        if side_by_side:
            queue.begin_all()
        return queue

    def stream(
        self, jobs: Mapping[int, Job], hearer: Hearer, find_chooser: Callable[[CellJob], Chooser], *, paced: bool
    ) -> Stream:
        """Asks all jobs, and tells of each by its number. All models are asked at once.

        Args:
            paced: whether a job waits until it is reached: a session may end before it.
        """
        stream = Stream(self._loop, self._askers, jobs, self._count_ahead, hearer, find_chooser, paced=paced)
        self._windows.append(stream)
        return stream

    def records(self, jobs: Sequence[Job]) -> Iterator[list[Record]]:
        """The records of each job, in order. Later jobs are asked meanwhile."""
        queue = self.queue(jobs)
        return (queue.records(number) for number in range(len(jobs)))

    def answers(self, jobs: Sequence[Job]) -> list[Record]:
        """The records of all jobs. The jobs are asked at once, and this call waits for all of them."""
        works = [partial(_ask, self._askers[job.model], job) for job in jobs]
        return [record for future in self._loop.submit_all(works) for record in future.result()]

    def work(
        self, model: str, jobs: Sequence[J], function: Callable[[Asker, J], Coroutine[Any, Any, R]]
    ) -> Iterator[R]:
        """The result of ``function`` for each job, in order. ``function`` gets the model's asker and the job."""
        window = self._open_window(model, jobs, partial(function, self._askers[model]))
        return (window.result(place) for place in range(len(jobs)))

    def _open_window(self, label: str, jobs: Sequence[J], work: Callable[[J], Coroutine[Any, Any, R]]) -> Window[J, R]:
        window = Window(self._loop, jobs, work, self._count_ahead(label))
        self._windows.append(window)
        return window

    def _count_ahead(self, label: str) -> int:
        """How many questions to a model may be under way at once: all of them, where they wait for a batch."""
        if label in self._posts:
            return MOST_BATCHED
        return AHEAD * self._allowance.count_requests(self._senders[label].model)

    # --- the state of things ------------------------------------------------------------------

    def find_stop(self, label: str) -> FatalModelError | None:
        """The reason why a model is not asked any more, ``None`` while it is asked."""
        return self._senders[label].fatal

    @property
    def stopped(self) -> bool:
        """Whether no model is asked any more."""
        return all(sender.fatal for sender in self._senders.values())

    def end_runs(self, label: str, plans: Iterable[str]) -> None:
        """Ends the runs of plans that have all their answers. The next session asks anew.

        A run that cannot be ended, in a damaged store, stays open: its answers serve the next session too.
        """
        with suppress(StoreError):
            for plan in plans:
                self._askers[label].answers.runs.close(plan)

    def pause(self) -> AbstractContextManager[None]:
        """Stops all work for as long as the ``with`` block runs."""
        return self._loop.pause()

    def stop(self, reason: str | FatalModelError) -> None:
        """Sends no further request in this process. Answers in flight may still arrive. Any thread may call it."""
        for sender in self._list_senders():
            sender.stop(reason)
            self._loop.call(sender.stop_waiting)
        for post in self._posts.values():
            self._loop.call(post.stop)

    async def _watch_end(self, end: TimeLimit) -> None:
        """Stops this process when its time is over."""
        await asyncio.sleep(end.left())
        self.stop(end.make_error())

    async def _watch_stop(self) -> None:
        """Stops this process soon after the session is stopped in another one."""
        while not (reason := self._find_stop_elsewhere()):
            await asyncio.sleep(WATCH_S)
        self.stop(reason)

    def _find_stop_elsewhere(self) -> str:
        with suppress(StoreError):  # whoever needs the store says so
            return self._store.notices.find_stop(self._allowance.session)
        return ""

    def _list_senders(self) -> list[Sender]:
        return [*self._senders.values(), *self._writing.values()]

    def settle(self, grace_s: float = GRACE_S) -> None:
        """Begins no further question, and waits for answers in flight."""
        self._settled = self._settled or time.monotonic() + grace_s
        for window in self._windows:
            window.stop(max(0.0, self._settled - time.monotonic()))

    def close(self, grace_s: float = GRACE_S) -> None:
        """Sends no further request, waits for answers in flight, then closes models and store.

        A second Ctrl-C while it waits ends the waiting.
        """
        try:
            self.stop("the run is ending")
            # Answers are stored before they are judged, so nothing is lost if they are not read and run.
            for asker in self._askers.values():
                asker.stop_judging()
            self._executor.close()
            self.settle(grace_s)
            for post in self._posts.values():
                self._loop.submit(post.close()).result(timeout=grace_s)
            for sender in self._list_senders():
                try:
                    self._loop.submit(sender.close()).result(timeout=grace_s)
                except PartError as error:  # every answer is there
                    warnings.warn(explain(error), stacklevel=2)
        except (KeyboardInterrupt, TimeoutError):
            pass  # the run that resumes asks the missing questions again
        finally:
            self._loop.close()
            self._store.note_sent(self._allowance.session, sum(sender.sent for sender in self._senders.values()))
            self._store.close()


class Queue:
    """Jobs in the order in which they are asked for, each answered ahead of its turn."""

    def __init__(self, places: Mapping[int, tuple[Window[Job, list[Record]], int]]) -> None:
        self._places = places

    def records(self, number: int, meanwhile: Callable[[], object] = lambda: None) -> list[Record]:
        """The records of a job; waits for them, and calls ``meanwhile`` now and then."""
        window, place = self._places[number]
        return window.result(place, meanwhile)

    def is_answered(self, number: int) -> bool:
        """Whether a job has all its answers, before its turn."""
        window, place = self._places[number]
        records = window.peek(place)
        return records is not None and all(record.outcome != "error" for record in records)

    def count_ahead(self) -> int:
        """How many jobs are answered before their turn."""
        return sum(window.count_ahead() for window in {window for window, _ in self._places.values()})


def _ask(asker: Asker, job: Job) -> Coroutine[Any, Any, list[Record]]:
    return asker.records(job.suite, job.spec, job.samples, repeats=job.repeats)


def check_models(models: Sequence[Model]) -> list[PartError]:
    """Tries whether each model can be asked, all at once. Gives the exceptions that models raised.

    Raises:
        UsageError: a model cannot be asked, or all have raised.
    """
    return refuse_broken(try_models(models))


def try_models(models: Sequence[Model]) -> list[PartError | None]:
    """Tries whether each model can be asked, all at once. Gives for each the exception that it raised.

    Raises:
        UsageError: a model cannot be asked.
    """

    async def check(model: Model) -> None:
        with blame(model):
            await model.check()

    async def check_all() -> Sequence[BaseException | None]:
        return await asyncio.gather(*map(check, models), return_exceptions=True)

    errors = list[PartError | None]()
    for error in run_to_end(check_all()):
        if not isinstance(error, PartError | None):
            raise error
        errors.append(error)
    return errors


def refuse_broken(errors: Sequence[PartError | None]) -> list[PartError]:
    """The exceptions that models raised, of which there are fewer than models.

    Raises:
        UsageError: all models have raised.
    """
    broken = [error for error in errors if error is not None]
    if broken and len(broken) == len(errors):
        raise UsageError(explain(broken[0])) from broken[0]
    return broken
