"""The questions of a suite as a task set of ``verifiers`` (0.4 or later, ``import verifiers.v1``).

``verifiers`` finds a task set by the name of an installed module that exports one class. Write such a module::

    # my_tasks.py
    from pytest_codereason.harvest.training.environment import make_taskset
    SuiteTaskset = make_taskset()
    __all__ = ["SuiteTaskset"]

and name it and the suite: ``--env.taskset.id my_tasks --env.taskset.suite call-graph.suite.toml``. ``verifiers``
0.4 needs an openai below 3: docs/training.md says how to install both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pytest_codereason.errors import Skip
from pytest_codereason.harvest.training.grading import Grader


def make_taskset() -> type[Any]:
    """The class of a task set: all questions of a suite that can be built. The score of a reply is its reward.

    Its settings are ``suite``, the suite file, and ``metric``, one that the task gives each answer; by default the
    task's headline. Needs the package ``verifiers``.
    """
    import verifiers.v1 as vf

    class SuiteConfig(vf.TasksetConfig):
        suite: str
        metric: str = ""

    class QuestionData(vf.TaskData):
        suite: str
        metric: str

    class QuestionTask(vf.Task[QuestionData]):
        @vf.reward(weight=1.0)
        async def score_reply(self, trace: Any) -> float:
            grade = _open_grader(self.data.suite).grade
            verdict = await asyncio.to_thread(grade, str(self.data.name), trace.last_reply)
            return float(verdict.metrics.get(self.data.metric, verdict.outcome == "correct"))

    class SuiteTaskset(vf.Taskset[QuestionTask, SuiteConfig]):
        def load(self) -> Iterator[Any]:
            suite, grader = self.config.suite, _open_grader(self.config.suite)
            metric = self.config.metric or grader.headline
            for name in grader.list_ids():
                try:
                    messages = grader.ask(name).messages
                except Skip:
                    continue
                told = "\n\n".join(message.content for message in messages if message.role == "system") or None
                prompt = "\n\n".join(message.content for message in messages if message.role != "system")
                data = QuestionData(name=name, prompt=prompt, system_prompt=told, suite=suite, metric=metric)
                yield QuestionTask(data)

    return SuiteTaskset


@cache
def _open_grader(suite: str) -> Grader:
    """One grader a process and suite: it keeps the questions that are built."""
    return Grader(Path(suite))
