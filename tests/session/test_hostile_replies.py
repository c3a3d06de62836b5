"""Replies at which parsers hang, asked of a real server: the verdict is an outcome, and another model is served."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pytest_codereason.engine.limits.time_limit import GRACE_S
from tests.servers import Server, solve
from tests.session.background import Waiter, args, background, count_rows
from tests.session.conftest import Project

#: Texts for which a parser takes minutes, or that nest deeper than a stack goes.
TEXTS = ["-->" * 10_000, "x=>" * 33_000, ")]}" * 33_000, "[" * 100_000, "\n" * 100_000, "<<<A\n" * 20_000]
SUITE = """
task = "{task}"
languages = ["javascript", "php"]
[source]
name = "semtrace"
count = {count}
digits = 2
seed = 7
{more}
"""


def reply_badly(messages: Sequence[Mapping[str, Any]], body: Mapping[str, Any]) -> str:
    """The right answer of the model ``good``; a text that no parser likes of any other."""
    if body["model"] == "good":
        return solve()(messages, dict(body))
    return "```\n" + TEXTS[len(str(messages)) % len(TEXTS)] + "\n```"


@pytest.mark.parametrize(
    ("task", "more"),
    [
        pytest.param("output-prediction", "", id="output"),
        pytest.param("function-retrieval", "", id="recall", marks=pytest.mark.slow),
        pytest.param("output-prediction", "[matrix]\ndefence = ['refactor']", id="rewriting", marks=pytest.mark.slow),
    ],
)
def test_a_reply_at_which_a_parser_hangs_is_a_miss(
    project: Project, monkeypatch: pytest.MonkeyPatch, task: str, more: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setattr("pytest_codereason.core.reading.limits.CPU_S", 0.2)
    (project.path / "hostile.suite.toml").write_text(SUITE.format(task=task, count=2, more=more))
    with Server(reply_badly, models=["hostile", "good"]) as server:
        result = project.run("--model=openai:hostile", "--model=openai:good", f"--model-url={server.url}")
    assert result.ret == 0
    outcomes = Counter((row["model"], row["outcome"]) for row in project.records())
    assert outcomes["openai:hostile", "invalid"] + outcomes["openai:hostile", "wrong"] == 4
    if task == "output-prediction" and not more:
        assert outcomes["openai:good", "correct"] == 4


@pytest.mark.slow
def test_ctrl_c_waits_for_no_reply_to_be_read(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    (project.path / "hostile.suite.toml").write_text(SUITE.format(task="output-prediction", count=20, more=""))
    with Server(lambda messages, body: "```\n" + "x=>" * 1_000_000) as server:
        began = time.monotonic()
        process = background(project, *args(server))
        Waiter().until(lambda: count_rows("answers") >= 20)
        process.send_signal(signal.SIGINT)
        stopped = time.monotonic()
        process.communicate(timeout=120)
    assert process.returncode == 2
    # On a busy machine everything takes longer, the start too.
    assert time.monotonic() - stopped < max(GRACE_S, 4 * (stopped - began))
