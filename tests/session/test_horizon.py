"""The horizon end to end: what a model that stops early, one that guesses and one that runs the program get."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.servers import Server
from tests.session.conftest import Project

SUITE = """
task = "output-prediction"
languages = ["python"]

[source]
name = "horizon"
count = 2
seed = 3

[matrix]
state = ["int", "list"]
steps = [0, 12]
"""


def copy_start(messages: Sequence[Mapping[str, Any]], _: object) -> str:
    """Replies with the arguments of the call, as small models do."""
    prompt = next(str(message["content"]) for message in reversed(messages) if message["role"] == "user")
    (arguments,) = set(re.findall(r"assert f\((.*)\) == ", prompt))
    return str(arguments if arguments.startswith("[") else f"[{arguments}]")


@pytest.mark.slow
def test_a_model_that_copies_the_start_stops_at_step_0(project: Project) -> None:
    (project.path / "far.suite.toml").write_text(SUITE)
    baselines = [f"--model=baseline:{name}" for name in ("truth", "chance", "interpreter")]
    with Server(copy_start) as server:
        result = project.run("--model=openai:scripted", f"--model-url={server.url}", *baselines)
    assert result.ret == 0
    right: dict[tuple[str, int], set[float | None]] = {}
    for record in project.records():
        right.setdefault((record["model"], record["axes"]["steps"]), set()).add(record["metrics"].get("stopped_at"))
    assert right == {
        ("openai:scripted", 0): {0.0},
        ("openai:scripted", 12): {0.0},
        ("baseline:truth", 0): {0.0},
        ("baseline:truth", 12): {12.0},
        ("baseline:interpreter", 0): {0.0},
        ("baseline:interpreter", 12): {12.0},
        ("baseline:chance", 0): {None},
        ("baseline:chance", 12): {None},
    }
