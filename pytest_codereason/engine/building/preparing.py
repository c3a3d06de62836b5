"""Has many texts written before any question is asked: what ``codereason prepare`` and ``codereason translate`` do."""

from __future__ import annotations

import math
import uuid
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pytest_codereason.core import EMPTY, Model, Text, TextKind, TextRequest
from pytest_codereason.engine.asking import Asker
from pytest_codereason.engine.building.authoring import Writer, write_by_rule
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.building.fact_checking import FactChecker
from pytest_codereason.engine.engine import Engine, check_models
from pytest_codereason.engine.limits.allowance import Allowance
from pytest_codereason.engine.running import run_to_end
from pytest_codereason.errors import ModelError, NoText, PartError, SandboxError, Skip, UsageError, blame

STALE = "the original does not return the recorded value"


class NamedRequest(NamedTuple):
    """A request with the name of its program."""

    name: str
    request: TextRequest


class PreparedText(NamedTuple):
    """The text of one request, or the reason why there is none."""

    name: str  #: the program's
    request: TextRequest
    text: Text = Text()  #: without a value where none was written; it counts what of the rule failed all the same
    left_out: str = ""  #: why no text was asked for
    trouble: str = ""  #: why the text is still missing: nobody answered, or a program could not be run


class Preparation:
    """Writes texts of one kind. A preparation that was stopped goes on from the store.

    Args:
        model: the writer; ``None`` stands for the rule.
        store: the folder where texts and replies are kept.
        plan: the name of the run, under which the replies are kept until all texts are there.
        reuse_s: the greatest age of a text that was written before, in seconds; ``None`` for any age. With 0, every
            text is written anew.
        max_cost: the greatest cost of all texts, in US dollars; ``None`` for no limit.
    """

    def __init__(
        self,
        kind: TextKind,
        model: Model | None,
        store: Path,
        plan: str,
        *,
        reuse_s: float | None = None,
        max_cost: float | None = None,
    ) -> None:
        self._kind, self._model, self._store, self._plan = kind, model, store, plan
        self._reuse_s = reuse_s
        self._max_cost = max_cost
        self._session = uuid.uuid4().hex

    def write_all(self, requests: Sequence[NamedRequest], report_progress: Callable[[int], None]) -> list[PreparedText]:
        """What comes of each request, in order.

        Raises:
            UsageError: the model cannot be asked, or an interpreter is missing.
        """
        if self._model is not None:
            check_models([self._model])
        executor = Executor("auto")
        try:
            with blame(self._kind):
                languages = {name for job in requests for name in self._kind.languages(job.request)}
            if missing := next(executor.find_missing(sorted(languages)), None):
                raise UsageError(missing)
            if self._model is None:
                return run_to_end(self._write_by_rule(requests, executor, report_progress))
            return self._ask_model(self._model, requests, executor, report_progress)
        finally:
            executor.close()

    def _ask_model(
        self,
        model: Model,
        requests: Sequence[NamedRequest],
        executor: Executor,
        report_progress: Callable[[int], None],
    ) -> list[PreparedText]:
        texts: list[PreparedText] = []
        with Engine(
            {model.label: model},
            store=self._store,
            executor=executor,
            allowance=Allowance(session=self._session, max_cost=self._max_cost),
            reuse_s=self._reuse_s,
        ) as engine:
            for text in engine.work(model.label, requests, self._ask_for):
                texts.append(text)
                report_progress(len(texts))
            if not any(text.trouble for text in texts):
                engine.end_runs(model.label, [self._plan])
        return texts

    async def _ask_for(self, asker: Asker, job: NamedRequest) -> PreparedText:
        answers, run = asker.answers, asker.executor.run
        writer = Writer(
            answers.model,
            partial(answers.ask_once, self._plan),
            run,
            answers.store,
            session=self._session,
            reuse_s=math.inf if self._reuse_s is None else self._reuse_s,
            stop=answers.sender.stop,
        )
        return await self._prepare(job, partial(writer.write, run=answers.runs.find(self._plan)), FactChecker(run))

    async def _write_by_rule(
        self, requests: Sequence[NamedRequest], executor: Executor, report_progress: Callable[[int], None]
    ) -> list[PreparedText]:
        texts: list[PreparedText] = []
        for job in requests:
            texts.append(await self._prepare(job, partial(write_by_rule, run=executor.run), FactChecker(executor.run)))
            report_progress(len(texts))
        return texts

    async def _prepare(
        self, job: NamedRequest, write: Callable[[TextRequest], Awaitable[Text]], facts: FactChecker
    ) -> PreparedText:
        try:
            if self._kind.checks_original:
                try:
                    await facts.check_output(job.request.program)
                except Skip:
                    return PreparedText(*job, left_out=STALE)
            with blame(self._kind):
                return PreparedText(*job, text=await write(job.request))
        except Skip as skip:
            rejections = skip.rejections.get(job.request.place, EMPTY) if isinstance(skip, NoText) else EMPTY
            return PreparedText(*job, Text(rejections=rejections), left_out=str(skip).partition(":")[0])
        except (ModelError, SandboxError, PartError) as error:
            return PreparedText(*job, trouble=str(error))
