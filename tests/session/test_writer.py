"""Hints by a writer model: asked once a program, checked, kept, counted; and replayed from a file without it."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from pytest_codereason.engine.storage.store import Store
from tests.servers import Server, error, no_quota
from tests.session.conftest import Project
from tests.session.data_sets import cruxeval
from tests.session.writers import SUMS, saying, writer

HINTED = "[matrix]\nperturbation = ['vanilla', 'hint', 'rename+hint']\n"


@pytest.fixture(autouse=True)
def _key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


def truth(prompt: str) -> int:
    match = re.search(r"== (\d+)", prompt)
    assert match
    return int(match[1])


def ten_more(prompt: str) -> str:
    return f"One forgets to look twice.\n[ANSWER]{truth(prompt) + 10}[/ANSWER]"


def by(project: Project) -> dict[str, int]:
    counts: dict[str, int] = project.run_json()["hints"]
    return counts


def read_prompts(project: Project) -> set[str]:
    """The comments of the programs that were asked about."""
    prompts = [row["steps"][0]["messages"][-1]["content"] for row in project.records() if row["steps"]]
    return {line for prompt in prompts for line in re.findall(r"  # (?!.*\?\?)(.*)", prompt)}


@pytest.mark.slow
def test_a_writer_is_asked_once_a_program(project: Project) -> None:
    cruxeval(project, *SUMS, more=HINTED)
    with Server(saying(ten_more)) as server:
        result = project.run(*writer(server))
        result.assert_outcomes(passed=6)
        result.stdout.fnmatch_lines(["*writer: openai:scripted*", "hints: 2 by openai:scripted"])
        assert len(server.requests) == 2
        assert by(project) == {"openai:scripted": 2}
        assert {number for line in read_prompts(project) for number in re.findall(r"\d+", line)} == {"13", "17"}
        assert {row["hint_by"] for row in project.records()} == {"", "openai:scripted"}
    assert "2 by openai:scripted" in (project.path / "reports/latest/report.html").read_text()
    assert "Hints: 2 by openai:scripted." in (project.path / "reports/latest/summary.md").read_text()


def test_a_writer_is_not_asked_about_a_program_that_fails_when_perturbed(project: Project) -> None:
    stale = {**SUMS[0], "id": "stale", "output": "99"}
    cruxeval(project, stale, SUMS[1], more="[matrix]\nperturbation = ['hint']\n")
    with Server(saying(ten_more)) as server:
        project.run(*writer(server)).assert_outcomes(passed=1, skipped=1)
        assert [truth(str(seen.messages[-1]["content"])) for seen in server.requests] == [7]
    assert "the perturbed program returns something else" in {row["reason"] for row in project.records()}


@pytest.mark.slow
def test_a_writer_that_repeats_the_truth_is_asked_thrice_then_the_rule_writes(project: Project) -> None:
    cruxeval(project, *SUMS, more=HINTED)

    def answer(prompt: str) -> str:
        return f"[ANSWER]{truth(prompt)}[/ANSWER]" if truth(prompt) == 3 else "Whatever you say."

    with Server(saying(answer)) as server:
        result = project.run(*writer(server))
        result.assert_outcomes(passed=6)
        assert len(server.requests) == 6
    result.stdout.fnmatch_lines(["hints: 2 by rule (1 *, 1 *)"])
    assert by(project) == {"rule: repeated the truth": 1, "rule: gave no literal": 1}
    assert read_prompts(project)


INPUTS = "perturbation = ['vanilla', 'hint']\n"
CONSTANT = {"id": "five", "code": "def f(a):\n    return 5", "input": "1", "output": "5"}
LARGE = {"id": "large", "code": "def f(a):\n    return a > 100", "input": "7", "output": "False"}


def test_inputs_are_called_before_they_are_believed(project: Project) -> None:
    cruxeval(project, CONSTANT, LARGE, task="input-prediction", more="[matrix]\n" + INPUTS)
    replies = {"return 5": "f(1, 2)", "a > 100": "f(8)"}

    def answer(prompt: str) -> str:
        return next(f"[ANSWER]{text}[/ANSWER]" for code, text in replies.items() if code in prompt)

    with Server(saying(answer)) as server:
        project.run(*writer(server))
        assert len(server.requests) == 4, "f(8) is right too, thrice"
    writers = {row["id"].partition("[")[0]: row["hint_by"] for row in project.records() if "hint" in row["id"]}
    assert writers == {"python/five": "openai:scripted", "python/large": "rule: gave another right input"}
    assert any("(1, 2)" in line for line in read_prompts(project))


def test_an_exported_hint_is_called_before_it_is_believed(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    cruxeval(project, CONSTANT, LARGE, task="input-prediction", more="[matrix]\nperturbation = ['hint']\n")
    assert main(["export", str(project.path / "crux.suite.toml")]) == 0
    shown = {
        row["id"].partition("[")[0]: row["source"] for row in map(json.loads, capsys.readouterr().out.splitlines())
    }
    assert shown.keys() == {"python/five", "python/large"}
    assert not re.search(r"\(-?\d+\)\.", shown["python/five"]), "every number gives 5"
    assert "a > 100" in shown["python/large"]
    wrong = re.search(r"\(([^()]*)\)[^()]*\n", shown["python/large"].partition("#")[2])
    assert wrong
    assert not wrong[1].lstrip("-").isdigit() or int(wrong[1]) > 100


@pytest.mark.slow  # two more interpreters
def test_workers_pay_once(project: Project) -> None:
    pytest.importorskip("xdist")
    cruxeval(project, *SUMS, more=HINTED + "shots = [0, 1, 2]\n")
    with Server(saying(ten_more), latency_s=0.05) as server:
        project.run_fresh(*writer(server, "-n2", "--dist=worksteal")).assert_outcomes(passed=18)
        assert len(server.requests) == 2
    assert by(project) == {"openai:scripted": 2}


@pytest.mark.slow
def test_texts_are_frozen_in_a_file_and_need_no_writer(
    project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.path)
    cruxeval(project, *SUMS, more=HINTED)
    with Server(saying(ten_more)) as server:
        project.run(*writer(server))
        prompts, plan = read_prompts(project), project.run_json()["suites"]["crux"]["plan"]
        command = [
            "prepare",
            "crux.suite.toml",
            "--writer=openai:scripted",
            f"--writer-url={server.url}",
            "-o",
            "h.jsonl",
        ]
        assert main(command) == 0
        assert len(server.requests) == 2, "the run has paid for them"
    assert "2 texts: 2 by openai:scripted" in capsys.readouterr().out
    suite = project.path / "crux.suite.toml"
    suite.write_text("hints = 'h.jsonl'\n" + suite.read_text())
    result = project.run("--model=baseline:truth")
    result.assert_outcomes(passed=6)
    assert read_prompts(project) == prompts
    assert by(project) == {"openai:scripted": 2}
    frozen = project.run_json()["suites"]["crux"]["plan"]
    suite.write_text(suite.read_text().removeprefix("hints = 'h.jsonl'\n"))
    project.run("--model=baseline:truth")
    assert len({plan, frozen, project.run_json()["suites"]["crux"]["plan"]}) == 3


def frozen(project: Project, *rows: dict[str, Any]) -> Path:
    """A file of hints for these programs; its suite names it."""
    cruxeval(project, *rows, more=HINTED)
    path = project.path / "h.jsonl"
    assert main(["prepare", str(project.path / "crux.suite.toml"), "--writer=baseline:truth", "-o", str(path)]) == 0
    cruxeval(project, *SUMS, more=HINTED)
    suite = project.path / "crux.suite.toml"
    suite.write_text("hints = 'h.jsonl'\n" + suite.read_text())
    return path


def test_a_program_that_the_file_lacks_gets_the_rule(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.path)
    frozen(project, SUMS[0])
    project.pytester.makeini(
        "[pytest]\ncodereason_writer = openai:unasked\ncodereason_writer_url = http://127.0.0.1:9\n"
    )
    result = project.run("--model=baseline:truth")
    result.assert_outcomes(passed=6)
    result.stdout.fnmatch_lines(["*--eval-writer has no effect: openai:unasked has nothing to write, because *"])
    assert by(project) == {"baseline:truth": 1, "rule: missing in h.jsonl": 1}


def test_a_damaged_file_is_a_usage_error(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.path)
    path = frozen(project, *SUMS)
    path.write_text(path.read_text().replace('"of"', "of"))
    result = project.run("--model=baseline:truth")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*h.jsonl:2: damaged: *"])


def test_mistakes_are_usage_errors_before_the_first_question(project: Project) -> None:
    cruxeval(project, *SUMS, more=HINTED)
    result = project.run("--model=baseline:truth", "--eval-writer=nobody")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--eval-writer: unknown model 'nobody'*"])
    with Server(models=["another"]) as server:
        result = project.run(*writer(server))
        assert result.ret == 4
        result.stderr.fnmatch_lines(["*scripted*"])
        result = project.run(*writer(server, "--eval-max-cost=1"))
        assert result.ret == 4
        result.stderr.fnmatch_lines(["*--eval-max-cost: the price of the writer openai:scripted is unknown*"])
    cruxeval(project, *SUMS, more="")
    suite = project.path / "crux.suite.toml"
    suite.write_text("hints = 'gone.jsonl'\n" + suite.read_text())
    result = project.run("--model=baseline:truth")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*crux.suite.toml:1: there is no file of hints 'gone.jsonl'*"])


@pytest.mark.slow
def test_a_suite_without_hints_has_nothing_to_write_and_the_same_plan(project: Project) -> None:
    cruxeval(project, *SUMS, more="[matrix]\nperturbation = ['vanilla', 'comments']\n")
    project.run("--model=baseline:truth")
    plan = project.run_json()["suites"]["crux"]["plan"]
    with Server(models=["another"]) as server:
        for more in ((), ("--eval-dry-run",)):
            result = project.run(*writer(server), *more)
            assert result.ret == 4
            result.stderr.fnmatch_lines(["ERROR: --eval-writer has no effect: openai:scripted has nothing to write, *"])
        project.pytester.makeini(f"[pytest]\ncodereason_writer = openai:a\ncodereason_writer_url = {server.url}\n")
        assert project.run("--model=baseline:truth").ret == 0
        assert not server.requests
    assert project.run_json()["suites"]["crux"]["plan"] == plan


@pytest.mark.slow
def test_a_writer_that_fails_leaves_questions_unanswered_and_is_asked_again(project: Project) -> None:
    cruxeval(project, *SUMS, more=HINTED)
    with Server(saying(ten_more), script=[no_quota()]) as server:
        result = project.run(*writer(server))
        assert result.ret == 1
        reasons = {row["reason"] for row in project.records() if row["outcome"] == "error"}
        assert reasons
        assert all(reason.startswith("the writer openai:scripted: ") for reason in reasons)
        assert any(row["outcome"] == "correct" for row in project.records()), "those without a hint are asked"
        project.run(*writer(server)).assert_outcomes(passed=6)
    assert by(project) == {"openai:scripted": 2}


def test_a_dry_run_says_whose_hints_it_shows(project: Project) -> None:
    cruxeval(project, *SUMS, more=HINTED)
    with Server(script=[error(500, "asked")]) as server:
        result = project.run(*writer(server, "--eval-dry-run"))
        result.stdout.fnmatch_lines(["here a rule writes the hints*", "nothing was asked*"])
        assert not server.requests


@pytest.mark.slow
def test_a_store_that_keeps_no_hint_ends_the_run_at_once(project: Project) -> None:
    sums = [{**SUMS[0], "id": f"sum{n}", "input": f"{n}, 2", "output": f"{n + 2}"} for n in range(20)]
    cruxeval(project, *sums, more=HINTED)
    with Server(saying(ten_more)) as server:
        store = project.path / "store"
        Store(store).close()
        with closing(sqlite3.connect(store / "answers.sqlite")) as db:
            db.execute("CREATE TRIGGER full BEFORE INSERT ON texts BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
        result = project.run(*writer(server), "--eval-concurrency=1", f"--eval-store={store}")
        assert result.ret == 1
        assert len(server.requests) <= 2  # one was under way
    reasons = {row["reason"] for row in project.records() if row["outcome"] == "error"}
    assert len(reasons) == 1
    assert re.search(r"a text could not be kept in .*: the disk is full", reasons.pop())
    assert "Traceback" not in result.stdout.str()


TABLES = """
[tool.codereason.models.asked]
spec = "openai:small"
url = "{asked}"
temperature = 0.5

[tool.codereason.models.author]
spec = "openai:large"
url = "{author}"
key_env = "AUTHOR_KEY"
top_p = 0.9
body.top_k = 20
"""


@pytest.mark.slow
def test_a_writer_may_be_a_named_model_with_its_own_address_and_settings(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    cruxeval(project, SUMS[0], more=HINTED)
    monkeypatch.setenv("AUTHOR_KEY", "sk-of-the-author")
    with (
        Server(models=("small",), owned_by="me") as asked,
        Server(saying(ten_more), models=("large",), owned_by="me", key="sk-of-the-author") as author,
    ):
        (project.path / "pyproject.toml").write_text(TABLES.format(asked=asked.url, author=author.url))
        given = ("--model=asked", "--model-arg=temperature=1", "--model-arg=author:seed=7")
        result = project.run(*given, "--eval-writer=author")
        assert result.ret == 0, result.stdout.str()
        result.stdout.fnmatch_lines(["*writer: author (openai:large)*", "hints: 1 by author"])
        assert {request.body["temperature"] for request in asked.requests} == {1}
        body = author.requests[0].body
        assert (body["model"], body["temperature"], body["top_p"]) == ("large", 0, 0.9)
        assert (body["top_k"], body["seed"]) == (20, 7)
        run = project.run_json()
        assert run["writer"]["author"]["sampling"] == {"top_p": 0.9}
        assert main([*_prepare(project), "--writer", "author", "--eval-models", "pyproject.toml"]) == 0
        assert len(author.requests) == 2, "without the seed it is another writer"
        assert "seed" not in author.requests[1].body


def _prepare(project: Project) -> list[str]:
    suite = next(project.path.glob("*.suite.toml"))
    return ["prepare", str(suite), "-o", str(project.path / "hints.jsonl")]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--eval-writer=authr"], "--eval-writer: unknown model 'authr': did you mean 'author'? pyproject.toml names"),
        (["--eval-writer=author", "--eval-writer-url=http://a/v1"], "no effect: author has a url of its own"),
        (["--eval-writer=author", "--model-arg=author:tok_k=3"], "--eval-writer: --model-arg author:tok_k: "),
    ],
)
def test_a_named_writer_that_cannot_be(project: Project, arguments: list[str], complaint: str) -> None:
    cruxeval(project, SUMS[0], more=HINTED)
    (project.path / "pyproject.toml").write_text(TABLES.format(asked="http://b/v1", author="http://c/v1"))
    result = project.run("--model=baseline:truth", *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert complaint in result.stderr.str()
