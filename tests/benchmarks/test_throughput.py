"""The whole path through pytest against what others would take for the same prompts, in one run.

Prints figures and fails on nothing but wrong results. The targets: 2.2 ms of processor time a question in a run of
6,000, 1.4 times bare aiohttp with judging, 0.75 of the rate of the bare client of openai, 10 times that of Inspect. On
a machine that others share, the ratios of processor time tell more than rates. Tests that do nothing show what pytest
itself takes.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.clients import WAYS, Spent, measure
from tests.benchmarks.extent import limit
from tests.session.conftest import SUITE

pytestmark = pytest.mark.benchmark

MANY, FEW, IN_FLIGHT, LATENCY_S, ROUNDS = limit(6000, 100), limit(600, 40), 128, 0.05, limit(3, 1)


@pytest.fixture
def url() -> Iterator[str]:
    """A server in a process of its own that answers in 50 ms."""
    command = [sys.executable, "-m", "tests.servers", "--latency", str(LATENCY_S)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


def write_suite(folder: Path, programs: int) -> Path:
    path = folder / f"speed{programs}.suite.toml"
    path.write_text(SUITE.format(languages='["python"]', count=programs, prompting='["direct"]'))
    return path


def run_empty_tests(folder: Path, tests: int) -> float:
    """Processor seconds of pytest for tests that do nothing, with its start."""
    path = folder / f"test_nothing_{tests}.py"
    path.write_text(
        f"import pytest\n@pytest.mark.parametrize('number', range({tests}))\ndef test_nothing(number):\n    pass\n"
    )
    command = [sys.executable, "-m", "pytest", str(path), "-q", "-p", "no:cacheprovider", "-p", "no:codereason"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_pytest(url: str, suite: Path, store: Path) -> Spent:
    """Processor seconds of the whole command, and seconds by the clock from the first question to the last answer."""
    command = [
        *(sys.executable, "-m", "pytest", str(suite), "-q", "-p", "no:cacheprovider"),
        *("--model=openai:scripted", f"--model-url={url}", f"--eval-concurrency={IN_FLIGHT}"),
        *(f"--eval-store={store}", f"--eval-report={store / 'report'}"),
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"OPENAI_API_KEY": "x", "HOME": str(store)}
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in (store / "report/records.jsonl").read_text().splitlines()]
    assert {row["outcome"] for row in rows} == {"correct"}
    times = [row["steps"][0]["answered_at"] for row in rows]
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Spent(len(rows), used, max(times) - min(times) + LATENCY_S)


def test_answers_a_second(url: str, tmp_path: Path) -> None:
    many, few = write_suite(tmp_path, MANY), write_suite(tmp_path, FEW)
    cpu, wall = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)  # of a question
    began = time.monotonic()
    for number in range(ROUNDS):
        for way in WAYS:  # 600 questions of Inspect take as long as 6,000 of ours
            spent = measure(way, url, few if way == "inspect" else many, IN_FLIGHT)
            cpu[way].append(spent.cpu_s / spent.answers)
            wall[way].append(spent.wall_s / spent.answers)
        short, long = (run_pytest(url, suite, tmp_path / f"{suite.name}-{number}") for suite in (few, many))
        cpu["whole"].append(long.cpu_s / long.answers)
        cpu["pytest"].append((long.cpu_s - short.cpu_s) / (long.answers - short.answers))
        wall["pytest"].append(long.wall_s / long.answers)
        empty = run_empty_tests(tmp_path, MANY) - run_empty_tests(tmp_path, FEW)
        cpu["nothing"].append(empty / (MANY - FEW))
    used, took = ({way: min(each) for way, each in figures.items()} for figures in (cpu, wall))
    titles = {"openai": "openai, fastest form", "aiohttp": "aiohttp with judging", "inspect": "Inspect, fastest form"}
    print(
        f"\n{MANY:,} questions, {IN_FLIGHT} in flight, {LATENCY_S * 1000:.0f} ms an answer, best of {ROUNDS}, "
        f"{time.monotonic() - began:.0f} s in all"
    )
    for way, title in (titles | {"pytest": "through pytest"}).items():
        print(
            f"{title:22} {1000 * used[way]:6.2f} ms of processor a question, ratio {used['pytest'] / used[way]:5.2f}; "
            f"{1 / took[way]:6.0f} answers/s, ratio {took[way] / took['pytest']:5.2f}"
        )
    print(f"{'pytest, empty tests':22} {1000 * used['nothing']:6.2f} ms of processor a test")
    print(f"through pytest with its start and its reports: {1000 * used['whole']:.2f} ms of processor a question")
