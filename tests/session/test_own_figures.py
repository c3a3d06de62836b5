"""Figures and reporters of a user's own, named on the command line or in the ini file."""

from __future__ import annotations

import json

import pytest

from pytest_codereason.cli import main
from tests.session.conftest import Project

OWN = '''
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.reporter import Reporter


class Count(Figure):
    """How many answers there are."""

    def pictures(self, data):
        yield Picture(
            name="count", kind="count", title="Answers", sentence=f"{len(data.records)} answers.", in_terminal=True
        )


class Broken(Figure):
    """Fails at what it does."""

    def pictures(self, data):
        yield from data.records["nothing of that name"]


class Misplaced(Count):
    """Says with a word where it stands."""

    order = "last"


class Line(Reporter):
    """One line of text."""

    def write(self, report, folder):
        path = folder / "line.txt"
        path.write_text(f"{len(report.data.records)} answers, {len(report.notes)} notes")
        return path
'''


@pytest.fixture
def own(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.path / "own_figures.py").write_text(OWN)
    monkeypatch.syspath_prepend(project.path)


@pytest.mark.usefixtures("own")
def test_they_take_part_beside_the_shipped_ones_and_again_in_a_later_report(project: Project) -> None:
    project.suite(count=2)
    project.pytester.makeini("[pytest]\ncodereason_reporter = own_figures:Line\n")
    result = project.run("--model=baseline:truth", "--eval-figure=own_figures:Count")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["Answers. 4 answers."])
    folder = project.path / "reports" / "latest"
    assert (folder / "line.txt").read_text() == "4 answers, 0 notes"
    run = json.loads((folder / "run.json").read_text())
    assert (run["figures"], run["reporters"]) == (["own_figures:Count"], ["own_figures:Line"])
    assert [p["name"] for p in json.loads((folder / "summary.json").read_text())["figures"]] == ["count"]


@pytest.mark.parametrize(
    ("figure", "complaint"),
    [("Broken", "KeyError: 'nothing of that name'"), ("Misplaced", "ValueError: could not")],
)
@pytest.mark.usefixtures("own")
def test_one_that_fails_leaves_a_note_and_the_gate_judges(project: Project, figure: str, complaint: str) -> None:
    project.suite(count=2)
    args = ("--model=baseline:truth", f"--eval-figure=own_figures:{figure}", "--eval-reporter=own_figures:Line")
    result = project.run(*args, "--eval-gate=small.exact >= 0.1")
    assert result.ret == 0
    result.stdout.fnmatch_lines([f"FAILED  figure own_figures:{figure}: {complaint}*"])
    assert (project.path / "reports" / "latest" / "line.txt").read_text() == "4 answers, 1 notes"
    assert project.run(*args).ret == 1, "without a gate nothing else says that a part failed"


@pytest.mark.parametrize("option", ["--eval-figure=own_figures:Line", "--eval-reporter=nowhere:Line"])
@pytest.mark.usefixtures("own")
def test_one_that_cannot_be_is_a_usage_error_before_the_first_question(project: Project, option: str) -> None:
    project.suite(count=2)
    result = project.run("--model=baseline:truth", option)
    assert result.ret == 4
    assert "Line" in result.stderr.str()
    assert not (project.path / "reports").exists()


def test_one_whose_module_raises_is_shown_with_its_traceback(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.path / "own_broken.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(project.path)
    project.suite(count=2)
    result = project.run("--model=baseline:truth", "--eval-figure=own_broken:Count")
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        [
            "ERROR: the figure 'own_broken:Count' raised ZeroDivisionError: division by zero (own_broken.py, line 1)",
            "*1 / 0*",
        ]
    )


@pytest.mark.usefixtures("own")
def test_no_command_imports_what_a_run_names(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.suite(count=2)
    project.run("--model=baseline:truth")
    folder = project.path / "reports" / "latest"
    (project.path / "imported.py").write_text("from pathlib import Path\nPath('imported.txt').touch()\n")
    run = json.loads((folder / "run.json").read_text())
    names = {"figures": ["imported:Count", "own_figures:Count"], "reporters": ["imported:Line"]}
    (folder / "run.json").write_text(json.dumps({**run, **names}))
    for command in (["report", str(folder)], ["figure", str(folder)], ["table", str(folder), "--figure=none"]):
        main([*command, "--eval-figure=own_figures:Count"])
        said = capsys.readouterr().err
        assert "NOTE  the run names imported:Count, which is not imported: add --eval-figure=imported:Count" in said
        assert "own_figures" not in said
        assert ("imported:Line" in said) == (command[0] == "report")
    assert not (project.path / "imported.txt").exists()
    assert [p["name"] for p in json.loads((folder / "summary.json").read_text())["figures"]] == ["count"]
