"""A shipped suite is asked by its name, from any folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.questions.suites import shipped
from tests.session.conftest import Project

MODEL = "--model=baseline:truth"


@pytest.fixture(autouse=True)
def _shipped(project: Project, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the one suite ``twins-of-five``, far from the project."""
    project.suite(count=2, languages=("python",))
    folder = tmp_path_factory.mktemp("shipped")
    (project.path / "small.suite.toml").rename(folder / "twins-of-five.suite.toml")
    monkeypatch.setattr(shipped, "SHIPPED", (folder,))


def test_a_name_stands_for_the_file(project: Project) -> None:
    result = project.run("twins-of-five", MODEL)
    assert result.ret == 0
    assert [row["suite"] for row in project.records()] == ["twins-of-five"] * 2
    assert project.run("twins-of-five::python/0001[prompting:direct]", MODEL, "--eval-report=one").ret == 0
    assert [row["id"] for row in project.records("one")] == ["python/0001[prompting:direct]"]


def test_a_file_of_ones_own_comes_first(project: Project) -> None:
    (project.path / "twins-of-five").mkdir()
    assert project.run("twins-of-five", MODEL).ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_value_of_an_option_is_no_suite(project: Project) -> None:
    assert project.run("twins-of-five", MODEL, "-k", "python").ret == 0
    assert project.run("twins-of-five", MODEL, "--eval-report", "folder", "-k", "python").ret == 0
    assert project.run("-k", "twins-of-five", "twins-of-five", MODEL, "--eval-report=before").ret == 0
    assert project.run("twins-of-five", MODEL, "-k", "twins-of-five", "--eval-report=behind").ret == 0


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("twins-of-fvie", "'twins-of-fvie' is no file, and no suite that ships (did you mean 'twins-of-five'?)"),
        ("no-such", "'no-such' is no file, and no suite that ships: codereason suites lists them"),
        ("suites/twins-of-five.suite.toml", "write twins-of-five for the suite that ships, or copy all of them with"),
        ("suites/other.suite.toml", "'suites/other.suite.toml' is no file, and no suite that ships"),
    ],
)
def test_a_name_of_nothing(project: Project, argument: str, complaint: str) -> None:
    result = project.run(argument, MODEL)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert complaint in result.stderr.str()


def test_without_a_model_names_are_those_of_pytest(project: Project) -> None:
    result = project.run("twins-of-five")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "file or directory not found: twins-of-five" in result.stderr.str()


def test_commands_take_the_name_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from pytest_codereason.cli import main

    assert main(["export", "twins-of-five", "-o", str(tmp_path / "rows.jsonl")]) == 0
    assert (tmp_path / "rows.jsonl").read_text().count("\n") == 2
    assert main(["show", "twins-of-five", "2"]) == 0
    assert "question 2 of 2: twins-of-five python/0001" in capsys.readouterr().out
    assert main(["export", "twins-of-fvie"]) == 4
    assert "did you mean 'twins-of-five'" in capsys.readouterr().err
