"""A run that is killed while it builds questions goes on with the very questions of a run that was not killed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.servers import Server
from tests.session.background import Waiter, args, background, count_rows
from tests.session.conftest import Project
from tests.session.volatile import drop_volatile

SUITE = """
task = "moment"
languages = ["python"]
[source]
name = "corpus"
count = 2
[matrix]
about = ["value", "visits", "next", "writer"]
perturbation = ["none", "rename"]
"""


def read_records(project: Project, folder: str) -> dict[str, Any]:
    """The records of a run by their id, skipped ones with the reason."""
    return {row["id"]: drop_volatile(row) for row in project.records(folder)}


@pytest.mark.slow
def test_a_killed_run_of_moments_goes_on_with_the_same_questions(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    (project.path / "moments.suite.toml").write_text(SUITE)
    with Server(lambda messages, body: "[ANSWER]3[/ANSWER]", latency_s=0.1) as server:

        def begin(folder: str, *more: str) -> Any:
            options = (f"--eval-report={folder}", "--eval-concurrency=2", *more)
            return background(project, *args(server, "-q", "moments.suite.toml", *options))

        output = (whole := begin("whole", "--eval-store=whole-store")).communicate(timeout=300)[0].decode()
        assert whole.returncode == 0, output
        asked = len(server.requests)

        killed = begin("killed")
        Waiter(120).until(lambda: count_rows("answers") >= 3)
        assert killed.poll() is None
        killed.kill()
        killed.communicate()
        output = (again := begin("killed")).communicate(timeout=300)[0].decode()
        assert again.returncode == 0, output
    records = read_records(project, "whole")
    assert read_records(project, "killed") == records
    assert len(records) == 16
    assert sum(row["outcome"] != "skipped" for row in records.values()) == asked > 5
    assert len(server.requests) <= 2 * asked + 2, "what was answered before is not asked again, but for two in flight"
