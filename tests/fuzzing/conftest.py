"""A project with tests that ask a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fuzzing.blind import blind
from tests.servers import Answer, Server
from tests.session.conftest import Project, project

__all__ = ["Fuzzed", "fuzzed", "project"]

HEAD = """
from hypothesis import HealthCheck, assume, example, given, settings, strategies as st
from pytest_codereason.core import Program
from pytest_codereason.strategies import perturbations, perturbed, programs
"""
READS = """
@settings(max_examples=150)
@given(program=programs(["python"]))
def test_reads(program, codereason):
    assert codereason.ask(program).correct
"""
SURVIVES = """
@settings(max_examples=150)
@given(case=perturbed(programs(["python"]), perturbations(["dead-code"])))
def test_survives(case, codereason):
    codereason.survives(case)
"""


class Fuzzed:
    """Runs tests of such a project against a scripted model."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.path = project.path

    def test(self, text: str, name: str = "test_fuzz.py") -> None:
        (self.path / name).write_text(HEAD + text)

    def run(self, server: Server, *args: str) -> pytest.RunResult:
        return self.project.run("--model=openai:scripted", f"--model-url={server.url}", *args)

    def ask(self, text: str, answer: Answer | None = None, *args: str) -> tuple[pytest.RunResult, int]:
        """The result of one test against a model, and how many requests it took."""
        self.test(text)
        with Server(answer or blind()) as server:
            return self.run(server, *args), len(server.requests)

    def read_counterexample(self) -> dict[str, Any]:
        """The names in the one counterexample that was written."""
        [path] = (self.path / "reports/found").glob("test_found_*.py")
        scope: dict[str, Any] = {}
        exec(compile(path.read_text(), path.name, "exec"), scope)
        return scope | {"path": path}


@pytest.fixture
def fuzzed(project: Project, monkeypatch: pytest.MonkeyPatch) -> Fuzzed:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    return Fuzzed(project)


def shipped(name: str) -> Path:
    """A suite of this project."""
    return Path(__file__).parents[2] / "suites" / name
