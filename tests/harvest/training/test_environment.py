"""The questions of a suite, and tasks without end, as task sets of verifiers, where it is installed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.harvest.training.environment import make_endless_taskset, make_taskset

pytest.importorskip("verifiers.v1")
pytestmark = pytest.mark.slow

SUITE = """\
task = "call-graph"
languages = ["python"]
[source]
name = "corpus"
count = 2
"""


def open_taskset(kind: Any, **settings: Any) -> Any:
    [base] = kind.__orig_bases__
    return kind(base.__args__[1](id="mine", **settings))


def score(task: Any, reply: str) -> float:
    return float(asyncio.run(task.score_reply(SimpleNamespace(last_reply=reply))))


def test_the_score_of_a_reply_is_its_reward(tmp_path: Path) -> None:
    suite = tmp_path / "calls.suite.toml"
    suite.write_text(SUITE, encoding="utf-8")
    tasks = list(open_taskset(make_taskset(), suite=str(suite)).load())
    assert len(tasks) == 2
    assert "Which functions does" in tasks[0].data.prompt
    assert score(tasks[0], "no idea") == 0
    with pytest.raises(UsageError, match="unknown metric 'f2'"):
        list(open_taskset(make_taskset(), suite=str(suite), metric="f2").load())


def test_tasks_without_end_are_taken_as_many_as_wanted() -> None:
    tasks = open_taskset(make_endless_taskset(), suite="horizon", seed=3, difficulty=[2, 4])
    assert not tasks.bounded
    three = list(tasks.take(3))
    assert [task.data.idx for task in three] == [0, 1, 2]
    assert len({task.key for task in three}) == 3
    assert [task.key for task in tasks.take(3)] == [task.key for task in three]
    assert [score(task, task.data.answer) for task in three] == [1, 1, 1]
    assert score(three[0], "6 * 7") == 0
