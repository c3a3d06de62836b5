"""What cannot be asked in batches is refused before anything is sent."""

from __future__ import annotations

import pytest

from tests.batch_servers import BatchServer
from tests.servers import (
    Disruption,
    Server,
    error,
)
from tests.session.background import args
from tests.session.batched import BATCH
from tests.session.conftest import Project, usage_error

pytestmark = pytest.mark.usefixtures("quick_batches")


REFUSED = {
    "-n": (["-n2"], "--eval-batch and -n cannot go together: one process sends all batches"),
    "stop": (["--eval-stop-when-decided", "--eval-gate=small.exact > 0"], "--eval-batch and --eval-stop-when-decided"),
    "reuse": (["--eval-reuse=0"], "--eval-batch and --eval-reuse=0 cannot go together"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_go_together_is_refused(project: Project, name: str) -> None:
    project.suite()
    more, complaint = REFUSED[name]
    with BatchServer() as server:
        assert complaint in usage_error(project, *args(server, BATCH, *more))
        assert server.steps == []


def test_models_without_batches_are_refused(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", "x")
    project.suite()
    assert "deepseek:x takes no batches here" in usage_error(project, "--model=deepseek:x", BATCH)
    assert "--eval-batch has no effect" in usage_error(project, "--model=baseline:truth", BATCH)
    with Server() as server:
        complaint = usage_error(project, *args(server, BATCH))
        assert "openai:scripted: it has no batches at /batches (HTTP 404): leave --eval-batch out" in complaint
        assert not server.requests


@pytest.mark.parametrize("trouble", [error(403, "not allowed to read batches"), Disruption(body=b"<html>")])
def test_batches_that_cannot_be_listed_are_no_batches(project: Project, trouble: Disruption) -> None:
    project.suite()
    with BatchServer(troubles={"list": [trouble]}) as server:
        assert "--eval-batch: openai:scripted: " in usage_error(project, *args(server, BATCH))
        assert server.steps == ["list"]


def test_fuzz_tests_are_refused(project: Project) -> None:
    project.pytester.makepyfile("def test_it(codereason): pass")
    with BatchServer() as server:
        assert "a fuzz test asks question by question" in usage_error(project, *args(server, BATCH))
