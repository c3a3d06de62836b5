"""Defences, and models that reason, end to end: real requests to servers that read code in a known way."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from tests.servers import Answer, Body, Disruption, Server
from tests.session.conftest import Project
from tests.session.reading import code, value

COUNT = 9
SUITE = """
task = "{task}"
languages = ["python"]

[source]
name = "semtrace"
count = {count}
seed = 5

[matrix]
perturbation = ["vanilla", "comments"]
{more}
"""
DEFENDED = 'defence = ["none", "ignore-comments", "refactor"]'
COMMENT = re.compile(r"  #.*")
REWRITES = "Rewrite it"

Messages = Sequence[Mapping[str, Any]]


def suite(project: Project, more: str = DEFENDED, *, count: int = COUNT, task: str = "output-prediction") -> None:
    path = project.path / "defended.suite.toml"
    path.write_text(SUITE.format(task=task, count=count, more=more))


def misled(prompt: str) -> bool:
    return bool(COMMENT.search(code(prompt)))


def answer_as(prompt: str, *, right: bool) -> str:
    answer = value(prompt)
    return json.dumps(answer if right else [answer[0] + 1, *answer[1:]])


def rewriter(change: str = "{}") -> Answer:
    """Believes comments, and rewrites programs without any: ``change`` is put around what is returned."""

    def answer(messages: Messages, _: Body) -> str:
        prompt = str(messages[0]["content"])
        if REWRITES not in prompt:
            return answer_as(prompt, right=not misled(prompt))
        code = COMMENT.sub("", prompt.split("```python\n", 1)[1].split("\n```", 1)[0] + "\n")
        code = re.sub(r"return (\w+)", lambda m: f"return {change.format(m[1])}", code)
        return f"Here it is:\n\n```python\n{code}```\n\nFor example:\n\n```python\nprint(f(1))\n```"

    return answer


def obedient(messages: Messages, _: Body) -> str:
    """Believes comments unless it is told not to; rewrites nothing."""
    prompt = str(messages[0]["content"])
    if REWRITES in prompt:
        return "I would rather not."
    return answer_as(prompt, right="Take no notice of comments" in prompt or not misled(prompt))


def ask(
    project: Project, answer: Answer, *, script: Any = (), args: Sequence[str] = ()
) -> tuple[Server, pytest.RunResult]:
    with Server(answer, script=script) as server:
        result = project.run("--model=openai:scripted", f"--model-url={server.url}", *args)
    assert result.ret == 0, result.stdout.str()
    return server, result


def summary(project: Project) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((project.path / "reports/latest/summary.json").read_text())
    return content


def records(project: Project) -> list[dict[str, Any]]:
    lines = (project.path / "reports/latest/records.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def picture(project: Project, name: str) -> dict[str, Any]:
    return next(p for p in summary(project)["figures"] if p["name"] == name)


def table(project: Project) -> dict[tuple[str, str], list[str]]:
    """The rows of the figure of defences, by perturbation and defence."""
    return {(row[1], row[2]): row[3:] for row in picture(project, "defended-python-defences")["rows"]}


@pytest.mark.slow
def test_one_that_follows_the_instruction_recovers_with_it_alone(project: Project) -> None:
    suite(project)
    server, _ = ask(project, obedient)
    rows = table(project)
    assert rows["comments", "none"][1].startswith("0.000")
    assert rows["comments", "ignore-comments"][1].startswith("1.000")
    assert rows["comments", "ignore-comments"][2].startswith("+1.000 [")
    assert rows["comments", "refactor"][1].startswith("0.000")
    assert rows["comments", "refactor"][3:] == ["none to count", f"{COUNT} of {COUNT} (100.0 %)"]
    sentence = picture(project, "defended-python-defences")["sentence"]
    assert sentence.startswith("openai:scripted gains most under comments with ignore-comments: +1.000")
    instructed = [request for request in server.requests if "Take no notice of comments" in str(request.messages)]
    assert len(instructed) == 2 * COUNT


@pytest.mark.slow
def test_a_rewriter_that_keeps_what_the_program_does_recovers(project: Project) -> None:
    suite(project)
    server, _ = ask(project, rewriter())
    rows = table(project)
    assert rows["comments", "ignore-comments"][1].startswith("0.000")
    assert rows["comments", "refactor"][1].startswith("1.000")
    assert rows["comments", "refactor"][3] == f"0 of {COUNT} (0.0 %)"
    limits = {request.body["max_tokens"] for request in server.requests if REWRITES in str(request.messages)}
    assert limits == {2_000}, "a rewriting has more room than an answer of 200 tokens"
    metrics = summary(project)["suites"]["defended"]["models"]["openai:scripted"]["metrics"]
    assert {
        name: (metrics[name]["value"], metrics[name]["n"]) for name in ("rewritten", "rewrite_kept", "exact_own")
    } == dict.fromkeys(("rewritten", "rewrite_kept", "exact_own"), (1.0, 2 * COUNT))
    (one, *_) = [r for r in records(project) if r["axes"] == {"perturbation": "comments", "defence": "refactor"}]
    assert len(one["steps"]) == 2
    assert "```python\ndef f" in one["steps"][0]["response"]
    assert one["response"] == one["steps"][1]["response"]
    prompt = one["steps"][1]["messages"][0]["content"]
    assert "def f" in prompt
    assert "#" not in prompt.split("[CODE]")[1], "the question is about the model's own rewriting"


@pytest.mark.usefixtures("charts")
@pytest.mark.slow
def test_a_rewriter_that_breaks_the_program_is_told_apart(project: Project) -> None:
    suite(project)
    ask(project, rewriter("[{}[0] + 1, *{}[1:]]".replace("{}", "{0}")))
    rows = table(project)
    assert rows["vanilla", "refactor"][1].startswith("0.000"), "right is what the program does, not what was made of it"
    assert rows["vanilla", "refactor"][3] == f"{COUNT} of {COUNT} (100.0 %)"
    metrics = summary(project)["suites"]["defended"]["models"]["openai:scripted"]["metrics"]
    assert metrics["rewritten"]["value"] == 1.0
    assert metrics["rewrite_kept"]["value"] == 0.0
    assert metrics["exact_own"]["value"] == 1.0
    assert (
        f"Its rewritings broke the program in {2 * COUNT} of {2 * COUNT} (100.0 %)."
        in picture(project, "defended-python-defences")["sentence"]
    )
    page = (project.path / "reports/latest/report.html").read_text()
    figure = page.split("with each defence: defended, python", 1)[1].split("</figure>", 1)[0]
    assert "<svg" in figure
    assert ">comments<" in figure, "the perturbations stand beneath the axis by name"


def test_without_the_defence_nothing_is_run_and_no_such_number_is_shown(project: Project) -> None:
    suite(project, more='defence = ["none", "ignore-comments"]\n')
    path = project.path / "defended.suite.toml"
    path.write_text(path.read_text().replace('perturbation = ["vanilla", "comments"]\n', ""))
    with Server(obedient) as server:
        result = project.run("--model=openai:scripted", f"--model-url={server.url}", "--eval-gate=rewritten>=0.5")
    assert result.ret == 4, "a gate on what nobody measures"
    ask(project, obedient)
    names = [metric["name"] for metric in summary(project)["suites"]["defended"]["metrics"]]
    assert names == ["exact", "partial", "exact_answered", "unresolved", "truncated"]
    run = json.loads((project.path / "reports/latest/run.json").read_text())
    assert run["sandbox"] == "none"
    assert run["suites"]["defended"]["axes"]["defence"] == ["none", "ignore-comments"]


def test_the_sandbox_is_looked_for_before_the_first_question(project: Project) -> None:
    suite(project)
    path = project.path / "defended.suite.toml"
    path.write_text(path.read_text().replace('perturbation = ["vanilla", "comments"]\n', ""))
    result = project.run("--model=baseline:truth", "--eval-sandbox=off")
    result.stdout.fnmatch_lines(["codereason: sandbox: *"])
    run = json.loads((project.path / "reports/latest/run.json").read_text())
    assert run["sandbox"] != "none"


@pytest.mark.slow
@pytest.mark.parametrize("task", ["output-prediction", "input-prediction"])
def test_perfect_readers_are_right_with_every_defence(project: Project, task: str) -> None:
    data = project.path / "data"
    data.mkdir()
    row = {"code": "def f(a):\n    # doubles\n    return a + [1]", "input": "[2]", "output": "[2, 1]", "id": "sample_0"}
    (data / "cruxeval.jsonl").write_text(json.dumps(row) + "\n")
    suite(project, task=task)
    path = project.path / "defended.suite.toml"
    text = path.read_text().replace('name = "semtrace"', f'name = "cruxeval"\npath = {json.dumps(str(data))}')
    path.write_text(text.replace("seed = 5\n", ""))
    assert project.run("--model=baseline:truth", "--model=baseline:interpreter").ret == 0
    for model in summary(project)["suites"]["defended"]["models"].values():
        assert model["metrics"]["exact"] | {"low": 0, "high": 0} == {
            "value": 1.0,
            "bounds": None,
            "why": None,
            "low": 0,
            "high": 0,
            "n": 6,
            "families": 1,
            "cluster": "program",
        }
        assert model["metrics"]["rewrite_kept"]["value"] == 1.0


def reasoned(body: Body) -> None:
    """Puts what the model said before its last line where endpoints show reasoning, and counts its words."""
    message = body["choices"][0]["message"]
    thoughts, _, text = message["content"].rpartition("\n")
    message |= {"content": text, "reasoning_content": thoughts}
    body["usage"]["completion_tokens_details"] = {"reasoning_tokens": len(thoughts.split())}
    if not text:
        body["choices"][0]["finish_reason"] = "length"


def anxious(messages: Messages, _: Body) -> str:
    """Thinks three times as long where there are comments, doubts towards the end, and then says Hmm for ever once."""
    prompt = str(messages[0]["content"])
    if not misled(prompt):
        return "step " * 100 + f"\n{answer_as(prompt, right=True)}"
    thoughts = " ".join(f"step {i}" for i in range(125)) + " wait" * 50
    return f"{thoughts}\n{answer_as(prompt, right=True)}"


@pytest.mark.slow
def test_reasoning_that_grows_is_shown_with_where_it_doubts(project: Project) -> None:
    suite(project, "\n[sampling]\nmax_tokens = 0")
    server, _ = ask(project, anxious, script=itertools.repeat(Disruption(edit=reasoned)))
    assert all("max_tokens" not in request.body for request in server.requests), "the limit is left to the server"
    (vanilla, comments) = picture(project, "defended-python-tokens")["rows"]
    assert vanilla[2:] == [str(COUNT), "100", "100", "reference", f"0 of {COUNT} (0.0 %)"]
    assert comments[3:5] == ["300", "300"]
    assert comments[5].startswith("+200.0")
    doubt = picture(project, "defended-python-doubt")
    (panel,) = doubt["panels"]
    assert [p["value"] for p in panel["lines"]["vanilla"]] == [0.0] * 10
    along = [p["value"] for p in panel["lines"]["comments"]]
    assert sum(along) == pytest.approx(50)
    assert sum(along[:8]) == 0
    assert "50.0 under comments (0.0 in the first half of the trace, 50.0 in the second)" in doubt["sentence"]


@pytest.mark.slow
def test_doubt_is_followed_along_one_answer(project: Project) -> None:
    suite(project, "\n[sampling]\nmax_tokens = 0")
    ask(project, anxious, script=itertools.repeat(Disruption(edit=reasoned)))
    (panel,) = picture(project, "defended-python-one-trace")["panels"]
    (curve,) = panel["lines"].values()
    assert panel["x"] == "tokens of the trace"
    assert (curve[0]["x"], curve[-1]["x"]) == (0, 300)
    sums = [point["value"] for point in curve]
    assert sums == sorted(sums)
    assert (sums[20], sums[-1]) == (0, 50), "the model doubts at the end"
    shown = summary(project)
    assert main(["report", str(project.path / "reports/latest"), "--output", str(project.path / "again")]) == 0
    again = json.loads((project.path / "again/summary.json").read_text())
    assert again["figures"] == shown["figures"]


def test_one_that_repeats_itself_without_end_has_collapsed(project: Project) -> None:
    def endless(messages: Messages, _: Body) -> str:
        prompt = str(messages[0]["content"])
        return "Let me see. " + "Hmm " * 4_000 + "\n" if misled(prompt) else f"Easy.\n{answer_as(prompt, right=True)}"

    suite(project)
    path = project.path / "defended.suite.toml"
    path.write_text(path.read_text().replace(DEFENDED, ""))
    _, result = ask(project, endless, script=itertools.repeat(Disruption(edit=reasoned)))
    result.stdout.fnmatch_lines([f"defended, openai:scripted: collapsed: {COUNT} of {2 * COUNT} answers ended by *"])
    model = summary(project)["suites"]["defended"]["models"]["openai:scripted"]
    assert model["collapsed"] == {"total": float(COUNT), "known": 2 * COUNT}
    assert model["counts"]["truncated"] == COUNT
    folder: Path = project.path / "reports/latest"
    assert f"collapsed: {COUNT} of {2 * COUNT} answers" in (folder / "summary.md").read_text()
    assert f"collapsed: {COUNT} of {2 * COUNT}" in (folder / "report.html").read_text()
    assert picture(project, "defended-python-tokens")["rows"][1][6] == f"{COUNT} of {COUNT} (100.0 %)"
    collapsed = [r["trace"] for r in records(project) if r["outcome"] == "truncated"]
    assert all(trace["repetition"] == 1.0 and trace["confusion.9"] > 300 for trace in collapsed)


def test_a_dry_run_counts_the_request_for_a_rewriting(project: Project) -> None:
    suite(project)
    result = project.run("--model=openai:gpt-x", "--eval-dry-run")
    questions, rewritings = 3 * 2 * COUNT, 2 * COUNT
    requests, tokens = questions + rewritings, 200 * questions + 2_000 * rewritings
    result.stdout.fnmatch_lines(
        [f"*questions * {questions}", f"*requests * {requests}", f"*reply tokens * {tokens:,} *"]
    )
