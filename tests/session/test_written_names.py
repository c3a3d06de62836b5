"""Misleading names and comments by a writer behind an endpoint reach the questions, once for all compositions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.servers import Body, Server
from tests.session import localisers
from tests.session.conftest import Project
from tests.session.data_sets import cruxeval
from tests.session.writers import SUMS, saying, writer

pytestmark = pytest.mark.slow
CHANGED = """[matrix]
perturbation = ["misleading-names", "misleading-names+misleading-comments", "misleading-comments(strength=1)"]
"""


def reply(prompt: str) -> str:
    if "misleading name" in prompt:
        return json.dumps({"f": "delete_everything", "print": "no_name_of_the_program"})
    return json.dumps(
        {"function": ["Starts the dishwasher."], "return": ["Starts the dishwasher."], "other": ["Ends."]}
    )


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


def test_a_writer_is_asked_once_for_the_names_and_once_for_the_comments_of_a_program(project: Project) -> None:
    cruxeval(project, *SUMS, more=CHANGED)
    with Server(saying(reply)) as server:
        project.run(*writer(server)).assert_outcomes(passed=6)
        assert len(server.requests) == 4
    prompts = [(row["id"], row["steps"][0]["messages"][-1]["content"]) for row in project.records()]
    assert all(("delete_everything(" in prompt) == ("misleading-names" in name) for name, prompt in prompts)
    assert any("# Starts the dishwasher." in prompt for _, prompt in prompts)


def test_a_writer_without_a_usable_reply_leaves_all_to_the_catalogue(project: Project) -> None:
    cruxeval(project, *SUMS, more=CHANGED)
    with Server(saying(lambda prompt: "I would rather not.")) as server:
        project.run(*writer(server)).assert_outcomes(passed=6)
        assert len(server.requests) == 4 * 3
    assert "rather not" not in json.dumps(project.records())


def test_each_model_writes_its_own_texts_if_the_user_says_so(project: Project) -> None:
    cruxeval(project, SUMS[0], more=CHANGED)

    def answer_as(messages: Sequence[Mapping[str, Any]], body: Body) -> str:
        prompt = str(messages[-1]["content"])
        if "misleading name" in prompt:
            return json.dumps({"f": f"named_by_{body['model']}"})
        return reply(prompt) if "misleading comments" in prompt else "[ANSWER]1[/ANSWER]"

    with Server(answer_as, models=("one", "two")) as server:
        models = ["--model=openai:one", "--model=openai:two", f"--model-url={server.url}"]
        result = project.run(*models, "--eval-writer=self")
    result.stdout.fnmatch_lines(["*each model writes its own texts*"])
    for model in ("one", "two"):
        said = f"openai:{model} was asked about texts that it wrote itself: comments, names"
        result.stdout.fnmatch_lines([f"*{said}*"])
        assert said in json.loads((project.path / "reports/latest/summary.json").read_text())["written"]
        assert said.capitalize()[1:] in (project.path / "reports/latest/summary.md").read_text()
        assert said in (project.path / "reports/latest/report.html").read_text()
    for row in project.records():
        model = row["model"].partition(":")[2]
        prompt = row["steps"][0]["messages"][-1]["content"]
        others = {"one", "two"} - {model}
        assert (f"named_by_{model}(" in prompt) == ("misleading-names" in row["id"])
        assert f"named_by_{others.pop()}" not in prompt
        kinds = {kind for kind, part in (("names", "misleading-names"), ("comments", "-comments")) if part in row["id"]}
        assert row["texts_by"] == dict.fromkeys(kinds, row["model"])
    assert set(project.run_json()["writer"]) == {"openai:one", "openai:two"}


def test_a_writer_that_is_asked_too_is_refused(project: Project) -> None:
    cruxeval(project, SUMS[0], more=CHANGED)
    with Server(saying(lambda prompt: "[ANSWER]1[/ANSWER]")) as server:
        both = [f"--model-url={server.url}", f"--eval-writer-url={server.url}", "--eval-writer=openai:scripted"]
        result = project.run("--model=openai:scripted", *both)
        assert not server.requests
    assert result.ret == 4
    message = "--eval-writer=openai:scripted is --model=openai:scripted, which would be asked about what it wrote"
    result.stderr.fnmatch_lines([f"*{message}*--eval-writer=self*"])


DEAD = """task = "fault-robustness"
fault = "operator-swap"
[source]
name = "jsonl"
path = "sums.jsonl"
[matrix]
perturbation = ["none", "dead-code(strength=1)"]
"""


def test_the_model_that_is_asked_writes_the_dead_code_of_its_second_question(project: Project) -> None:
    (project.path / "sums.jsonl").write_text(json.dumps(localisers.list_rows()[0]))
    (project.path / "sums.suite.toml").write_text(DEAD)

    def answer(messages: Sequence[Mapping[str, Any]], body: Body) -> str:
        prompt = str(messages[-1]["content"])
        if "dead code" in prompt:
            return json.dumps({"statements": ["first = 1", "oranges = 3\nprint(oranges)"]})
        return json.dumps({"line": localisers.find_fault(*localisers.read_lines(prompt))})

    with Server(answer) as server:
        project.run("--model=openai:scripted", f"--model-url={server.url}", "--eval-writer=self")
        assert len(server.requests) == 4, "the dead code, the first question, and two second ones"
    records = {row["axes"]["perturbation"]: row for row in project.records()}
    changed = records["dead-code(strength=1)"]
    assert changed["texts_by"] == {"dead-code": "openai:scripted"}
    assert records["none"]["texts_by"] == {}
    first, second = (step["messages"][-1]["content"] for step in changed["steps"])
    assert "oranges" not in first
    assert re.search(r"^( +)oranges = 3\n\1print\(oranges\)$", second, re.MULTILINE), second
    assert changed["outcome"] == "correct"
