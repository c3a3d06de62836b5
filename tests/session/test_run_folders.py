"""The folder of --eval-report: only the very same incomplete run goes on in it, and one command at a time."""

from __future__ import annotations

from itertools import repeat

import pytest

from tests.servers import Server, error, solve
from tests.session.background import args
from tests.session.conftest import Project


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


def test_a_run_that_stopped_when_its_gates_were_decided_is_kept(project: Project) -> None:
    project.suite(count=20, languages=("python",))
    command = ("--eval-gate=small.exact >= 0.5", "--eval-stop-when-decided", "--eval-report=out")
    with Server(solve(accuracy=1)) as server:
        assert project.run(*args(server, "--eval-concurrency=1", *command)).ret == 0
        before = project.records("out")
        assert "stopped_early" in project.run_json("out")
        result = project.run(*args(server, "--eval-concurrency=1", *command))
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: --eval-report *out: the folder holds another run, which has ended*"])
    assert project.records("out") == before


@pytest.mark.slow
def test_an_incomplete_run_is_continued_by_the_same_command_alone(project: Project) -> None:
    """With as many other questions, or another setting of one model, the command is refused."""
    project.suite(count=4)
    with Server(script=repeat(error(401, "no"))) as server:
        command = args(server, "--eval-report=out", "-k")
        assert project.run(*command, "python").ret == 1
        server.requests.clear()
        for more in (("php",), ("python", "--model-arg=openai:scripted:temperature=0.9")):
            result = project.run(*command, *more)
            assert result.ret == 4
            result.stderr.fnmatch_lines(["ERROR: --eval-report *out: the folder holds another run, which is incompl*"])
        assert not server.requests
        assert project.run(*command, "python").ret == 1
        assert server.requests
