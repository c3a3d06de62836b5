"""What is checked before the first question is sent."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.engine.executing import Executor
from pytest_codereason.errors import UsageError
from pytest_codereason.session.checks import check_sandbox
from pytest_codereason.suites.reading import load
from tests.session.conftest import Project

GRAPHS = 'task = "call-graph"\nlanguages = ["python"]\n[source]\nname = "corpus"\n'


def test_only_suites_that_must_run_programs_need_a_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere/at/all")
    (tmp_path / "graphs.suite.toml").write_text(GRAPHS)
    (tmp_path / "checked.suite.toml").write_text(f"{GRAPHS}check = true\n")
    graphs, checked = load(tmp_path / "graphs.suite.toml"), load(tmp_path / "checked.suite.toml")
    tier, (message,) = check_sandbox(Executor("auto"), [graphs], [], "auto")
    assert tier == "none"
    assert message.startswith("the sandbox does not start: ")
    assert message.endswith("; no program is run to explain wrong answers")
    with pytest.raises(UsageError, match="--eval-sandbox auto: the sandbox does not start"):
        check_sandbox(Executor("auto"), [graphs, checked], [], "auto")


def read_versions(project: Project, suite: str) -> dict[str, Any]:
    (project.path / "mine.suite.toml").write_text(suite)
    assert project.run("--model=baseline:truth", "mine.suite.toml").ret == 0
    versions: dict[str, Any] = json.loads((project.path / "reports/latest/run.json").read_text())["versions"]
    return versions


@pytest.mark.parametrize(("language", "interpreter"), [("javascript", "node"), ("php", "php"), ("java", "java")])
def test_a_run_says_the_version_of_what_runs_its_programs(project: Project, language: str, interpreter: str) -> None:
    if shutil.which(interpreter) is None:
        pytest.skip(f"{interpreter} is not installed")
    printed = subprocess.run([interpreter, "--version"], capture_output=True, text=True, check=True).stdout
    suite = f'task = "input-prediction"\nlanguages = ["python", "{language}"]\n[source]\nname = "ladder"\ncount = 1\n'
    versions = read_versions(project, suite)
    assert versions.keys() == {"python", "pytest", interpreter}
    assert re.search(rf"(?<!\d){re.escape(versions[interpreter])}(?!\d)", printed)


def test_a_run_that_runs_nothing_asks_no_interpreter_for_its_version(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_codereason.sandbox.interpreters.find_version", lambda _: pytest.fail("it was asked"))
    suite = 'task = "output-prediction"\nlanguages = ["javascript"]\n[source]\nname = "semtrace"\ncount = 1\n'
    assert read_versions(project, suite).keys() == {"python", "pytest"}
