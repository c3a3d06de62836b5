"""The ladder end to end: a model that reads up to a known level gets that reading level."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.servers import Server
from tests.session.conftest import Project
from tests.session.reading import code, value

GGUF = os.environ.get("CODEREASON_TEST_GGUF")
SUITES = Path(__file__).parents[2] / "suites"


def read_up_to_branches(messages: Sequence[Mapping[str, Any]], _: object) -> str:
    """Right without a loop, wrong with one: a model that reads up to level 4."""
    prompt = next(str(message["content"]) for message in reversed(messages) if message["role"] == "user")
    output = value(prompt)
    return json.dumps([output] if "for " in code(prompt) or "while " in code(prompt) else output)


def read_table(project: Project, suite: str) -> dict[str, list[str]]:
    """The rows of the table of reading levels by model."""
    summary = json.loads((project.path / "reports/latest/summary.json").read_text())
    (picture,) = (each for each in summary["figures"] if each["name"] == f"{suite}-reading-level")
    return {row[1]: row[2:] for row in picture["rows"]}


@pytest.mark.slow
def test_two_hundred_questions_separate_models_that_read_up_to_different_levels(project: Project) -> None:
    text = (SUITES / "ladder.suite.toml").read_text().replace('"python", "javascript", "php", "java"', '"python"')
    (project.path / "ladder.suite.toml").write_text(text)
    with Server(read_up_to_branches) as server:
        models = ("--model=openai:scripted", f"--model-url={server.url}", "--model=baseline:chance")
        result = project.run(*models, "--model=baseline:truth")
    assert result.ret == 0
    assert read_table(project, "ladder") == {
        "baseline:chance": ["0 [0, 0]", "200"],
        "baseline:truth": ["8 [8, 8]", "200"],
        "openai:scripted": ["4 [4, 4]", "200"],
    }
    result.stdout.fnmatch_lines(["*Reading level of *openai:scripted: 4 [[]4, 4[]]*"])


@pytest.mark.real
@pytest.mark.skipif(not GGUF, reason="CODEREASON_TEST_GGUF names no SmolLM2-135M-Instruct GGUF")
def test_the_embedded_model_reads_level_1_but_not_level_2(project: Project) -> None:
    text = (SUITES / "quickstart.suite.toml").read_text().replace("count = 5", "count = 8")
    (project.path / "small.suite.toml").write_text(text.replace("[1, 2, 3, 4, 5, 6, 7, 8]", "[1, 2]"))
    result = project.run_fresh(f"--model=local:{GGUF}", "--model=baseline:chance")
    assert result.ret == 0
    levels = {model: row[0][0] for model, row in read_table(project, "small").items()}
    assert levels == {f"local:{GGUF}": "1", "baseline:chance": "0"}
