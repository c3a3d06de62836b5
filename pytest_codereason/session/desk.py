"""The side of the plugin that asks: in the one process of a plain run, in every worker of xdist."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

import pytest

from pytest_codereason.core import Model, Record, Spec
from pytest_codereason.engine import runs
from pytest_codereason.engine.asking import Asker, keep_alive
from pytest_codereason.engine.budget import Budget
from pytest_codereason.engine.executing import Executor
from pytest_codereason.engine.patience import Patience
from pytest_codereason.engine.sharding import share
from pytest_codereason.engine.store import Store
from pytest_codereason.engine.window import Loop, Window
from pytest_codereason.engine.writing import Writer
from pytest_codereason.errors import FatalModelError
from pytest_codereason.session.judging import clip
from pytest_codereason.suites.suite import Suite

if TYPE_CHECKING:
    from pytest_codereason.session.collection import Question
    from pytest_codereason.session.settings import Settings

Job = tuple[Suite, Spec]

#: Questions kept under way, as a multiple of the requests in flight: some are being built or judged.
AHEAD = 4
#: Seconds that answers in flight get to land when a run is stopped; xdist kills a worker after 10.
GRACE_S, GRACE_XDIST_S = 10.0, 6.0


class Desk:
    """Asks this process's questions, ahead of their turn. Made when the first one is due."""

    def __init__(
        self,
        config: pytest.Config,
        settings: Settings,
        models: dict[str, Model],
        writer: Model | None,
        session: str,
        executor: Executor,
    ) -> None:
        self._config = config
        self._settings = settings
        self._models = models
        self._writer = writer
        self._session = session
        self._executor = executor
        worker = getattr(config, "workerinput", None)
        self._workers: int = worker["workercount"] if worker else 1
        self._index: int = worker["codereason_index"] if worker else 0
        self._knows_share = bool(worker and worker["codereason_shared"])
        self._grace_s = GRACE_XDIST_S if worker else GRACE_S
        self._open = False

    def records(self, item: Question) -> list[Record]:
        """The records of this item; waits for them."""
        if not self._open:
            self._start(item.session.items)
        window, places = self._windows[item.model]
        records = window.result(places[item.nodeid])
        if all(asker.fatal for asker in self._askers.values()) and not item.session.shouldstop:
            item.session.shouldstop = clip(f"{item.model}: {self._askers[item.model].fatal}", 400)
        return records

    def answers(self, session: pytest.Session, label: str, asked: Sequence[tuple[Suite, Spec, int]]) -> list[Record]:
        """The records of some samples, asked at once; waits for them all."""
        if not self._open:
            self._start(session.items)
        asker = self._askers[label]
        works = [partial(asker.records, suite, spec, (number,)) for suite, spec, number in asked]
        return [record for future in self._loop.submit_all(works) for record in future.result()]

    def fatal(self, label: str) -> FatalModelError | None:
        """Why a model is not asked any more, if so."""
        return self._askers[label].fatal

    def forget(self, label: str, plans: Iterable[str]) -> None:
        """Ends the runs of plans that have all their answers: the next session asks anew."""
        for plan in plans if self._open else ():
            runs.close(self._store, plan, self._models[label])

    def _start(self, items: Sequence[pytest.Item]) -> None:
        from pytest_codereason.session.collection import Question

        self._open = True
        # What was loaded for the checks lives to the end, as the questions do.
        gc.freeze()
        self._loop = Loop()
        self._store = Store(self._settings.store, reuse_s=self._settings.reuse_s)
        self._loop.submit(keep_alive(self._store))
        if self._knows_share:
            items = [items[i] for i in share([item.nodeid for item in items], self._workers, self._index)]
        questions = [item for item in items if isinstance(item, Question)]
        self._writing = self._asker(self._writer) if self._writer else None
        self._askers = {label: self._asker(model, self._writing) for label, model in self._models.items()}
        self._windows = {label: self._window(label, questions) for label in self._models}

    def _asker(self, model: Model, writing: Asker | None = None) -> Asker:
        limit = self._settings.max_cost
        return Asker(
            model=model,
            store=self._store,
            patience=Patience(),
            concurrency=self.concurrency(model),
            executor=self._executor,
            budget=None if limit is None else Budget(session=self._session, limit=limit),
            writer=None if writing is None else Writer(writing),
        )

    def _window(self, label: str, questions: Sequence[Question]) -> tuple[Window[Job, list[Record]], dict[str, int]]:
        mine = [q for q in questions if q.model == label]
        jobs: list[Job] = [(q.suite, q.spec) for q in mine]
        asker = self._askers[label]
        window = Window(self._loop, jobs, lambda job: asker.records(*job), AHEAD * asker.concurrency)
        return window, {q.nodeid: place for place, q in enumerate(mine)}

    def concurrency(self, model: Model) -> int:
        """This process's part of the requests in flight, at least one."""
        whole = self._settings.concurrency or model.concurrency
        return max(1, whole // self._workers + (self._index < whole % self._workers))

    def paused(self) -> AbstractContextManager[None]:
        """Nothing is judged meanwhile."""
        return self._loop.paused() if self._open else nullcontext()

    def close(self) -> None:
        """Sends and runs nothing more, lets answers in flight land, then lets go of models and store.

        A second Ctrl-C while it waits ends the waiting.
        """
        if not self._open:
            return
        self._open = False
        end = time.monotonic() + self._grace_s
        try:
            askers = [*self._askers.values(), *([self._writing] if self._writing else [])]
            for asker in askers:
                asker.stop("the run is ending")
            # An answer is kept before it is judged, so no program is worth waiting for.
            self._executor.close()
            for window, _ in self._windows.values():
                window.stop(max(0.0, end - time.monotonic()))
            for asker in askers:
                self._loop.submit(asker.close()).result(timeout=self._grace_s)
        except (KeyboardInterrupt, TimeoutError):
            pass  # what has not landed by now is asked again by the run that resumes
        finally:
            self._loop.close()
            self._store.close()
