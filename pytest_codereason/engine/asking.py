"""Turns a question into records: builds the question, asks the model or finds a stored answer, and scores it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pytest_codereason.core import SCORED, Price, Record, Request, Spec, Verdict
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.answers import Answers
from pytest_codereason.engine.building.authoring import Commission, Writer
from pytest_codereason.engine.building.builder import Builder, Built
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.judging import Judge
from pytest_codereason.engine.recording import Sample, make_answered, make_unanswered, make_unbuilt
from pytest_codereason.engine.sample_steps import SampleSteps
from pytest_codereason.engine.task_steps import follow_steps
from pytest_codereason.errors import ModelError, PartError, SandboxError, Skip, StoreError, blame
from pytest_codereason.questions.suites.suite import Suite


class Asker:
    """Asks one model, in one process and one event loop.

    Args:
        answers: the model's, paid for once each.
        executor: runs programs.
        writer: of texts that a suite has no file of.
    """

    def __init__(self, answers: Answers, executor: Executor, writer: Writer | None = None) -> None:
        self.answers = answers
        self.executor = executor
        self._label = answers.model.label
        self._price = Price.of(answers.model.price)
        commission = None if writer is None else Commission(writer, answers.runs, answers.sender)
        self._builder = Builder(executor.run, count_tokens=self._count_tokens, writer=commission)
        self._judge = Judge()

    def _count_tokens(self, text: str) -> int | None:
        with blame(self.answers.model):  # not the stage that asks
            return self.answers.model.count_tokens(text)

    async def records(
        self,
        suite: Suite,
        spec: Spec,
        numbers: Sequence[int] = (),
        *,
        repeats: int = 0,
        first: Sequence[Record] = (),
    ) -> list[Record]:
        """The records of a question, one for each sample. After an infrastructure failure the outcome is ``error``.

        ``numbers`` names the samples. If it is empty, all samples of the suite are asked. Each sample is asked
        ``repeats`` times more, one time after the other, unless it is not answered. If the ``first`` record of each
        sample is given, only the repeats are asked.
        """
        known_first = {record.sample: record for record in first}
        numbers = numbers or range(suite.samples_for(spec))
        try:
            built = await self._builder.build(suite, spec)
        except Exception as error:  # one broken program must not end the others' questions
            known = self._stop_for_store(error)
            if not isinstance(known, (Skip, ModelError, SandboxError, PartError)):
                known = PartError("building the question", known)
            return list(first) or [make_unbuilt(suite, spec, self._label, n, known) for n in numbers]
        samples = [self._ask_repeatedly(suite, built, n, repeats, known_first.get(n)) for n in numbers]
        asked = [await samples[0]] if len(samples) == 1 else list(await asyncio.gather(*samples))
        return sorted((record for sample in asked for record in sample), key=lambda record: record.repeat)

    async def _ask_repeatedly(
        self, suite: Suite, built: Built, number: int, repeats: int, first: Record | None
    ) -> list[Record]:
        sample = Sample(suite, built.instance, self._label, number)
        records = [first or await self._ask_sample(sample, built.tier)]
        while len(records) <= repeats and records[-1].outcome in SCORED:
            records.append(await self._ask_sample(sample._replace(repeat=len(records)), built.tier))
        return records

    async def _ask_sample(self, sample: Sample, tier: str) -> Record:
        taken = SampleSteps(sandbox=tier or "none")
        try:
            verdict = await self._follow(sample, taken)
            trace = await self._judge.measure(taken.steps)
        except (Skip, ModelError, SandboxError, PartError, StoreError) as error:
            return make_unanswered(sample, taken, self._stop_for_store(error))
        return make_answered(sample, taken, verdict, trace)

    async def _follow(self, sample: Sample, taken: SampleSteps) -> Verdict:
        """The verdict of the task, after the steps that it wants."""
        suite, instance = sample.suite, sample.instance
        sampling = suite.sampling_for(instance, self.answers.model.sampling)
        steps = follow_steps(suite.task, instance)

        async def run(program: Run) -> Execution:
            execution = await self.executor.run(program)
            taken.sandbox = execution.tier
            return execution

        step = await self._judge.advance(suite.task, steps, None)
        while not isinstance(step, Verdict):
            if isinstance(step, Run):
                step = await self._judge.advance(suite.task, steps, await run(step))
                continue
            request = Request(
                ask=step,
                sampling=sampling.with_room(step.room),
                instance=instance,
                sample=sample.number,
                step=len(taken.steps),
                repeat=sample.repeat,
                run=run,
            )
            answer = await self.answers.find(suite.plan, request)
            taken.add(step, answer.completion, self._price, created=answer.created, reused=answer.reused)
            step = await self._judge.advance(suite.task, steps, answer.completion)
        return step

    def _stop_for_store(self, error: Exception) -> Exception:
        """The error; one of the store ends the questions, and the reason why they end takes its place."""
        return self.answers.stop_for_store(error) if isinstance(error, StoreError) else error

    def stop_judging(self) -> None:
        """Reads no further reply. Any thread may call it."""
        self._judge.close()
