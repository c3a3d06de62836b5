"""Grades replies outside a run: the verdict of a suite's task on any reply to one of its questions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from pytest_codereason.core import Ask, Completion, Finish, Instance, Verdict
from pytest_codereason.core.execution import Run
from pytest_codereason.engine.building.builder import Builder
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.judging import Judge
from pytest_codereason.engine.rehearsing import find_first_ask
from pytest_codereason.engine.running import OwnLoop
from pytest_codereason.engine.task_steps import follow_steps
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.enumeration import Questions
from pytest_codereason.questions.suites.reading import load


class Grader:
    """Grades replies to the questions of one suite::

        with Grader(Path("call-graph.suite.toml")) as grader:
            verdict = grader.grade("python/inventory[prompting:direct]", "1. main.price")
            verdict.metrics["f1"]

    Programs are run in the sandbox where the task runs programs. Threads may share a grader.

    Raises:
        UsageError: The suite cannot be read.
    """

    def __init__(self, suite: Path, *, seed: int | None = None) -> None:
        self._suite = load(suite, seed=seed)
        self._executor = Executor("auto")
        self._builder = Builder(self._executor.run)
        self._judge = Judge()
        self._loop = OwnLoop()
        self._instances: dict[str, Instance] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the sandbox."""
        self._executor.close()
        self._judge.close()
        self._loop.close()

    @cached_property
    def _questions(self) -> Questions:
        return Questions(self._suite)

    def list_ids(self) -> Iterator[str]:
        """The ids of the suite's questions, in their order."""
        return (spec.id for spec in self._questions)

    @property
    def headline(self) -> str:
        """The name of the task's first metric."""
        return self._suite.task.metrics[0].name

    def ask(self, name: str) -> Ask:
        """What a model is asked: its ``messages``, and a right reply in ``truth``.

        Raises:
            UsageError: The suite has no such question.
            Skip: The question cannot be built.
        """
        return find_first_ask(self._suite.task, self._loop.run(self._build(name)), self._executor.execute)

    def grade(self, name: str, reply: str, finish: Finish = "stop") -> Verdict:
        """The verdict on a reply to the question of this id. Thinking between tags is left out, as in a run.

        Raises:
            UsageError: The suite has no such question.
            Skip: The question cannot be built.
            SandboxError: A program could not be run.
        """
        return self._loop.run(self._grade(name, Completion(text=reply, finish=finish)))

    async def _grade(self, name: str, completion: Completion) -> Verdict:
        task = self._suite.task
        steps = follow_steps(task, await self._build(name))
        step = await self._judge.advance(task, steps, None)
        while not isinstance(step, Verdict):
            answer = await self._executor.run(step) if isinstance(step, Run) else completion
            step = await self._judge.advance(task, steps, answer)
        return step

    async def _build(self, name: str) -> Instance:
        if name not in self._instances:
            try:
                spec = self._questions.find(name)
            except KeyError:
                raise UsageError(f"the suite {self._suite.name} has no question {name!r}") from None
            self._instances[name] = (await self._builder.build(self._suite, spec)).instance
        return self._instances[name]
