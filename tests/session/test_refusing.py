"""A run that cannot begin says why, also on the page of a CI job."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.session.refusing import refuse
from tests.session.conftest import Project, usage_error

DOWN = ("--model=openai:x", "--model-url=http://127.0.0.1:9/v1")


def test_elsewhere_nothing_but_the_error_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert str(refuse(UsageError("the endpoint is down"))) == "the endpoint is down"
    assert capsys.readouterr().out == ""


def test_a_job_has_a_summary_when_an_endpoint_is_down(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.suite(count=1)
    summary = project.path / "step.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    complaint = usage_error(project, *DOWN)
    assert "http://127.0.0.1:9/v1 cannot be reached" in complaint
    page = summary.read_text()
    assert page.startswith("## ❌ The run could not be made\n\n    ")
    assert "http://127.0.0.1:9/v1 cannot be reached" in page
    assert "Traceback" not in page


def test_a_mistake_in_an_option_is_told_there_too(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.suite(count=1)
    summary = project.path / "step.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert "nobody" in usage_error(project, "--model=nobody:x")
    assert "nobody" in summary.read_text()


def test_a_summary_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as job:
        job.setenv("GITHUB_ACTIONS", "true")
        job.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "none" / "step.md"))
        refuse(UsageError("down: a\n::error::b"))
    first, second = capsys.readouterr().out.splitlines()
    assert first == "::error title=the run could not be made::down: a ::error::b"
    assert second.startswith("the summary of the step could not be written: ")
