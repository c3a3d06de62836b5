"""A run that stops as soon as every gate is decided: what it asks, says and keeps."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from pytest_codereason.results.verdicts.planned import place_program
from tests.servers import Server, error, solve
from tests.session.conftest import Project, usage_error

STOP = "--eval-stop-when-decided"
PROGRAMS = 120


@pytest.fixture(autouse=True)
def _key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


def read(project: Project, name: str) -> dict[str, Any]:
    return dict(json.loads((project.path / "reports/latest" / name).read_text()))


@pytest.mark.parametrize("workers", [(), pytest.param(("-n", "2"), marks=pytest.mark.slow)], ids=["alone", "workers"])
def test_a_run_ends_when_its_gates_are_decided(project: Project, workers: tuple[str, ...]) -> None:
    project.suite(count=PROGRAMS, languages=("python",))
    gates = ("--eval-gate=small.exact >= 0.5", "--eval-gate=small.truncated <= 30%")
    # With workers a verdict comes later, by more on a busy machine: until then few answers may come.
    with Server(solve(accuracy=0.95), latency_s=0.15 if workers else 0.002) as server:
        command = (
            "--model=openai:scripted",
            f"--model-url={server.url}",
            "--eval-concurrency=2",
            *gates,
            STOP,
            *workers,
        )
        result = (project.run_fresh if workers else project.run)(*command)
        asked = len(server.requests)
    assert result.ret == 0, result.stdout.str()
    assert asked < PROGRAMS / 2
    output = " ".join(result.stdout.str().split())
    sent = f"{asked} of at most {PROGRAMS} requests were sent"
    assert re.search(rf"PARTIAL every gate was decided after \d+ of 120 questions \({sent}\)", output)
    assert re.search(r"small.exact = \S+ \(at least .* of 120 programs in a random order\) passes >= 0.5; d", output)
    assert "to continue" not in result.stdout.str()
    stop = read(project, "run.json")["stopped_early"]
    assert stop["asked"] < stop["of"] == PROGRAMS
    assert [gate["verdict"] for gate in stop["gates"]] == ["PASS", "PASS"]
    assert stop["gates"][0]["at_least"] >= 0.5
    verdict = read(project, "summary.json")["gates"][0]
    assert verdict["passed"]
    assert verdict["n"] == stop["gates"][0]["n"] <= stop["asked"]


@pytest.mark.slow
def test_a_run_that_stopped_is_over(project: Project) -> None:
    """The same command asks anew, and the same programs."""
    project.suite(count=PROGRAMS, languages=("python",))
    asked = []
    for _ in range(2):
        with Server(solve(accuracy=0.95)) as server:
            command = ("--model=openai:scripted", f"--model-url={server.url}", "--eval-concurrency=1")
            project.run(*command, "--eval-gate=small.exact >= 0.5", STOP)
            asked.append([json.dumps(request.body["messages"]) for request in server.requests])
    fewer = min(map(len, asked))
    assert 5 < fewer < PROGRAMS / 2
    assert asked[0][: fewer - 1] == asked[1][: fewer - 1]


def test_a_run_says_what_it_sent_and_paid_beyond_its_records(project: Project) -> None:
    """All requests are in flight when a few answers decide the gate."""
    project.suite(count=30, languages=("python",))
    prices = ("--model-arg=price_in=0", "--model-arg=price_out=100")
    with Server(solve(accuracy=1), together=30) as server:
        command = ("--model=openai:scripted", f"--model-url={server.url}", "--eval-concurrency=30", *prices)
        result = project.run(*command, "--eval-gate=small.exact >= 0.5", STOP)
        assert len(server.requests) == 30
    run = read(project, "run.json")
    stop, lost = run["stopped_early"], run["spent"] - run["cost"]
    assert (stop["sent"], stop["requests"], stop["of"]) == (30, 30, 30)
    assert stop["asked"] < 30
    assert lost > 0
    assert (
        f"every gate was decided after {stop['asked']} of 30 questions (30 of at most 30 requests were sent, "
        f"for ${run['spent']:.4f}; ${lost:.4f} of it paid replies that stand in no record)"
    ) in " ".join(result.stdout.str().split())


@pytest.mark.slow
def test_an_interrupted_run_decides_as_if_nothing_had_happened_and_pays_once(project: Project) -> None:
    project.suite(count=PROGRAMS, languages=("python",))
    gates = ("--eval-gate=small.exact >= 0.6", "--eval-gate=small.truncated <= 30%", STOP, "--eval-concurrency=1")

    def ask(server: Server, name: str) -> int:
        result = project.run("--model=openai:scripted", f"--model-url={server.url}", *gates, f"--eval-report={name}")
        return int(result.ret)

    with Server(solve(accuracy=0.9)) as server:
        assert ask(server, "whole") == 0
        needed = len(server.requests)
    with Server(solve(accuracy=0.9), script=[None] * 12 + [error(401, "no")]) as server:
        assert ask(server, "stopped") == 10, "nobody can judge a run that misses an answer"
        assert ask(server, "resumed") == 0
        asked = [json.dumps(request.body["messages"]) for request in server.requests]
    assert len(asked) - len(set(asked)) == 1, "only the question without an answer was asked twice"
    assert abs(len(set(asked)) - needed) <= 4, "no more is asked than what is under way when the gates decide"
    assert "stopped_early" not in project.run_json("stopped")
    whole, resumed = (project.run_json(name)["stopped_early"]["gates"] for name in ("whole", "resumed"))
    assert resumed == whole


@pytest.mark.slow
def test_a_gate_that_fails_stops_the_run_too(project: Project) -> None:
    project.suite(count=PROGRAMS, languages=("python",))
    with Server(solve(accuracy=0.3)) as server:
        result = project.run(
            "--model=openai:scripted", f"--model-url={server.url}", "--eval-gate=small.exact >= 0.8", STOP
        )
        assert len(server.requests) < PROGRAMS
    assert result.ret == 1
    assert "fails >= 0.8; decided early; about this suite's questions" in " ".join(result.stdout.str().split())


@pytest.mark.slow
def test_a_run_whose_gate_stays_open_asks_everything(project: Project) -> None:
    project.suite(count=8, languages=("python",))
    result = project.run("--model=baseline:truth", "--eval-gate=small.exact >= 1", STOP)
    assert result.ret == 0, result.stdout.str()
    assert len(project.records()) == 8
    assert "stopped_early" not in read(project, "run.json")


def test_a_gate_that_is_no_mean_is_named_before_the_run_and_the_order_is_random_all_the_same(project: Project) -> None:
    project.suite(count=8, languages=("python", "php"))
    result = project.run("--model=baseline:truth", "--eval-gate=small.exact == 1", STOP)
    result.stdout.fnmatch_lines(["*the gate 'small.exact == 1' is judged at the end, so it lets no run stop early*"])
    rows = project.records()
    assert len(rows) == 16
    in_order = sorted(rows, key=lambda row: place_program(0, row["plan"], row["id"].partition("[")[0]))
    assert [row["id"] for row in rows] == [row["id"] for row in in_order]
    assert len({row["language"] for row in rows[:8]}) == 2


@pytest.mark.slow
def test_a_run_is_compared_with_its_baseline_until_that_is_decided(project: Project) -> None:
    project.suite(count=PROGRAMS, languages=("python",))
    project.run("--model=baseline:truth", "--eval-report=old", "--eval-store=first")
    gate = ("--eval-baseline=old", "--eval-gate=small.exact >= baseline - 10%", STOP)
    same = project.run("--model=baseline:truth", "--eval-store=second", *gate)
    assert same.ret == 0, same.stdout.str()
    (passed,) = read(project, "run.json")["stopped_early"]["gates"]
    assert (passed["verdict"], passed["value"], passed["baseline"]) == ("PASS", 1.0, 1.0)
    assert -0.1 <= passed["at_least"] < 0 <= passed["at_most"]
    worse = project.run("--model=baseline:chance", "--eval-store=third", *gate)
    assert worse.ret == 1
    (failed,) = read(project, "run.json")["stopped_early"]["gates"]
    assert failed["programs"] < passed["programs"] < PROGRAMS / 2
    assert "1.000 in the baseline, a difference of −" in " ".join(worse.stdout.str().split())
    # A baseline that lacks an answer decides nothing.
    records = project.path / "old/records.jsonl"
    records.write_text("".join(records.read_text().splitlines(keepends=True)[1:]))
    (project.path / "old/seal.json").unlink()
    lacking = project.run("--model=baseline:truth", "--eval-store=fourth", *gate)
    assert lacking.ret == 10
    assert len(project.records()) == PROGRAMS


def test_a_part_of_what_a_gate_is_about_decides_nothing(project: Project) -> None:
    project.suite(count=60, languages=("python", "php"))
    gates = ("--eval-gate=small.exact >= 0.5", "--eval-gate=small.exact[language=php] >= 0.5", STOP)
    result = project.run("--model=baseline:truth", "-k", "php", *gates)
    assert result.ret == 10, result.stdout.str()
    verdicts = [(gate["verdict"], gate["passed"]) for gate in read(project, "summary.json")["gates"]]
    assert verdicts == [("UNMEASURED", False), ("PASS", True)]
    assert "cannot be judged against >= 0.5: PARTIAL: 60 of 120 questions" in " ".join(result.stdout.str().split())


def test_without_a_gate_there_is_nothing_to_decide(project: Project) -> None:
    project.suite()
    complaint = usage_error(project, "--model=baseline:truth", STOP)
    assert complaint == "--eval-stop-when-decided: there is no gate to decide; add --eval-gate"
