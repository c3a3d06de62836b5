"""How long a run of two models takes, against a run of one. Each answer takes 50 ms. The target is 1.15 times.

Prints figures and fails on nothing but wrong results.
"""

from __future__ import annotations

import json
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

PROGRAMS, IN_FLIGHT, LATENCY_S, ROUNDS = limit(1000, 100), 8, 0.05, limit(3, 1)


@pytest.fixture
def urls() -> Iterator[list[str]]:
    """A server in a process of its own, with two models."""
    command = [sys.executable, "-m", "tests.servers", "--latency", str(LATENCY_S), "--model", "one", "--model", "two"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield [process.stdout.readline().strip()]
        process.kill()


def time_run(url: str, suite: Path, folder: Path, models: int) -> float:
    """Seconds of a whole command that asks so many models."""
    command = [
        *(sys.executable, "-m", "pytest", str(suite), "-q", "-p", "no:cacheprovider"),
        *(f"--model=openai:{name}" for name in ("one", "two")[:models]),
        *(f"--model-url={url}", f"--eval-concurrency={IN_FLIGHT}"),
        *(f"--eval-store={folder}", f"--eval-report={folder / 'report'}"),
    ]
    began = time.perf_counter()
    process = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"OPENAI_API_KEY": "x", "HOME": str(folder)}
    )
    took = time.perf_counter() - began
    assert process.returncode == 0, process.stdout + process.stderr
    rows = [json.loads(line) for line in (folder / "report/records.jsonl").read_text().splitlines()]
    assert [row["outcome"] for row in rows] == ["correct"] * PROGRAMS * models
    return took


def test_two_models_take_as_long_as_one(urls: list[str], tmp_path: Path) -> None:
    suite = tmp_path / "speed.suite.toml"
    suite.write_text(SUITE.format(languages='["python"]', count=PROGRAMS, prompting='["direct"]'))
    times = {
        models: [time_run(urls[0], suite, tmp_path / f"{models}-{number}", models) for number in range(ROUNDS)]
        for models in (1, 2)
    }
    one, two = median(times[1]), median(times[2])
    print(
        f"\n{PROGRAMS} questions a model, {IN_FLIGHT} in flight to each, {LATENCY_S * 1000:.0f} ms an answer, "
        f"median of {ROUNDS}\none model {one:.2f} s, two models {two:.2f} s: {two / one:.2f} times (target 1.15)"
    )
