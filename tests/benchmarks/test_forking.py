"""Processor time and wall time of ``-n 2`` over a suite, against one process, in one run.

Prints ratios and fails on nothing but wrong results. The targets: at most 1.15 times the processor time of one process,
at most 0.65 of its wall time where the server leaves two cores free, and 0.2 s until a further process asks.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

from tests.benchmarks.extent import limit
from tests.session.conftest import SUITE

pytestmark = pytest.mark.benchmark

PROGRAMS, LATENCY_S, ROUNDS = limit(3000, 400), 0.05, limit(3, 1)


@pytest.fixture
def url() -> Iterator[str]:
    """A server in a process of its own."""
    command = [sys.executable, "-m", "tests.servers", "--latency", str(LATENCY_S), "--accuracy", "0.7"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


def measure(url: str, suite: Path, folder: Path, *more: str) -> tuple[float, float]:
    """Processor seconds of all processes of a run, and seconds by the clock."""
    command = [
        *(sys.executable, "-m", "pytest", str(suite), "-q", "-p", "no:cacheprovider", *more),
        *("--model=openai:scripted", f"--model-url={url}", "--eval-concurrency=128"),
        *(f"--eval-store={folder / 'store'}", f"--eval-report={folder / 'report'}"),
    ]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"OPENAI_API_KEY": "x", "HOME": str(folder)}
    )
    took, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / "report/records.jsonl").read_bytes().count(b"\n") == PROGRAMS
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, took


def test_two_processes_against_one(url: str, tmp_path: Path) -> None:
    suite = tmp_path / "speed.suite.toml"
    suite.write_text(SUITE.format(languages='["python"]', count=PROGRAMS, prompting='["direct"]'))
    ways: dict[str, tuple[str, ...]] = {"one": (), "two": ("-n2",), "xdist": ("-n2", "--dist=worksteal")}
    cpu, wall = dict[str, list[float]](), dict[str, list[float]]()
    for number in range(ROUNDS):
        for name, more in ways.items():
            folder = tmp_path / f"{name}{number}"
            folder.mkdir()
            used, took = measure(url, suite, folder, *more)
            cpu.setdefault(name, []).append(used)
            wall.setdefault(name, []).append(took)
    print(f"\n{PROGRAMS} questions, 128 in flight, {LATENCY_S * 1000:.0f} ms an answer, median of {ROUNDS}")
    for name, title in (("one", "one process"), ("two", "-n 2, forked"), ("xdist", "-n 2, xdist")):
        ratios = [median(a / b for a, b in zip(figures[name], figures["one"], strict=True)) for figures in (cpu, wall)]
        print(
            f"{title:14} {median(cpu[name]):6.1f} s of processor, ratio {ratios[0]:.2f}; "
            f"{median(wall[name]):6.1f} s by the clock, ratio {ratios[1]:.2f}"
        )


START = """
import sys, time
from pathlib import Path
import pytest
from pytest_codereason.engine.engine import Engine


stream = Engine.stream
def noted(*args, **kwargs):
    print("asks", time.perf_counter() - float(Path("forked").read_text()), file=sys.__stderr__, flush=True)
    return stream(*args, **kwargs)
Engine.stream = noted
import os
fork = os.fork
def forked():
    Path("forked").write_text(str(time.perf_counter()))
    return fork()
os.fork = forked
sys.exit(pytest.main(sys.argv[1:]))
"""


def test_start_of_a_further_process(url: str, tmp_path: Path) -> None:
    """From a fork to the moment at which the fork begins to ask, by one clock."""
    suite = tmp_path / "speed.suite.toml"
    suite.write_text(SUITE.format(languages='["python"]', count=PROGRAMS, prompting='["direct"]'))
    arguments = [str(suite), "-n2", "-q", "-p", "no:cacheprovider", "-s", "--model=openai:scripted"]
    done = subprocess.run(
        [sys.executable, "-c", START, *arguments, f"--model-url={url}", "--eval-store=store", "--eval-report=report"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={"OPENAI_API_KEY": "x", "HOME": str(tmp_path)},
    )
    starts = [float(line.split()[1]) for line in done.stderr.splitlines() if line.startswith("asks ")]
    assert len(starts) == 2
    print("\nfrom a fork to its first question: " + ", ".join(f"{start:.3f} s" for start in starts) + " (target 0.2)")
