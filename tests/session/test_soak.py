"""A long run with faults and kills gives the records of an undisturbed run, and pays for nothing twice.

It asks 200 questions. ``CODEREASON_SOAK=20000`` asks so many::

    CODEREASON_SOAK=20000 pytest tests/session/test_soak.py -m slow -s
"""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.servers import (
    Disruption,
    Server,
    malformed,
    no_choices,
    overloaded,
    rate_limited,
    reset,
    silence,
    solve,
)
from tests.session.background import Waiter, args, await_forks, background, count_rows
from tests.session.conftest import Project
from tests.session.volatile import drop_volatile

pytestmark = pytest.mark.slow

QUESTIONS = int(os.environ.get("CODEREASON_SOAK", "200"))
#: The share of requests that get no answer.
FAULTY = 0.08
#: The same of each of several servers.
SOME = 0.05
#: Every fault that passes. Silence is rarer than the others, because it lasts until the client gives up.
FAULTS = [overloaded(), overloaded(500), rate_limited("0.6"), malformed(), no_choices(), reset()] * 8 + [silence()]
#: On a busy machine, an ordinary answer takes seconds.
SILENCE_S = 10
IN_FLIGHT = 16
#: Who is killed, and at which share of the answers.
KILLS = {"the controller": 0.25, "the controller, again": 0.5, "a worker": 0.75}
LIMIT_S = 70 + QUESTIONS / 20
#: How long an answer takes, and how long from the moment at which somebody is to be killed: a busy machine comes late.
QUICK_S, SLOW_S = 0.02, 3.0


class FaultyServer(Server):
    """Answers most requests, and knows which."""

    def __init__(self, share: float, port: int = 0) -> None:
        self._draws = random.Random(12)
        self.drawn: list[Disruption | None] = []
        self._answered, self._slow_from = 0, math.inf
        super().__init__(solve(accuracy=0.7), latency_s=QUICK_S, script=self._draw(share), port=port)

    def slow_down_at(self, share: float) -> None:
        """From now on answers are quick, until this share of the questions was answered."""
        self.latency_s, self._slow_from = QUICK_S, share * QUESTIONS

    def _draw(self, share: float) -> Iterator[Disruption | None]:
        while True:
            self.drawn.append(self._draws.choice(FAULTS) if self._draws.random() < share else None)
            self._answered += self.drawn[-1] is None
            if self._answered > self._slow_from:
                self.latency_s = SLOW_S
            yield self.drawn[-1]

    def count_paid(self) -> Counter[str]:
        """How often each prompt was answered."""
        pairs = zip(self.requests, self.drawn, strict=True)
        return Counter(json.dumps(seen.messages) for seen, fault in pairs if fault is None)


@pytest.fixture(autouse=True)
def _environment(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)  # these tests may run in a worker themselves


def begin(project: Project, server: Server, folder: str, *others: str) -> subprocess.Popen[bytes]:
    more = (f"--eval-report={folder}", f"--eval-concurrency={IN_FLIGHT}", f"--model-arg=idle_timeout={SILENCE_S}")
    return background(project, *args(server, "-n", "2", "-q", *more, *others))


def finish(process: subprocess.Popen[bytes]) -> None:
    output = process.communicate(timeout=LIMIT_S)[0].decode()
    assert process.returncode == 0, output


def find_workers(controller: int) -> list[int]:
    """The workers of xdist, by their number."""
    children = Path(f"/proc/{controller}/task/{controller}/children").read_text().split()
    return [int(pid) for pid in children if b"sys.stdin.readline" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def await_workers(controller: int) -> list[int]:
    """The workers, as soon as there are some."""
    Waiter(LIMIT_S).until(lambda: bool(find_workers(controller)))
    return find_workers(controller)


def read_records(project: Project, folder: str) -> dict[str, Any]:
    """What a run found out, by question."""
    return {row["id"]: drop_volatile(row) for row in project.records(folder)}


def test_faults_and_kills_change_no_record_and_nothing_is_paid_twice(project: Project) -> None:
    # The second half of the questions runs programs in the sandbox.
    project.suite(count=QUESTIONS // 2, languages=("python",), more='perturbation = ["none", "comments"]\n')
    with FaultyServer(0.0) as server:
        began = time.monotonic()
        finish(begin(project, server, "clean"))
        clean_s = time.monotonic() - began
        prompts = server.count_paid().keys()
    clean, before = read_records(project, "clean"), count_rows("answers")
    assert len(clean) == QUESTIONS

    with FaultyServer(FAULTY) as server:
        began = time.monotonic()
        server.slow_down_at(min(KILLS.values()))
        process = begin(project, server, "soak")
        for (victim, share), following in zip(KILLS.items(), [*KILLS.values(), math.inf][1:], strict=True):
            Waiter(LIMIT_S).until(lambda share=share: count_rows("answers") - before >= share * QUESTIONS)  # type: ignore[misc]
            assert process.poll() is None
            if victim == "a worker":
                os.kill(await_workers(process.pid)[0], signal.SIGKILL)
            else:
                process.kill()  # its workers are left to themselves
                process.communicate()
            server.slow_down_at(following)
            if victim != "a worker":
                process = begin(project, server, "soak")
        finish(process)
        soak_s = time.monotonic() - began
        paid, requests = server.count_paid(), len(server.requests)
    twice, faults = paid.total() - len(paid), requests - paid.total()
    same = sum(clean[name] == row for name, row in read_records(project, "soak").items())
    print(
        f"\n{QUESTIONS:,} questions, {IN_FLIGHT} in flight, 2 workers; without faults {clean_s:.0f} s\n"
        f"{faults:,} faults in {requests:,} requests, {len(KILLS)} kills: {soak_s:.0f} s\n"
        f"{same:,} of {QUESTIONS:,} records equal, {twice} answers paid twice"
    )
    assert same == QUESTIONS
    assert paid.keys() == prompts
    assert twice <= len(KILLS) * IN_FLIGHT, "only what was in flight at a kill is asked again"
    assert project.run_json("soak")["complete"]


def test_three_servers_of_which_one_dies_and_returns_change_no_record(project: Project) -> None:
    """Two processes are forked. Two of them are killed, and twice the one that forked them."""
    suite = project.suite(count=QUESTIONS, languages=("python",)).name
    with FaultyServer(0.0) as server:
        finish(begin(project, server, "clean", suite, "--eval-store=clean-store"))
        prompts = server.count_paid().keys()  # of many questions, two may be equal
    clean = read_records(project, "clean")
    assert len(clean) == QUESTIONS

    began = time.monotonic()
    servers = [FaultyServer(SOME) for _ in range(3)]
    with ExitStack() as running:
        for each in servers:
            running.enter_context(each)
        urls = [f"--model-url={each.url}" for each in servers[1:]]

        def start() -> subprocess.Popen[bytes]:
            return begin(project, servers[0], "soak", suite, *urls)

        def await_share(share: float) -> None:
            Waiter(LIMIT_S).until(lambda: count_rows("answers") >= share * QUESTIONS)

        def set_latency(latency_s: float) -> None:
            for each in servers:
                each.latency_s = latency_s

        def restart(process: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
            assert process.poll() is None
            process.kill()
            process.communicate()
            return start()

        def kill_worker(process: subprocess.Popen[bytes]) -> None:
            os.kill(await_forks(process.pid)[0], signal.SIGKILL)

        process = start()
        await_share(0.1)
        kill_worker(process)
        await_share(0.2)
        process = restart(process)
        await_share(0.35)
        servers[1].stop()
        await_share(0.45)
        kill_worker(process)
        await_share(0.55)
        process = restart(process)  # one server is not there
        await_share(0.65)
        servers.append(running.enter_context(FaultyServer(SOME, servers[1].port)))
        set_latency(SLOW_S)  # the run must not end before the server is found
        Waiter(LIMIT_S).until(lambda: bool(servers[3].requests))
        set_latency(QUICK_S)
        finish(process)
    paid = sum((each.count_paid() for each in servers), Counter[str]())
    twice = paid.total() - len(paid)
    faults = sum(len(each.requests) for each in servers) - paid.total()
    same = sum(clean[name] == row for name, row in read_records(project, "soak").items())
    print(
        f"\n{QUESTIONS:,} questions, three servers, of which one died and came back; {faults:,} faults, 4 kills: "
        f"{time.monotonic() - began:.0f} s; {same:,} of {QUESTIONS:,} records equal, {twice} answers paid twice; "
        f"{[len(each.requests) for each in servers]} requests to the servers"
    )
    assert same == QUESTIONS
    assert paid.keys() == prompts
    assert twice <= 5 * IN_FLIGHT, "only what was in flight when a process or a server died is asked again"
    assert project.run_json("soak")["complete"]
