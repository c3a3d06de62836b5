"""What a job costs, next to the cheapest way to run one, in the same run."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_codereason.execution import Run
from pytest_codereason.languages.python import runner
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox, interpreters, open_sandbox

pytestmark = pytest.mark.benchmark

RUN = Run(language="python", source="def f(x):\n    return [x] * 3", call="f(81)")
JOBS, ROUNDS = 60, 5


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox() as opened:
        yield opened


#: Jobs of a small warm process, each a bare fork that computes and writes its value: no layer, no limit.
FORKED = """
import json, os, sys, time
source, call, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
code = compile(f"{source}\\nvalue = {call}", "<program>", "exec")
started = time.perf_counter()
for _ in range(count):
    read, write = os.pipe()
    if (pid := os.fork()) == 0:
        scope = {}
        exec(code, scope)
        os.write(write, json.dumps(scope["value"]).encode())
        os._exit(0)
    os.close(write)
    with open(read) as file:
        json.load(file)
    os.waitpid(pid, 0)
print(count / (time.perf_counter() - started))
"""


def forked() -> float:
    """Jobs a second of bare forks."""
    command = [interpreters.PYTHON, "-S", "-c", FORKED, RUN.source, RUN.call, str(JOBS)]
    return float(subprocess.run(command, capture_output=True, check=True).stdout)


def rate(work: Callable[[], None]) -> float:
    """Jobs a second."""
    started = time.perf_counter()
    work()
    return JOBS / (time.perf_counter() - started)


def test_a_job_in_all_layers_next_to_a_bare_fork(sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
    def confined(workers: int) -> None:
        for execution in sandbox.run_all([RUN] * JOBS, workers=workers):
            assert execution.value == [81] * 3

    confined(1)
    rounds = [(forked(), rate(lambda: confined(1)), rate(lambda: confined(4))) for _ in range(ROUNDS)]
    bare, alone, together = (statistics.median(column) for column in zip(*rounds, strict=True))
    with capsys.disabled():
        print(
            f"\n{sandbox.tier}: bare fork {bare:.0f}/s, one at a time {alone:.0f}/s ({bare / alone:.1f} times)", end=""
        )
        print(f", four at a time {together:.0f}/s ({bare / together:.1f} times)")


def test_all_of_cruxeval(sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
    folder = os.environ.get("CODEREASON_DATA")
    if not folder:
        pytest.skip("CODEREASON_DATA is not set")
    rows = [json.loads(line) for line in Path(folder, "cruxeval.jsonl").read_text().splitlines()]
    python = language("python")
    started = time.perf_counter()
    runs = [Run(language="python", source=row["code"], call=f"f({row['input']})") for row in rows]
    executions = list(sandbox.run_all(runs))
    took = time.perf_counter() - started
    right = [
        e.returned and python.equal(e.value, python.read(row["output"]).value)
        for e, row in zip(executions, rows, strict=True)
    ]
    with capsys.disabled():
        print(f"\n{sandbox.tier}: {sum(right)} of {len(right)} equal in {took:.1f} s")
    assert all(right)


def test_encoding(capsys: pytest.CaptureFixture[str]) -> None:
    from pytest_codereason.languages.python import _child

    value = {n: [(n, str(n), 1.5)] for n in range(10_000)}
    started = time.perf_counter()
    line = _child.encoded(value)
    between = time.perf_counter()
    assert runner.decode(json.loads(line)) == value
    ended = time.perf_counter()
    with capsys.disabled():
        print(f"\n{len(line) / 1e6:.1f} MB: written in {between - started:.2f} s, read in {ended - between:.2f} s")
