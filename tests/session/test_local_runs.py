"""Runs of a real model on this machine: stopped, killed, side by side. Nothing of an engine stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_codereason.engine.limits.time_limit import GRACE_S
from pytest_codereason.models.local.engine import SERVING
from tests.processes import read_processes
from tests.session.background import background
from tests.session.conftest import Project

GGUF = os.environ.get("CODEREASON_TEST_GGUF")
pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.skipif(not GGUF, reason="CODEREASON_TEST_GGUF names no SmolLM2-135M-Instruct GGUF"),
]
MODEL = f"--model=local:{GGUF}"
LOAD_S = 120.0
#: Answers of many tokens, so that a signal comes while one is computed.
LONG = "\n[sampling]\nmax_tokens = 2000\n"


@pytest.fixture
def engines(project: Project) -> Iterator[Callable[[], list[int]]]:
    """The engines of the runs of this test, which are gone at its end."""
    cache = f"CODEREASON_CACHE={os.environ['CODEREASON_CACHE']}".encode()

    def find() -> list[int]:
        return [
            int(process)
            for process, environment in read_processes("environ")
            if cache in environment.split(b"\0") and str(SERVING).encode() in read_command(process)
        ]

    yield find
    end = time.monotonic() + 10
    while find():
        assert time.monotonic() < end, "an engine stays behind"


def read_command(process: str) -> bytes:
    with suppress(OSError):
        return Path("/proc", process, "cmdline").read_bytes()
    return b""


def wait_for_engines(run: subprocess.Popen[bytes], engines: Callable[[], list[int]], count: int = 1) -> None:
    """Waits until so many engines have loaded their weights and compute an answer."""
    end = time.monotonic() + LOAD_S
    while sum(measure_cpu(engine) > 2.0 for engine in engines()) < count:
        assert run.poll() is None, run.stdout and run.stdout.read()
        assert time.monotonic() < end
        time.sleep(0.05)


def measure_cpu(process: int) -> float:
    with suppress(OSError):
        fields = Path("/proc", str(process), "stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_in_time(project: Project, engines: Callable[[], list[int]], how: signal.Signals) -> None:
    project.suite(count=2, languages=("python",), more=LONG)
    run = background(project, MODEL)
    wait_for_engines(run, engines)
    run.send_signal(how)
    begun = time.monotonic()
    output = run.communicate(timeout=60)[0].decode()
    assert time.monotonic() - begun < GRACE_S + 10
    assert run.returncode == 2, output
    assert not engines()


def test_a_second_ctrl_c_ends_a_run_at_once(project: Project, engines: Callable[[], list[int]]) -> None:
    project.suite(count=2, languages=("python",), more=LONG)
    run = background(project, MODEL)
    wait_for_engines(run, engines)
    run.send_signal(signal.SIGINT)
    time.sleep(1.0)  # as a person does
    begun = time.monotonic()
    run.send_signal(signal.SIGINT)
    output = run.communicate(timeout=60)[0].decode()
    assert time.monotonic() - begun < GRACE_S / 2, output
    assert run.returncode != 0


def test_an_engine_ends_with_a_run_that_is_killed(project: Project, engines: Callable[[], list[int]]) -> None:
    project.suite(count=2, languages=("python",), more=LONG)
    run = background(project, MODEL)
    wait_for_engines(run, engines)
    run.kill()
    run.communicate()


def test_a_killed_engine_ends_the_asking_and_is_said(project: Project, engines: Callable[[], list[int]]) -> None:
    project.suite(count=2, languages=("python",), more=LONG)
    run = background(project, MODEL)
    wait_for_engines(run, engines)
    (engine,) = engines()
    os.kill(engine, signal.SIGKILL)
    output = run.communicate(timeout=60)[0].decode()
    assert run.returncode == 1, output
    assert "the engine llama.cpp was killed (signal 9)" in output


def test_workers_have_an_engine_each_and_two_runs_at_once_go_well(
    project: Project, engines: Callable[[], list[int]]
) -> None:
    project.suite(count=4, languages=("python",))
    anew = (MODEL, "--eval-reuse=0")  # else the one run would take the answers of the other
    runs = [background(project, *anew, "-n2", "--eval-report=first"), background(project, *anew)]
    seen: set[int] = set()
    while any(run.poll() is None for run in runs):
        seen.update(engines())
        time.sleep(0.1)
    outputs = [run.communicate()[0].decode() for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    assert len(seen) == 3
    first, second = project.records("first"), project.records()
    assert {record["id"]: record["response"] for record in first} == {
        record["id"]: record["response"] for record in second
    }
