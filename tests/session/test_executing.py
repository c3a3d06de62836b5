"""Runs that execute programs: isolation, facts, interpreters that are missing."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.session.conftest import Project
from tests.session.data_sets import cruxeval

ADD = {"id": "add", "code": "def f(a, b):\n    return a + b", "input": "1, 2", "output": "3"}
WRONG = {"id": "wrong", "code": "def f(a):\n    return a", "input": "1", "output": "2"}
RAISES = {"id": "raises", "code": "def f(a):\n    return b", "input": "1", "output": "2"}


def outcomes(project: Project) -> dict[str, tuple[str, str]]:
    return {row["id"]: (row["outcome"], row["reason"]) for row in project.records()}


@pytest.mark.slow
def test_a_perfect_reader_is_right_in_every_language(project: Project) -> None:
    project.suite(count=2, languages=("python", "javascript", "php"), prompting=("direct", "cot"))
    result = project.run("--model=baseline:interpreter")
    assert result.ret == 0
    result.assert_outcomes(passed=12)
    (line,) = [line for line in result.outlines if line.startswith("codereason: sandbox: ")]
    tier = line.removeprefix("codereason: sandbox: ")
    assert tier != "none"
    assert {row["sandbox"] for row in project.records()} == {tier}
    assert project.run_json()["sandbox"] == tier


def test_nothing_is_run_where_nobody_asks_for_it(project: Project) -> None:
    project.suite()
    result = project.run("--model=baseline:truth", "--eval-sandbox=require")
    result.stdout.fnmatch_lines(["codereason: sandbox: none (no code is run)"])
    assert {row["sandbox"] for row in project.records()} == {"none"}


def test_isolation_can_be_turned_off(project: Project) -> None:
    cruxeval(project, ADD)
    (project.path / "pytest.ini").write_text("[pytest]\ncodereason_sandbox = off\n")
    result = project.run("--model=baseline:interpreter")
    result.stdout.fnmatch_lines(["codereason: sandbox: off (programs can read your files*"])
    assert [row["sandbox"] for row in project.records()] == ["off"]


def test_an_unknown_mode_is_a_usage_error(project: Project) -> None:
    cruxeval(project, ADD)
    result = project.run("--model=baseline:interpreter", "--eval-sandbox=sure")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--eval-sandbox sure: must be one of auto, require, off*"])


def test_programs_that_fail_their_own_facts_are_skipped_and_counted(project: Project) -> None:
    cruxeval(project, ADD, WRONG, RAISES, more="check = true")
    result = project.run("--model=baseline:truth", "-rs")
    assert result.ret == 0
    result.assert_outcomes(passed=1, skipped=2)
    by_id = outcomes(project)
    assert by_id["python/add"] == ("correct", "")
    assert by_id["python/wrong"] == ("skipped", "the recorded output is wrong: the program returns 1, recorded is 2")
    assert by_id["python/raises"][0] == "skipped"
    assert by_id["python/raises"][1].startswith("the program raises NameError")
    result.stdout.fnmatch_lines(["*skipped 2*"])


def test_facts_are_believed_unless_a_suite_asks(project: Project) -> None:
    cruxeval(project, ADD, WRONG)
    project.run("--model=baseline:interpreter")
    assert {id: outcome for id, (outcome, _) in outcomes(project).items()} == {
        "python/add": "correct",
        "python/wrong": "wrong",
    }


def test_check_is_true_or_false(project: Project) -> None:
    cruxeval(project, ADD, more='check = "yes"')
    result = project.run("--model=baseline:truth")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*crux.suite.toml:6: 'check' must be true or false, not 'yes'*"])


OWN_SOURCE = """
from pytest_codereason.core import Program, Source

class Squares(Source):
    name = "squares"
    languages = ("python",)
    facts = frozenset()
    identity = {"name": "squares"}

    @classmethod
    def create(cls, settings, *, seed):
        return cls()

    def names(self, language):
        return iter(("3", "4", "endless", "broken"))

    def program(self, language, name, axes):
        body = {"endless": "while True: pass", "broken": "return 1 +"}.get(name, "return x * x")
        return Program.from_source(language=language, source=f"def f(x):\\n    {body}\\n", call=f"f({name})")

    def shots(self, language, name, axes, count):
        return ()
"""


def test_an_output_that_nobody_says_is_computed(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.path / "squares.py").write_text(OWN_SOURCE)
    monkeypatch.syspath_prepend(str(project.path))
    suite = 'task = "output-prediction"\n[source]\nname = "squares:Squares"\n[matrix]\nprompting = ["direct", "cot"]\n'
    (project.path / "own.suite.toml").write_text(suite)
    result = project.run("--model=baseline:truth", "-k", "not endless")
    result.assert_outcomes(passed=4, skipped=2)
    assert {row["expected"] for row in project.records() if row["outcome"] == "correct"} == {"9", "16"}
    assert {row["reason"] for row in project.records() if row["outcome"] == "skipped"} == {
        reason for _, reason in outcomes(project).values() if reason.startswith("the program does not compile")
    }


@pytest.mark.slow  # it takes the processor time that a program may take
def test_a_program_that_never_ends_has_no_output(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = {**ADD, "code": "def f(a, b):\n    while True:\n        pass"}
    cruxeval(project, endless, more="check = true")
    project.run("--model=baseline:truth")
    assert outcomes(project) == {"python/add": ("skipped", "the program is stopped at the limit on cpu")}


def test_nothing_is_run_by_a_dry_run_or_an_export(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    from pytest_codereason.cli import main

    cruxeval(project, {**ADD, "code": "import pathlib; pathlib.Path('/tmp/ran').touch()"}, task="input-prediction")
    result = project.run("--model=baseline:interpreter", "--eval-dry-run")
    result.stdout.fnmatch_lines(["*questions * 1*", "*nothing was asked*"])
    capsys.readouterr()
    assert main(["export", str(project.path / "crux.suite.toml")]) == 0
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert row["expected"] == "1, 2"
    assert "assert f(??) == 3" in row["messages"][0]["content"]


@pytest.mark.slow
def test_inputs_are_predicted(project: Project) -> None:
    cruxeval(project, ADD, task="input-prediction", more="[matrix]\nprompting = ['direct', 'cot']\nshots = [0, 2]")
    for model in ("truth", "interpreter"):
        result = project.run(f"--model=baseline:{model}")
        result.assert_outcomes(passed=4)


def test_a_missing_interpreter_is_named_once_and_concerns_its_questions_alone(
    project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without = tmp_path / "bin"
    without.mkdir()
    for command in ("unshare", "python3"):
        if path := shutil.which(command):
            (without / command).symlink_to(path)
    monkeypatch.setenv("PATH", os.pathsep.join([str(without), str(Path(sys.executable).parent)]))
    project.suite(count=2, languages=("python", "php"))
    result = project.run("--model=baseline:interpreter")
    assert result.ret == 1
    by_id = outcomes(project)
    assert {id.partition("/")[0]: outcome for id, (outcome, _) in by_id.items()} == {
        "python": "correct",
        "php": "error",
    }
    (line,) = [line for line in result.outlines if "questions that need it to run become errors" in line]
    assert "php" in line
    assert "install" in line


@pytest.mark.slow
def test_workers_run_programs_too(project: Project) -> None:
    pytest.importorskip("xdist")
    cruxeval(project, ADD, WRONG, task="output-prediction", more="check = true")
    result = project.run_fresh("--model=baseline:interpreter", "-n2")
    result.assert_outcomes(passed=1, skipped=1)
    assert {row["sandbox"] for row in project.records()} != {"none"}
