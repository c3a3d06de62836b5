"""Turns a question into records: builds the question, asks the model or finds a stored answer, and scores it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from pytest_codereason.core import (
    SCORED,
    Completion,
    Instance,
    Model,
    Price,
    Program,
    Record,
    Request,
    Spec,
    Text,
    TextRequest,
    Verdict,
    digest,
    shallow,
)
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.secrets import hide_inside
from pytest_codereason.engine.batching import Batcher
from pytest_codereason.engine.building import authoring
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.building.fact_checking import FactChecker
from pytest_codereason.engine.completions import check_completion
from pytest_codereason.engine.judging import Judge
from pytest_codereason.engine.limits.budget import Budget
from pytest_codereason.engine.limits.time_limit import TimeLimit
from pytest_codereason.engine.retries import Patience
from pytest_codereason.engine.sample_steps import SampleSteps
from pytest_codereason.engine.storage import open_runs as runs
from pytest_codereason.engine.storage.answer_keys import name_answer
from pytest_codereason.engine.storage.notices import ModelPause
from pytest_codereason.engine.storage.store import POLL_S, Store, StoredAnswer
from pytest_codereason.engine.task_steps import follow_steps
from pytest_codereason.engine.unasked import make_skipped, make_unasked
from pytest_codereason.errors import (
    FatalModelError,
    ModelError,
    PartError,
    SandboxError,
    Skip,
    StoreError,
    blame,
    find_traceback,
)
from pytest_codereason.questions.suites.suite import Suite


@dataclass(kw_only=True)
class Asker:
    """Asks one model, in one process and one event loop."""

    model: Model
    store: Store
    patience: Patience
    concurrency: int
    executor: Executor
    session: str = ""  #: every process of the session stops asking when one of them is stopped
    selection: str = ""  #: which questions of a suite the command selects
    asks_anew: bool = False  #: only answers of this session are used
    budget: Budget | None = None
    end: TimeLimit | None = None
    writer: authoring.Writer | None = None  #: of texts that a suite has no file of
    _runs: dict[str, tuple[str, str]] = field(default_factory=dict)
    _text_runs: dict[str, str] = field(default_factory=dict)
    sent: int = 0  #: requests, of this process
    _fatal: FatalModelError | None = None
    _started: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.concurrency)
        self.patience.pause = ModelPause(self.store.notices, lambda: self._identity)
        self._lease = Batcher(self.store.lease_all)
        self._keep = Batcher(self._store_answers)
        self._facts = FactChecker(self.executor.run)
        self._judge = Judge()

    @cached_property
    def _identity(self) -> str:
        return digest(dict(self.model.identity))

    async def records(self, suite: Suite, spec: Spec, numbers: Sequence[int] = (), *, repeats: int = 0) -> list[Record]:
        """The records of a question, one for each sample. After an infrastructure failure the outcome is ``error``.

        ``numbers`` names the samples. If it is empty, all samples of the suite are asked. Each sample is asked
        ``repeats`` times more, one time after the other, unless it is not answered.
        """
        numbers = numbers or range(suite.samples_for(spec))
        try:
            instance, sandbox = await self.build_question(suite, spec)
        except Skip as skip:
            return [make_skipped(suite, spec, self.model.label, n, skip) for n in numbers]
        except (ModelError, SandboxError) as error:
            trace = find_traceback(error)
            return [make_unasked(suite, spec, self.model.label, n, str(error), traceback=trace) for n in numbers]
        except StoreError as error:
            stop = self._stop_for_store(error)
            return [make_unasked(suite, spec, self.model.label, n, str(stop)) for n in numbers]
        except Exception as error:  # one broken program must not end the others' questions
            if not isinstance(error, PartError):
                error = PartError("building the question", error)
            return [make_unasked(suite, spec, self.model.label, n, str(error), traceback=error.trace) for n in numbers]
        samples = [self._ask_repeatedly(suite, instance, n, sandbox or "none", repeats) for n in numbers]
        asked = [await samples[0]] if len(samples) == 1 else list(await asyncio.gather(*samples))
        return sorted((record for sample in asked for record in sample), key=lambda record: record.repeat)

    async def _ask_repeatedly(
        self, suite: Suite, instance: Instance, sample: int, sandbox: str, repeats: int
    ) -> list[Record]:
        records = [await self._ask_sample(suite, instance, sample, sandbox, 0)]
        while len(records) <= repeats and records[-1].outcome in SCORED:
            records.append(await self._ask_sample(suite, instance, sample, sandbox, len(records)))
        return records

    async def build_question(self, suite: Suite, spec: Spec) -> tuple[Instance, str]:
        """The question as it is asked, with complete and checked facts, and the sandbox's tier.

        Raises:
            Skip: this question cannot be built.
            SandboxError: its program could not be run.
        """
        program, tier = await self._facts.complete_program(suite, suite.source_program(spec))
        requests = suite.text_requests(spec, program)
        await self._verify_before_writing(suite, spec, requests, program)
        texts = await self._provide_texts(suite, requests)
        instance = suite.build(spec, self._count_tokens, texts, program)
        instance = replace(instance, texts_reused=authoring.list_reused(requests, texts))
        authors = {**dict(program.written_by), **authoring.list_authors(requests, texts)}
        instance = replace(instance, texts_by=authors, hint_by=authors.get("hint", ""))
        instance, sandbox = await self._facts.complete_output(suite, instance)
        if not instance.verify:
            return instance, sandbox or tier
        checked = await self._facts.check_perturbed(instance)
        return replace(instance, checked_calls=checked.calls), checked.tier

    def _count_tokens(self, text: str) -> int | None:
        with blame(self.model):  # not the stage that asks
            return self.model.count_tokens(text)

    async def _verify_before_writing(
        self, suite: Suite, spec: Spec, requests: Sequence[TextRequest], program: Program
    ) -> None:
        """Runs the program with the rule's texts before a writer is paid. With the writer's texts it is run again.

        Raises:
            Skip: the perturbation broke the program, so it is not asked about.
            SandboxError: the program could not be run.
            FatalModelError: the question will not be asked.
        """
        paid = [r for r in requests if not (r.by_rule or r.kind in suite.texts or authoring.text_kind(r.kind).by_rule)]
        if self.writer is None or not paid:
            return
        run = self._find_text_run(suite.plan)
        if all(self.writer.knows(request, run) for request in paid):
            return
        if self._fatal:
            raise self._fatal
        draft = suite.build(spec, self._count_tokens, {r.place: authoring.draft_text(r) for r in requests}, program)
        if draft.verify:
            await self._facts.check_perturbed((await self._facts.complete_output(suite, draft))[0])

    async def _provide_texts(self, suite: Suite, requests: Sequence[TextRequest]) -> dict[str, Text]:
        """The texts that a question wants before it is built, by place."""
        if requests and not requests[0].by_rule:  # else it is not asked about
            await self._facts.check_original(suite, requests[0].program)
        write = partial(self.writer.write, run=self._find_text_run(suite.plan)) if self.writer and requests else None
        files = suite.texts
        return {r.place: await authoring.provide_text(r, files.get(r.kind), write, self.executor.run) for r in requests}

    async def _ask_sample(self, suite: Suite, instance: Instance, sample: int, sandbox: str, repeat: int) -> Record:
        sampling = suite.sampling_for(instance, self.model.sampling)
        steps = follow_steps(suite.task, instance)
        taken = SampleSteps(sandbox=sandbox)

        async def run(program: Run) -> Execution:
            execution = await self.executor.run(program)
            taken.sandbox = execution.tier
            return execution

        known: dict[str, Any] = {
            "id": instance.id,
            "family": instance.family,
            "suite": suite.name,
            "task": suite.task.name,
            "language": instance.language,
            "axes": instance.matrix,
            "model": self.model.label,
            "sample": sample,
            "repeat": repeat,
            "plan": suite.plan,
            "program_sha": instance.program.sha,
            "repository": instance.program.repository,
            "hint_by": instance.hint_by,
            "texts_by": instance.texts_by,
            "texts_reused": instance.texts_reused,
            "rejections": instance.rejections,
            "unchanged": instance.unchanged,
            "checked_calls": instance.checked_calls,
            "forms": instance.forms,
        }
        try:
            step = await self._judge.advance(suite.task, steps, None)
            while not isinstance(step, Verdict):
                if isinstance(step, Run):
                    step = await self._judge.advance(suite.task, steps, await run(step))
                    continue
                drawn, place = sampling.with_room(step.room), len(taken.steps)
                request = Request(
                    ask=step, sampling=drawn, instance=instance, sample=sample, step=place, repeat=repeat, run=run
                )
                step = await self._judge.advance(suite.task, steps, await self._take_completion(suite, request, taken))
            trace = await self._judge.measure(taken.steps)
        except Skip as skip:
            return Record(**known, outcome="skipped", reason=str(skip))
        except (ModelError, SandboxError, PartError) as error:
            blamed = find_traceback(error)
            return Record(**known, outcome="error", reason=str(error), steps=taken.steps, traceback=blamed)
        except StoreError as error:
            return Record(**known, outcome="error", reason=str(self._stop_for_store(error)), steps=taken.steps)
        return Record(
            **known,
            **shallow(step),
            response=taken.steps[-1].response if taken.steps else None,
            steps=taken.steps,
            usage=shallow(taken.usage),
            trace=trace,
            cost=taken.cost,
            latency_s=taken.latency_s,
            reused=taken.reused,
            sandbox=taken.sandbox,
        )

    def _stop_for_store(self, error: StoreError) -> FatalModelError:
        """Sends no further request, because its answer could not be stored."""
        if self._fatal is None:
            self._fatal = FatalModelError(f"{error}; mend it and run the same command again")
        return self._fatal

    async def _take_completion(self, suite: Suite, request: Request, taken: SampleSteps) -> Completion:
        completion, created, reused = await self._find_reply(suite.plan, request)
        taken.add(request.ask, completion, Price.of(self.model.price), created=created, reused=reused)
        return completion

    async def ask_once(self, plan: str, request: Request) -> Completion:
        """The reply to one request, paid for once: after an interruption, the same run finds the reply in the store.

        Raises:
            ModelError: the model gave no answer.
        """
        return (await self._find_reply(plan, request))[0]

    async def _find_reply(self, plan: str, request: Request) -> tuple[Completion, float | None, bool]:
        """The reply, the time when it was given, and whether it comes from the store."""
        if not self.model.stored:
            return await self.ask(request), None, False
        key = name_answer(self._identity, request, by_seed=self.model.draws_by_seed)
        while (stored := self._find_stored(plan, key)) is None:
            if self._fatal:
                raise self._fatal
            # A question is leased when it is sent, not while it waits: it would be lost to others for so long.
            async with self._slots:
                if await self._lease(key):
                    return await self._ask_leased(plan, key, request)
            await asyncio.sleep(POLL_S)
        return stored.completion, stored.created, True

    def _find_stored(self, plan: str, key: str) -> StoredAnswer | None:
        """The answer of this run, else that of another suite of this session."""
        scope, run = self._find_scope(plan)
        return self.store.get(key, run) or self.store.share(key, run, scope, self.session)

    async def _ask_leased(self, plan: str, key: str, request: Request) -> tuple[Completion, float | None, bool]:
        scope, run = self._find_scope(plan)
        # Another session, or another suite, may have stored the answer since the last look.
        if (stored := self._find_stored(plan, key)) is not None:
            self.store.release(key)
            return stored.completion, stored.created, True
        try:
            completion = await self._send(request)
            await self._keep((key, run, scope, completion))
        except StoreError as error:
            raise self._stop_for_store(error) from error
        except BaseException:
            self.store.release(key)
            raise
        return completion, time.time(), False

    async def ask(self, request: Request) -> Completion:
        """One completion. It is paid for and not stored.

        Raises:
            ModelError: the model gave no answer.
        """
        async with self._slots:
            return await self._send(request)

    async def _send(self, request: Request) -> Completion:
        if self._fatal:
            raise self._fatal
        await self._start()
        answer = self._answer if self.budget is None else partial(self.budget.pay, self.model, ask=self._answer)
        try:
            return await self.patience.retry(partial(answer, request))
        except FatalModelError as error:
            self._fatal = self._fatal or error
            raise
        except PartError as error:
            raise ModelError(str(error)) from error

    async def _answer(self, request: Request) -> Completion:
        if not self._fatal and (reason := self.store.notices.find_stop(self.session)):
            self.stop(reason)
        if self._fatal:
            raise self._fatal
        self.sent += 1
        with blame(self.model):
            answer = self.model.answer(request)
            reply = await (answer if self.end is None else self.end.wait_for(answer))
            completion = check_completion(self.model, reply)
            # A server may repeat what it was sent.
            texts = {name: hide_inside(getattr(completion, name)) for name in ("text", "reasoning", "served_by")}
            return replace(completion, **texts)

    async def _start(self) -> None:
        """Loads the model, just before the first request."""
        if self._started is None:
            self._started = asyncio.ensure_future(self.model.start())
        try:
            with blame(self.model):
                if self._started.done():
                    self._started.result()
                else:
                    await asyncio.shield(self._started)
        except Exception as error:
            self._fatal = error if isinstance(error, FatalModelError) else FatalModelError(str(error))
            raise self._fatal from error

    async def close(self) -> None:
        """Closes the model, if it was loaded, and reads no further reply.

        Raises:
            PartError: the model raised an exception. Its answers are stored.
        """
        self._judge.close()
        if self._started is not None and self._started.done() and self._started.exception() is None:
            with blame(self.model):
                await self.model.close()

    def stop_judging(self) -> None:
        """Reads no further reply. Any thread may call it."""
        self._judge.close()

    def stop(self, reason: str | FatalModelError) -> None:
        """Sends no further request. Requests in flight may still be answered."""
        self._fatal = self._fatal or (FatalModelError(reason) if isinstance(reason, str) else reason)

    @property
    def fatal(self) -> FatalModelError | None:
        """The reason why no more questions are sent, ``None`` while questions are sent."""
        return self._fatal

    def _store_answers(self, answers: Sequence[tuple[str, str, str, Completion]]) -> Sequence[None]:
        self.store.put_all(answers, session=self.session)
        return [None] * len(answers)

    def _find_scope(self, plan: str) -> tuple[str, str]:
        """The scope and the run that answers to this plan belong to."""
        if plan not in self._runs:
            scope = runs.name_scope(plan, self.model)
            open_run = self.session if self.asks_anew else runs.find_run(self.store, plan, self.model, self.selection)
            self._runs[plan] = scope, open_run
        return self._runs[plan]

    def find_run(self, plan: str) -> str:
        """The run that answers to this plan belong to."""
        return self._find_scope(plan)[1]

    def _find_text_run(self, plan: str) -> str:
        """The run that texts for questions of this plan belong to."""
        assert self.writer is not None
        if plan not in self._text_runs:
            arguments = self.store, plan, self.model, self.writer.model, self.selection
            self._text_runs[plan] = self.session if self.asks_anew else runs.find_text_run(*arguments)
        return self._text_runs[plan]
