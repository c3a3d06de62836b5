"""Grades replies outside a run: the verdict of a suite's task on any reply to one of its questions."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from pytest_codereason.core import Ask, Completion, Finish, Instance, Spec, Verdict
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.engine.building.builder import Builder
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.judging import Judge
from pytest_codereason.engine.rehearsing import ask_in_full, find_first_ask
from pytest_codereason.engine.running import OwnLoop
from pytest_codereason.engine.task_steps import follow_steps
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.enumeration import Questions
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite

#: Built questions that are kept. A trainer asks for several replies to one question, one after another.
_KEPT = 1_000


class Grader:
    """Grades replies to the questions of one suite::

        with Grader(Path("call-graph.suite.toml")) as grader:
            verdict = grader.grade("python/inventory[prompting:direct]", "1. main.price")
            verdict.metrics["f1"]

    Programs are run in the sandbox where the task runs programs. Threads may share a grader.

    Args:
        suite: a suite, or its file.
        seed: takes the place of the file's seed.
        find: gives the question of an id, where the ids are not those of the suite; raises ``KeyError`` for others.

    Raises:
        UsageError: The suite cannot be read.
    """

    def __init__(
        self, suite: Path | Suite, *, seed: int | None = None, find: Callable[[str], Spec] | None = None
    ) -> None:
        self._suite = suite if isinstance(suite, Suite) else load(suite, seed=seed)
        self._find = find or (lambda name: self._questions.find(name))  # noqa: PLW0108  # the questions are listed when one is wanted
        self._executor = Executor("auto")
        self._builder = Builder(self._executor.run)
        self._judge = Judge()
        self._loop = OwnLoop()
        self._instances: OrderedDict[str, Instance] = OrderedDict()

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

    def choose_metric(self, name: str = "") -> str:
        """The metric of that name; the headline of the task, its first metric, where there is no name.

        Raises:
            UsageError: The task gives its answers no such metric, or less of it is better.
        """
        known = [metric.name for metric in self._suite.task.metrics if metric.higher_is_better]
        if name and name not in known:
            raise UsageError(
                f"unknown metric {name!r}{suggest_name(name, known)}: rewards of the task {self._suite.task.name} are "
                f"{', '.join(known)}"
            )
        return name or known[0]

    def ask(self, name: str) -> Ask:
        """What a model is asked: its ``messages``, and a right reply in ``truth``.

        Raises:
            UsageError: The suite has no such question.
            Skip: The question cannot be built.
        """
        return find_first_ask(self._suite.task, self.build(name), self._run)

    def ask_in_full(self, name: str) -> tuple[Ask, str]:
        """What a model is asked, and the answer that is expected.

        Raises:
            UsageError: The suite has no such question.
            Skip: The question cannot be built.
        """
        asks, expected = ask_in_full(self._suite.task, self.build(name), self._run)
        return asks[0], expected

    def reward(self, name: str, reply: str, metric: str = "") -> float:
        """The score of a reply, from 0, in a metric of :meth:`choose_metric`.

        It is 0 if the reply gives several different answers, or if arithmetic is left in its answer, as in ``6 * 7``.

        Raises:
            UsageError: The suite has no such question, or the task no such metric.
            Skip: The question cannot be built.
            SandboxError: A program could not be run.
        """
        metric = self.choose_metric(metric)
        verdict = self.grade(name, reply)
        value = float(verdict.metrics.get(metric, 0.0))
        if not value or verdict.metrics.get("unresolved"):
            return 0.0
        return value if self._suite.task.count_answers(self.build(name), reply) == 1 else 0.0

    def _run(self, run: Run) -> Execution:
        """Runs a program, and remembers its end: every reply to a question needs the same runs."""
        return self._loop.run(self._executor.run(run))

    def build(self, name: str) -> Instance:
        """The question itself.

        Raises:
            UsageError: The suite has no such question.
            Skip: The question cannot be built.
        """
        return self._loop.run(self._build(name))

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
        if name in self._instances:
            return self._instances[name]
        try:
            spec = self._find(name)
        except KeyError:
            raise UsageError(f"the suite {self._suite.name} has no question {name!r}") from None
        instance = (await self._builder.build(self._suite, spec)).instance
        self._instances[name] = instance
        while len(self._instances) > _KEPT:
            self._instances.popitem(last=False)
        return instance
