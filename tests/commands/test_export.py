"""``codereason export`` writes what a run asks, and ``codereason sft`` learns from nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.cli import main
from pytest_codereason.errors import Skip
from pytest_codereason.training.grading import Grader
from tests.stages.own_perturbations import Ruinous

SUITE = """
task = "output-prediction"
languages = ["python"]
[source]
name = "semtrace"
count = 1
[matrix]
perturbation = ["none", "{change}"]
"""
RUINOUS = f"{Ruinous.__module__}:Ruinous"


def write_suite(folder: Path, change: str) -> Path:
    path = folder / "mine.suite.toml"
    path.write_text(SUITE.format(change=change))
    return path


def test_a_changed_program_that_does_something_else_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = write_suite(tmp_path, RUINOUS)
    assert main(["export", str(suite)]) == 0
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert row["axes"]["perturbation"] == "none"
    assert main(["sft", str(suite), "--writer=none", "-o", str(tmp_path / "train.jsonl")]) == 0
    assert len((tmp_path / "train.jsonl").read_text().splitlines()) == 1
    assert "the perturbed program returns something else" in capsys.readouterr().out
    with Grader(suite) as grader, pytest.raises(Skip, match="returns something else"):
        grader.grade(f"python/0000[perturbation:{RUINOUS}]", "1")


def test_what_cannot_be_run_is_written_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = write_suite(tmp_path, "rename")
    suite.write_text(suite.read_text().replace('"python"', '"php"'))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["export", str(suite)]) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 2
    assert printed.err.startswith("warning: 1 changed program could not be run, so nobody has checked them: ")
