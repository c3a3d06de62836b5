"""Adaptive suites end to end: every way of running asks the same, and the rest is said not to be needed."""

from __future__ import annotations

import json
import re
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


@pytest.mark.slow
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
    reason = ": not asked: (the budget of 24 questions is spent|h50 is known to [0-9.]+ octaves)<"
    assert re.search(reason, (project.path / "junit.xml").read_text())
    summary = json.loads((project.path / "reports/latest/summary.json").read_text())
    assert summary["suites"]["small"]["models"]["baseline:reader"]["horizon"]["asked"] == asked
    page = (project.path / "reports/latest/report.html").read_text()
    assert re.search(r"<p class=\"under\">Is right half of the time up to level \d", page), "the big number has a unit"


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
        assert project.run(*command, "--eval-report=on").ret == 0
        assert len(server.requests) <= len(project.records("on")) + 4, "what was answered is not asked again"
        assert sent > 8
        assert project.run(*command, "--eval-reuse=0", "--eval-report=whole").ret == 0
    assert read(project, "on") == read(project, "whole")
    assert read_cells(project, "on") == read_cells(project, "whole")


STOP = "--eval-stop-when-decided"
STEADY = ("--model=baseline:reader", "--model-arg=horizon=4", "--model-arg=slope=4")


def write_endless(project: Project) -> None:
    """A suite whose cells end by their budget, unless their gates are decided."""
    write(project, count=16)
    path = project.path / "small.suite.toml"
    path.write_text(path.read_text().replace("budget = 24", "budget = 40\nprecision = 0.3"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "code", "verdict"), [(">= 1.2", 0, "PASS"), (">= 7.9", 1, "FAIL"), (">= 4", None, "UNDECIDED")]
)
def test_a_cell_ends_when_its_gate_is_decided(project: Project, limit: str, code: int | None, verdict: str) -> None:
    """The limit lies far below the horizon, far above it, or near it. The other cell has no gate."""
    write_endless(project)
    gate = f"--eval-gate=small.h50[language=python] {limit}"
    result = project.run(*STEADY, gate, STOP, "--junitxml=junit.xml")
    ends = {cell["where"]["language"]: cell for cell in read_cells(project)}
    assert ends["php"]["ended"] == "budget"
    assert project.run_json()["complete"]
    assert "stopped_early" not in project.run_json()
    assert STOP not in result.stdout.str(), "nothing is to be said of this gate"
    reason = ": not asked: every gate about its cell is decided<"
    assert (reason in (project.path / "junit.xml").read_text()) is (code is not None)
    if code is None:
        assert ends["python"]["ended"] == "budget"
        return
    assert result.ret == code, result.stdout.str()
    assert ends["python"]["ended"] == "decided"
    assert ends["python"]["asked"] <= 30
    assert ends["php"]["asked"] == 40, "its budget"
    result.stdout.fnmatch_lines([f"{verdict}*small.h50[[]language=python] = *"])
    assert main(["judge", "reports/latest"]) == code


@pytest.mark.slow
def test_a_cell_that_is_decided_has_asked_the_first_rounds_of_the_whole_cell(project: Project) -> None:
    write_endless(project)
    project.run(*STEADY, "--eval-gate=small.h50[language=python] >= 1.2", STOP, "--eval-report=decided")
    project.run(*STEADY, "--eval-report=whole")
    decided, whole = (read(project, folder) for folder in ("decided", "whole"))
    assert 0 < len(decided) < len(whole)
    assert all(row in whole for row in decided)
    assert [row for row in decided if row["language"] == "php"] == [row for row in whole if row["language"] == "php"]


@pytest.mark.slow
def test_a_gate_that_ends_no_cell_is_said_before_the_run(project: Project) -> None:
    write_endless(project)
    result = project.run(*STEADY, "--eval-gate=small.h50 >= 1.2", STOP)
    assert result.ret == 0
    output = " ".join(result.stdout.str().split())
    assert "the gate 'small.h50 >= 1.2' is judged at the end, so it lets no run stop early and ends no cell" in output
    assert {cell["ended"] for cell in read_cells(project)} == {"budget"}


@pytest.mark.slow
def test_every_way_of_running_ends_a_decided_cell_at_the_same_question(project: Project) -> None:
    write_endless(project)
    gates = ("--eval-gate=small.h50[language=python] >= 1.2", "--eval-gate=small.h50[language=php] <= 7.9", STOP)
    command = (*STEADY, *gates)
    assert project.run(*command, "--eval-report=one").ret == 0
    whole, cells = read(project, "one"), read_cells(project, "one")
    assert [cell["ended"] for cell in cells] == ["decided", "decided"]
    assert project.run_fresh(*command, "-n2", "--eval-report=two").ret == 0
    for part in ("1", "2"):
        project.run(*command, f"--eval-shard={part}/2", f"--eval-report=part{part}")
    assert main(["merge", "part1", "part2", "-o", "joined"]) == 0
    rows = project.records("one")
    replies = {row["id"]: [row["response"]] for row in rows}
    again = ("--model=replay:replies", *gates)
    (project.path / "replies").write_text(json.dumps(replies))
    assert project.run(*again, "--eval-report=again").ret == 0
    lacking = rows[len(rows) // 2]["id"]
    (project.path / "replies").write_text(json.dumps({id: text for id, text in replies.items() if id != lacking}))
    assert project.run(*again, "--eval-report=stopped").ret
    assert [cell["ended"] for cell in read_cells(project, "stopped")].count("errors") == 1
    (project.path / "replies").write_text(json.dumps(replies))
    assert project.run(*again, "--eval-report=on").ret == 0
    for folder in ("two", "joined", "again", "on"):
        assert read(project, folder) == whole, folder
        assert [{**cell, "model": ""} for cell in read_cells(project, folder)] == [
            {**cell, "model": ""} for cell in cells
        ], folder
        assert project.run_json(folder)["complete"]
        assert main(["judge", folder]) == 0


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
