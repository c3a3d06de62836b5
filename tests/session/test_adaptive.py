"""Adaptive suites end to end: every way of running asks the same, and the rest is said not to be needed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_codereason.cli import main
from tests.servers import Server, solve
from tests.session.background import Waiter, args, background, count_rows
from tests.session.conftest import Project, usage_error

SUITE = """
task = "output-prediction"
languages = ["python", "php"]

[source]
name = "ladder"
count = {count}
{more}
[adaptive]
over = "level"
top = 8
budget = 24
batch = 4
"""
READER = ("--model=baseline:reader", "--model-arg=horizon=3", "--model-arg=slope=3")
_TIMES = ("latency_s", "reused", "cost", "steps", "model")


def write(project: Project, *, count: int = 12, more: str = "") -> None:
    (project.path / "small.suite.toml").write_text(SUITE.format(count=count, more=more))


def read(project: Project, folder: str) -> list[dict[str, Any]]:
    """The records without what two runs may differ in, in the order of their cells."""
    rows = [{key: row[key] for key in row if key not in _TIMES} for row in project.records(folder)]
    return sorted(rows, key=lambda row: (row["language"], row["adaptive"]["place"], row["id"]))


def read_cells(project: Project, folder: str = "reports/latest") -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = project.run_json(folder)["suites"]["small"]["adaptive"]["cells"]
    return cells


def test_some_questions_are_asked_and_the_rest_is_said_not_to_be_needed(project: Project) -> None:
    write(project)
    result = project.run(*READER, "-rs", "--junitxml=junit.xml")
    assert result.ret == 0, result.stdout.str()
    records, run = project.records(), project.run_json()
    asked = len(records)
    assert 16 <= asked <= 48
    result.stdout.fnmatch_lines([f"asked {asked} of 144, the rest was not needed", f"*{144 - asked} unneeded*"])
    assert run["complete"]
    assert run["selection"] is None
    adaptive = run["suites"]["small"]["adaptive"]
    assert adaptive["unneeded"] == 144 - asked
    assert [(cell["where"]["language"], cell["ended"] in ("precision", "budget")) for cell in read_cells(project)] == [
        ("python", True),
        ("php", True),
    ]
    for cell in read_cells(project):
        mine = [row["adaptive"] for row in records if row["language"] == cell["where"]["language"]]
        assert sorted(place["place"] for place in mine) == list(range(1, cell["asked"] + 1))
        assert max(place["round"] for place in mine) == cell["rounds"]
    assert ": not asked: the budget of 24 questions is spent<" in (project.path / "junit.xml").read_text()
    summary = json.loads((project.path / "reports/latest/summary.json").read_text())
    assert summary["suites"]["small"]["models"]["baseline:reader"]["horizon"]["asked"] == asked


@pytest.mark.slow
def test_every_way_of_running_asks_the_same(project: Project) -> None:
    write(project)
    project.run(*READER, "--eval-report=one")
    for part in ("1", "2"):
        assert project.run(*READER, f"--eval-shard={part}/2", f"--eval-report=part{part}").ret == 0
    parts = [{row["language"] for row in project.records(f"part{part}")} for part in (1, 2)]
    assert sorted(map(sorted, parts)) == [["php"], ["python"]], "a shard has whole cells"
    assert main(["merge", "part1", "part2", "-o", "joined"]) == 0
    assert [row["id"] for row in project.records("joined")] == [row["id"] for row in project.records("one")]
    assert read(project, "joined") == read(project, "one")
    assert read_cells(project, "joined") == read_cells(project, "one")
    assert project.run_json("joined")["selection"] is None
    for folder in ("one", "joined"):
        assert main(["judge", folder, "--gate", "small.h50 >= 1.01", "--undecided", "pass"]) == 0


@pytest.mark.slow
def test_workers_ask_the_same(project: Project) -> None:
    write(project)
    project.run(*READER, "--eval-report=one")
    assert project.run_fresh(*READER, "-n2", "--eval-report=two").ret == 0
    assert read(project, "two") == read(project, "one")
    assert read_cells(project, "two") == read_cells(project, "one")


@pytest.mark.slow
def test_stored_replies_and_a_run_that_goes_on_ask_the_same(project: Project) -> None:
    write(project)
    project.run(*READER, "--eval-report=one")
    rows = project.records("one")
    replies = {row["id"]: [row["response"]] for row in rows}
    (project.path / "replies").write_text(json.dumps(replies))
    assert project.run("--model=replay:replies", "--eval-report=again").ret == 0
    assert read(project, "again") == read(project, "one")
    lacking = rows[len(rows) // 2]["id"]
    (project.path / "replies").write_text(json.dumps({id: text for id, text in replies.items() if id != lacking}))
    stopped = project.run("--model=replay:replies", "--eval-report=stopped")
    assert stopped.ret == 1
    assert [cell["ended"] for cell in read_cells(project, "stopped")].count("errors") == 1
    assert not project.run_json("stopped")["complete"]
    (project.path / "replies").write_text(json.dumps(replies))
    assert project.run("--model=replay:replies", "--eval-report=on").ret == 0
    assert read(project, "on") == read(project, "one")


@pytest.mark.slow
def test_a_run_that_was_killed_asks_the_same_once_it_goes_on(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    table = '[adaptive]\nover = "digits"\ntop = 6\nbudget = 24\nbatch = 4\n'
    suite = project.suite(count=20, more="").read_text().replace("digits = 2\n", "")
    (project.path / "small.suite.toml").write_text(f"{suite}{table}")
    with Server(solve(accuracy=0.5), latency_s=0.05) as server:
        command = args(server, "--eval-concurrency=2")
        killed = background(project, *command, "--eval-report=killed")
        Waiter().until(lambda: count_rows("answers") > 12)
        killed.kill()
        killed.wait()
        sent = len(server.requests)
        assert project.run_fresh(*command, "--eval-report=on").ret == 0
        assert len(server.requests) <= len(project.records("on")) + 4, "what was answered is not asked again"
        assert sent > 8
        assert project.run_fresh(*command, "--eval-reuse=0", "--eval-report=whole").ret == 0
    assert read(project, "on") == read(project, "whole")
    assert read_cells(project, "on") == read_cells(project, "whole")


def test_a_cell_chooses_among_what_k_leaves_and_the_run_is_a_part(project: Project) -> None:
    write(project)
    result = project.run(*READER, "-k", "php and not level1", "--eval-gate=small.h50 >= 1")
    assert result.ret == 10
    records = project.records()
    assert records
    assert {row["language"] for row in records} == {"php"}
    assert all(row["axes"]["level"] > 1 for row in records)
    assert project.run_json()["selection"]
    result.stdout.fnmatch_lines(["*PARTIAL: * of 2 cells asked to their end*"])


@pytest.mark.slow
def test_a_grid_asks_everything(project: Project) -> None:
    write(project, count=2)
    text = (project.path / "small.suite.toml").read_text()
    (project.path / "small.suite.toml").write_text(text + 'asking = "grid"\n')
    result = project.run(*READER, "--eval-gate=small.exact >= 0.01", "--eval-gate=small.h50 <= 7")
    assert result.ret == 0, result.stdout.str()
    assert len(project.records()) == 24
    assert "adaptive" not in project.records()[0]


def test_a_dry_run_counts_the_budget_at_most(project: Project) -> None:
    write(project)
    result = project.run(*READER, "--eval-dry-run")
    result.stdout.fnmatch_lines(["*questions*48"])


@pytest.mark.slow
def test_questions_that_are_asked_again_enter_no_fit(project: Project) -> None:
    write(project)
    project.run(*READER, "--eval-report=one")
    project.run(*READER, "--eval-repeat=1/2", "--eval-report=twice")
    again = [row for row in project.records("twice") if row["repeat"]]
    assert again
    assert [row for row in read(project, "twice") if not row["repeat"]] == read(project, "one")
    assert read_cells(project, "twice") == read_cells(project, "one")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--eval-limit=20",), "--eval-limit: small chooses its questions by the answers"),
        (("--eval-gate=small.exact >= 0.5",), "small chooses its questions by the answers, so about half of these"),
        (("--eval-gate=small.h50[level=2] >= 1",), "h50 is fitted over level, so it has no value at one of them"),
    ],
)
def test_what_an_adaptive_suite_cannot_be_asked(project: Project, arguments: tuple[str, ...], message: str) -> None:
    write(project)
    assert message in usage_error(project, *READER, *arguments)


@pytest.mark.slow
def test_a_baseline_of_another_suite_is_refused_before_the_first_question(project: Project) -> None:
    write(project)
    project.run(*READER, "--eval-report=before")
    write(project, more="seed = 5")
    gate = "--eval-gate=small.h50 >= baseline * 0.8"
    assert "the baseline asked other questions of small" in usage_error(
        project, *READER, "--eval-baseline=before", gate
    )
