"""The questions of a suite as a task set of ``verifiers`` (0.4 or later, ``import verifiers.v1``).

``verifiers`` finds a task set by the name of an installed module that exports one class. Write such a module::

    # my_tasks.py
    from pytest_codereason.harvest.training.environment import make_endless_taskset
    EndlessTaskset = make_endless_taskset()
    __all__ = ["EndlessTaskset"]

and name it and the suite: ``--env.taskset.id my_tasks --env.taskset.suite horizon``. ``verifiers`` 0.4 needs an openai
below 3: docs/training.md says how to install both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pytest_codereason.core import Ask
from pytest_codereason.errors import Skip
from pytest_codereason.harvest.training.grading import Grader
from pytest_codereason.harvest.training.tasks import tasks_for


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
            grader, name = _open_grader(self.data.suite), str(self.data.name)
            return await asyncio.to_thread(grader.reward, name, trace.last_reply, self.data.metric)

    class SuiteTaskset(vf.Taskset[QuestionTask, SuiteConfig]):
        def load(self) -> Iterator[Any]:
            suite, grader = self.config.suite, _open_grader(self.config.suite)
            metric = grader.choose_metric(self.config.metric)
            for name in grader.list_ids():
                try:
                    ask = grader.ask(name)
                except Skip:
                    continue
                yield QuestionTask(QuestionData(name=name, suite=suite, metric=metric, **_write_prompts(ask)))

    return SuiteTaskset


def make_endless_taskset() -> type[Any]:
    """The class of a task set without end: see :func:`~pytest_codereason.tasks_for`. The reward is 0 or 1.

    Its settings are those of ``tasks_for``: ``suite``, ``seed``, ``difficulty`` (a list) and ``split``. Needs the
    package ``verifiers``.
    """
    import verifiers.v1 as vf

    class EndlessConfig(vf.TasksetConfig):
        suite: str
        seed: int = 0
        difficulty: list[int] = []  # noqa: RUF012  # a field of pydantic
        split: str = "train"

    class EndlessData(vf.TaskData):
        answer: str
        opened: dict[str, Any]

    class EndlessTask(vf.Task[EndlessData]):
        @property
        def key(self) -> str:
            return str(self.data.id)

        @vf.reward(weight=1.0)
        async def score_reply(self, trace: Any) -> float:
            grader = tasks_for(**self.data.opened).grader
            return await asyncio.to_thread(grader.reward, str(self.data.id), trace.last_reply)

    class EndlessTaskset(vf.Taskset[EndlessTask, EndlessConfig]):
        INFINITE = True

        def load(self) -> Iterator[Any]:
            config = self.config
            opened = {"name": config.suite, "seed": config.seed, "split": config.split}
            tasks = tasks_for(**opened, difficulty=config.difficulty or None)
            for item in tasks:
                ask = tasks.grader.ask(item["key"])
                prompts = _write_prompts(ask)
                yield EndlessTask(
                    EndlessData(id=item["key"], name=item["key"], answer=item["answer"], opened=opened, **prompts)
                )

    return EndlessTaskset


def _write_prompts(ask: Ask) -> dict[str, str | None]:
    """What the system and what the user says."""
    told = "\n\n".join(message.content for message in ask.messages if message.role == "system") or None
    prompt = "\n\n".join(message.content for message in ask.messages if message.role != "system")
    return {"prompt": prompt, "system_prompt": told}


@cache
def _open_grader(suite: str) -> Grader:
    """One grader a process and suite: it keeps the questions that are built."""
    return Grader(Path(suite))
