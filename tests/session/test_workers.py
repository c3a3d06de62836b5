"""What holds for all workers of a run together: pauses, the limit of cost, leases, the end."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from tests.processes import read_processes
from tests.servers import Server, rate_limited, solve
from tests.session.background import Waiter, args, background, count_rows
from tests.session.conftest import Project

pytestmark = pytest.mark.slow
WORKERS = ("-n", "2")
#: Requests in flight of both workers.
IN_FLIGHT = 4


@pytest.fixture(autouse=True)
def _key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)  # these tests may run in a worker themselves


def flying(*more: str) -> list[str]:
    return [f"--eval-concurrency={IN_FLIGHT}", "--eval-report=out", *WORKERS, *more]


def test_every_worker_waits_as_long_as_one_of_them_was_told_to(project: Project) -> None:
    project.suite(count=60)
    limited_at: list[float] = []

    def answer(messages: object, body: dict[str, object]) -> str:
        return solve()(messages, body)  # type: ignore[arg-type]

    with Server(answer, latency_s=0.02, script=[None] * 40 + [rate_limited("2")]) as server:
        process = background(project, *args(server, *flying()))
        Waiter().until(lambda: len(server.requests) > 40)
        limited_at.append(time.monotonic())
        while time.monotonic() < limited_at[0] + 1.5:
            assert len(server.requests) <= 41 + IN_FLIGHT, "only requests that were on their way arrive"
            time.sleep(0.01)
        output = process.communicate(timeout=120)[0].decode()
        assert process.returncode == 0, output
        assert len(server.requests) == 121


def test_the_limit_of_cost_holds_for_the_sum_of_all_workers(project: Project) -> None:
    project.suite(count=100)
    price = ("--model-arg=price_in=1000", "--model-arg=price_out=1000", "--model-arg=max_tokens=100")
    with Server(latency_s=0.01) as server:
        result = project.run_fresh(*args(server, *price, "--eval-max-cost=3", *flying()))
        assert result.ret == 1
        rows = [row for row in project.records("out") if row["outcome"] == "correct"]
        assert len(rows) > 4
        assert len(server.requests) < 200
    with sqlite3.connect(Path(os.environ["CODEREASON_CACHE"]) / "store/answers.sqlite") as db:
        ((spent, processes),) = db.execute("SELECT sum(spent), count(*) FROM ledgers").fetchall()
    assert sum(row["cost"] for row in rows) <= spent + 1e-9
    assert project.run_json("out")["estimate"]["openai:scripted"]["requests"] == 200
    assert spent <= 3
    assert processes == 2
    result.stdout.fnmatch_lines(["*--eval-max-cost 3*"])


@pytest.mark.parametrize(
    ("how", "whom"),
    [(signal.SIGINT, "the group"), (signal.SIGTERM, "the controller")],
    ids=["Ctrl-C to the group", "SIGTERM to the controller"],
)
def test_a_signal_stops_the_workers_at_once_and_answers_in_flight_land(
    project: Project, how: signal.Signals, whom: str
) -> None:
    project.suite(count=20)
    with Server(solve(accuracy=0.7), latency_s=1.0) as server:
        command = args(server, *flying())
        process = background(project, *command)
        Waiter().until(lambda: count_rows("answers") >= IN_FLIGHT and len(server.requests) >= 2 * IN_FLIGHT)
        (os.kill if whom == "the controller" else os.killpg)(process.pid, how)
        Waiter().until(lambda: count_rows("stops") > 0 or whom == "the group")
        sent = len(server.requests)
        output = process.communicate(timeout=60)[0].decode()
        assert process.returncode == 2, output
        assert "to continue, run again: pytest" in output
        assert len(server.requests) <= sent + IN_FLIGHT
        assert count_rows("answers") == len(server.requests), "answers in flight land"
        first = len(server.requests)
        server.latency_s = 0.0  # the rest need not take its time
        assert project.run(*command[:-2]).ret == 0
        assert len(server.requests) == 40, f"{first} answers are not asked for again"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_a_second_signal_ends_the_run_at_once(project: Project, how: signal.Signals) -> None:
    project.suite(count=5)
    with Server(latency_s=60) as server:
        process = background(project, *args(server, *flying()))
        Waiter().until(lambda: len(server.requests) >= IN_FLIGHT)
        os.killpg(process.pid, how)
        Waiter().until(lambda: count_rows("stops") > 0)
        began = time.monotonic()
        os.killpg(process.pid, how)
        process.communicate(timeout=60)
        assert time.monotonic() - began < 30, "and not after the 60 seconds that the server takes"
        assert process.returncode != 0
        Waiter().until(lambda: not list_group(process.pid))


def list_group(group: int) -> list[str]:
    """The processes of a group that still run."""
    states = ((process, stat.rpartition(b")")[2].split()) for process, stat in read_processes("stat"))
    return [process for process, fields in states if int(fields[2]) == group and fields[0] != b"Z"]


def test_only_questions_in_flight_are_leased(project: Project) -> None:
    project.suite(count=10)
    with Server(latency_s=0.3) as server:
        process = background(project, *args(server, *flying()))
        Waiter().until(lambda: count_rows("answers") >= IN_FLIGHT)
        assert count_rows("leases") <= IN_FLIGHT
        process.communicate(timeout=120)
