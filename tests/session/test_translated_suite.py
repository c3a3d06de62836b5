"""The shipped suite of translated programs: with its file of translations, and without."""

from __future__ import annotations

import json
import shutil
from dataclasses import astuple
from pathlib import Path

import pytest

from pytest_codereason.core.files.frozen import freeze
from pytest_codereason.programs.sources._rows import Entry
from pytest_codereason.programs.sources._translations import COLUMNS
from tests.session.conftest import Project

SUITE = Path(__file__).parents[2] / "suites/misleading-lcb-js.suite.toml"
CODE = "def total(nums):\n    n = 0\n    for x in nums:\n        n += x\n    return n\n"
TRANSLATED = (
    "function total(nums) {\n    let n = 0;\n    for (const x of nums) {\n        n += x;\n    }\n    return n;\n}\n"
)
COMMAND = "codereason translate livecodebench --to javascript --writer PROVIDER:NAME -o livecodebench-javascript.jsonl"


@pytest.fixture
def data(project: Project, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of data with two programs of LiveCodeBench; the suite lies where pytest is started."""
    shutil.copy(SUITE, project.path)
    folder = project.path / "data"
    folder.mkdir()
    rows = [
        {"id": f"sample_{n}", "function_name": "total", "code": CODE, "input": f"total(nums = [{n}])", "output": str(n)}
        for n in (1, 2)
    ]
    (folder / "livecodebench.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setenv("CODEREASON_DATA", str(folder))
    return folder


@pytest.mark.slow
def test_both_languages_are_asked_about_the_programs_of_both(project: Project, data: Path) -> None:
    row = dict(zip(COLUMNS, astuple(Entry("sample_2", TRANSLATED, "total([2])", "[2]", "2")), strict=True))
    freeze(data / "livecodebench-javascript.jsonl", "translation", [row], source="livecodebench", language="javascript")
    result = project.run("--model=baseline:truth", "-k", "vanilla or hint")
    assert result.ret == 0, result.stdout.str()
    records = project.records()
    assert {(record["language"], record["family"], record["outcome"]) for record in records} == {
        ("javascript", "sample_2", "correct"),
        ("python", "sample_2", "correct"),
    }
    assert len(records) == 2 * 2 * (3 + 1), "languages, perturbations, answers"
    prompts = [record["steps"][0]["messages"][0]["content"] for record in records]
    assert {prompt.count("[JAVASCRIPT]\n") + prompt.count("[PYTHON]\n") for prompt in prompts} == {2, 3}


def test_without_translations_the_others_are_asked_and_the_command_is_shown(project: Project, data: Path) -> None:
    project.suite(languages=("python",), count=1)
    result = project.run("--model=baseline:truth")
    assert result.ret == 0, result.stdout.str()
    assert {record["suite"] for record in project.records()} == {"small"}
    assert COMMAND in " ".join(result.stdout.str().split())
