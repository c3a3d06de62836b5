"""A part of a user's own that raises: its name and its traceback are shown, and what does not need it goes on."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.session.conftest import Project

#: Writes a module of the user: its name and its text.
Writer = Callable[[str, str], None]

SOURCE = """
from pytest_codereason.sources.semtrace import SemTrace

class Broken(SemTrace):
    @classmethod
    def create(cls, settings, *, seed):
        raise KeyError("no such table")
"""
TASK = """
from pytest_codereason.tasks.output_prediction import OutputPrediction

class Broken(OutputPrediction):
    def steps(self, instance):
        verdict = yield from super().steps(instance)
        if instance.id.startswith("php"):
            raise ZeroDivisionError("no score")
        return verdict
"""
PERTURBATION = """
from pytest_codereason.core import Perturbation

class Broken(Perturbation):
    name = "broken"
    version = 1

    def apply(self, program, draws, dose, asks):
        raise IndexError("nothing to change")
"""
MODEL = """
from pytest_codereason.core import Completion, Model

class Broken(Model):
    identity = {{}}
    pinned = True
    stored = False

    @classmethod
    def create(cls, name, *, url, args):
        return cls()

    async def {method}(self, *given):
        raise RuntimeError("out of order")
{rest}
"""
ANSWER = """
    async def answer(self, request):
        return Completion(text=request.ask.truth, prefilled=True)
"""


@pytest.fixture
def write(project: Project, monkeypatch: pytest.MonkeyPatch) -> Writer:
    monkeypatch.syspath_prepend(project.path)

    def write_module(name: str, text: str) -> None:
        Path(project.path / f"{name}.py").write_text(textwrap.dedent(text))

    return write_module


def replace_in(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize("workers", [(), pytest.param(("-n", "2"), marks=pytest.mark.slow)], ids=["alone", "workers"])
def test_a_source_that_cannot_be_made_costs_its_suite_alone(
    project: Project, write: Writer, workers: tuple[str, ...]
) -> None:
    write("src_broken", SOURCE)
    replace_in(project.suite("bad"), '"semtrace"', '"src_broken:Broken"')
    project.suite("good")
    result = (project.run_fresh if workers else project.run)("--model=baseline:truth", *workers)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*bad.suite.toml: *raised KeyError: 'no such table' (src_broken.py, line 7)*", "*src_broken.py*"]
    )
    assert {row["suite"] for row in project.records()} == {"good"}
    assert {row["outcome"] for row in project.records()} == {"correct"}


def test_a_task_that_cannot_score_costs_its_questions_and_shows_its_traceback_once(
    project: Project, write: Writer
) -> None:
    write("task_broken", TASK)
    replace_in(project.suite(), '"output-prediction"', '"task_broken:Broken"')
    result = project.run("--model=baseline:truth")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*the task task_broken:Broken raised ZeroDivisionError: no score*"])
    assert result.stdout.str().count("Traceback (most recent call last)") == 1
    outcomes = {(row["language"], row["outcome"]) for row in project.records()}
    assert outcomes == {("python", "correct"), ("php", "error")}
    broken = [row for row in project.records() if row["outcome"] == "error"]
    assert all("task_broken.py" in row["traceback"] for row in broken)
    assert "site-packages" not in broken[0]["traceback"].partition("task_broken.py")[0]


def test_a_perturbation_costs_the_questions_that_it_changes(project: Project, write: Writer) -> None:
    write("change_broken", PERTURBATION)
    project.suite(more='perturbation = ["none", "change_broken:Broken"]\n')
    result = project.run("--model=baseline:truth")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "codereason: the perturbation change_broken:Broken raised IndexError*; questions that need it become *",
            "*8 passed, 8 unanswered*",
        ]
    )


def test_a_part_that_every_question_needs_ends_the_run_before_anything_is_asked(
    project: Project, write: Writer
) -> None:
    write("change_broken", PERTURBATION)
    project.suite(more='perturbation = ["change_broken:Broken"]\n')
    result = project.run("--model=baseline:truth")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: the perturbation change_broken:Broken raised IndexError*", "*Traceback*"])


@pytest.mark.parametrize(
    ("method", "rest"), [("answer", ""), ("start", ANSWER), ("check", ANSWER)], ids=["answer", "start", "check"]
)
def test_a_model_costs_its_own_questions(project: Project, write: Writer, method: str, rest: str) -> None:
    (project.path / "mine").mkdir()
    (project.path / "mine/__init__.py").touch()
    write(f"mine/broken_{method}", MODEL.format(method=method, rest=rest))
    project.suite()
    result = project.run(f"--model=mine.broken_{method}:Broken", "--model=baseline:truth")
    result.stdout.fnmatch_lines(
        [f"*the model mine.broken_{method}:Broken raised RuntimeError: out of order*", "*Traceback*"]
    )
    outcomes = {(row["model"], row["outcome"]) for row in project.records()}
    expected = "correct" if method == "check" else "error"
    assert outcomes == {("baseline:truth", "correct"), (f"mine.broken_{method}:Broken", expected)}
    assert result.ret == (0 if method == "check" else 1)
