"""The questions of a suite as a task set of ``verifiers`` (0.4 or later, ``import verifiers.v1``).

``verifiers`` finds a task set by the name of an installed module that exports one class. Write such a module::

    # my_tasks.py
    from pytest_codereason.training.environment import SuiteTaskset
    __all__ = ["SuiteTaskset"]

and name it and the suite: ``--env.taskset.id my_tasks --env.taskset.suite call-graph.suite.toml``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import verifiers.v1 as vf

from pytest_codereason.errors import Skip
from pytest_codereason.training.grading import Grader


class SuiteConfig(vf.TasksetConfig):
    """Which suite, and which of the task's metrics is the reward (by default its headline)."""

    suite: str
    metric: str = ""


class QuestionData(vf.TaskData):
    """One question of the suite."""

    suite: str
    metric: str


class QuestionTask(vf.Task[QuestionData]):
    """A question, whose reward is the score of the reply."""

    @vf.reward(weight=1.0)
    async def score_reply(self, trace: vf.Trace) -> float:
        """The metric of the last reply, 0 to 1."""
        grade = _open_grader(self.data.suite).grade
        verdict = await asyncio.to_thread(grade, str(self.data.name), trace.last_reply)
        return float(verdict.metrics.get(self.data.metric, verdict.outcome == "correct"))


class SuiteTaskset(vf.Taskset[QuestionTask, SuiteConfig]):
    """All questions of a suite that can be built."""

    def load(self) -> Iterator[QuestionTask]:
        """The questions, in the order of the suite."""
        suite, grader = self.config.suite, _open_grader(self.config.suite)
        metric = self.config.metric or grader.headline
        for name in grader.list_ids():
            try:
                messages = grader.ask(name).messages
            except Skip:
                continue
            told = "\n\n".join(message.content for message in messages if message.role == "system") or None
            prompt = "\n\n".join(message.content for message in messages if message.role != "system")
            yield QuestionTask(QuestionData(name=name, prompt=prompt, system_prompt=told, suite=suite, metric=metric))


@cache
def _open_grader(suite: str) -> Grader:
    """One grader a process and suite: it keeps the questions that are built."""
    return Grader(Path(suite))
