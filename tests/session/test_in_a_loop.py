"""Everything starts inside an event loop too, as a cell of Jupyter does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.servers import Server
from tests.session.background import args
from tests.session.conftest import Project

NOTEBOOK = """
import asyncio, sys
import pytest
from pytest_codereason import cli

async def cell():
    if sys.argv[1] == "pytest":
        return pytest.main(sys.argv[2:])
    return cli.main(sys.argv[1:])

sys.exit(asyncio.run(cell()))
"""


def run_in_loop(project: Project, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", NOTEBOOK, *command], check=False, cwd=project.path, capture_output=True, text=True
    )


@pytest.mark.slow
def test_a_run(project: Project) -> None:
    project.suite(count=2)
    with Server() as server:
        ended = run_in_loop(project, "pytest", *args(server, "--model-arg=key_env=PATH"))
        assert ended.returncode == 0, ended.stdout + ended.stderr
        assert len(server.requests) == 4
    assert {row["outcome"] for row in project.records()} == {"correct"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("export", "small.suite.toml"),
        ("show", "small.suite.toml", "1"),
        ("sft", "small.suite.toml", "-o", "rows.jsonl"),
        ("prepare", "small.suite.toml", "--writer=rule", "-o", "hints.json"),
    ],
    ids=lambda command: command[0],
)
def test_a_command(project: Project, command: tuple[str, ...]) -> None:
    project.suite(count=2, languages=("python",), more='perturbation = ["none", "hint"]\n')
    ended = run_in_loop(project, *command)
    assert ended.returncode == 0, ended.stdout + ended.stderr
