"""The questions of a suite as a task set of verifiers, where it is installed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_codereason.harvest.training.environment import make_taskset

pytest.importorskip("verifiers.v1")
pytestmark = pytest.mark.slow

SUITE = """\
task = "call-graph"
languages = ["python"]
[source]
name = "corpus"
count = 2
"""


def test_the_score_of_a_reply_is_its_reward(tmp_path: Path) -> None:
    suite = tmp_path / "calls.suite.toml"
    suite.write_text(SUITE, encoding="utf-8")
    taskset = make_taskset()
    [base] = taskset.__orig_bases__
    tasks = list(taskset(base.__args__[1](id="calls", suite=str(suite))).load())
    assert len(tasks) == 2
    assert "Which functions does" in tasks[0].data.prompt
    assert asyncio.run(tasks[0].score_reply(SimpleNamespace(last_reply="no idea"))) == 0
