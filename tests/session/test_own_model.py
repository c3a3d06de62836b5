"""A model of the user's own: the class that the documentation shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.session.conftest import Project

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def parrot(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    (source,) = re.findall(r"```python\n(.*?class Parrot.*?)```", (DOCS / "models.md").read_text(), re.DOTALL)
    (project.path / "mine").mkdir()
    (project.path / "mine" / "__init__.py").touch()
    (project.path / "mine" / "model.py").write_text(source)
    monkeypatch.syspath_prepend(project.path)
    project.suite()
    return project


def test_its_answers_are_counted(parrot: Project) -> None:
    result = parrot.run("--model=mine.model:Parrot", "--model-arg=says=[1, 2]", "--eval-gate=small.exact <= 60%")
    assert result.ret == 0, result.stdout.str()
    result.stdout.re_match_lines([r"\s*mine\.model:Parrot\s+8 ", "PASS  small.exact = 0.000 .*"])
    assert {(row["model"], row["response"]) for row in parrot.records()} == {("mine.model:Parrot", "[1, 2]")}


def test_its_complaints_are_the_users(parrot: Project) -> None:
    result = parrot.run("--model=mine.model:Parrot", "--model-arg=sings=1")
    assert result.ret == 4
    assert "mine.model:Parrot has no --model-arg sings: there is says" in result.stderr.str()
