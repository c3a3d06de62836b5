"""What a job costs, next to the cheapest way to run one, in the same run."""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_codereason.core.execution import Run
from pytest_codereason.languages.python.values import literals as values
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox, interpreters, open_sandbox
from pytest_codereason.sandbox.keeper.main import PRELOADED
from tests.benchmarks.extent import limit
from tests.sandbox import attacks

pytestmark = pytest.mark.benchmark

RUN = Run.from_source(language="python", source="def f(x):\n    return [x] * 3", call="f(81)")
JOBS, ROUNDS = 100, limit(7, 1)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox() as opened:
        yield opened


@pytest.fixture(scope="module")
def bare() -> Iterator[Sandbox]:
    """The same keeper and the same fork, without a layer around it."""
    with attacks.open_tier("processes") as opened:
        yield opened


#: Jobs of a warm process, each a bare fork that runs the program and writes its value: no layer, no limit, no clock.
#: It has the modules of the keeper loaded and its heap frozen, and compiles the program in the fork, as the keeper does
#: to whom every program is new; or it is as small as can be, and has compiled it before.
FORKED = """
import gc, importlib, json, os, resource, sys, time
source, call, count, *modules = sys.argv[1:]
for name in modules:
    importlib.import_module(name)
if modules:
    gc.collect()
    gc.freeze()
def compiled():
    return compile(f"{source}\\nvalue = {call}", "<program>", "exec")
ready = None if modules else compiled()
def used():
    spent = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in spent)
started, before = time.perf_counter(), used()
for _ in range(int(count)):
    read, write = os.pipe()
    if (pid := os.fork()) == 0:
        scope = {}
        exec(ready or compiled(), scope)
        os.write(write, json.dumps(scope["value"]).encode())
        os._exit(0)
    os.close(write)
    with open(read) as file:
        json.load(file)
    os.waitpid(pid, 0)
print(time.perf_counter() - started, used() - before)
"""


def forked(modules: tuple[str, ...]) -> tuple[float, float]:
    """Milliseconds of a bare fork of a process that has loaded these: by the clock, and of all processors."""
    command = [interpreters.PYTHON, "-S", "-c", FORKED, RUN.source, RUN.call, str(JOBS), *modules]
    wall, cpu = map(float, subprocess.run(command, capture_output=True, check=True).stdout.split())
    return wall * 1000 / JOBS, cpu * 1000 / JOBS


def confined(sandbox: Sandbox, workers: int) -> tuple[float, float]:
    """The same of a job in all layers; its keeper's share and this process's count."""

    def used() -> float:
        stats = []
        for pid in attacks.descendants(os.getpid()):
            with contextlib.suppress(OSError):  # it has ended
                stats.append(Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split())
        return time.process_time() + sum(int(s[11]) + int(s[12]) for s in stats) / os.sysconf("SC_CLK_TCK")

    started, before = time.perf_counter(), used()
    executions = list(sandbox.run_all([RUN] * JOBS, workers=workers))
    wall = time.perf_counter() - started
    assert all(e.value == [81] * 3 for e in executions)
    return wall * 1000 / JOBS, (used() - before + sum(e.cpu_s for e in executions)) * 1000 / JOBS


def test_a_job_in_all_layers_next_to_a_bare_fork(
    sandbox: Sandbox, bare: Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    """A job in all layers next to what is compared with, made by turns.

    A bare fork is the cheapest way to run a program nobody has seen in an interpreter that is warm: a process with the
    keeper's modules loaded forks, the fork compiles and executes the program, writes its value as JSON to a pipe and
    ends by ``_exit``, and the process reads the value and reaps it. The ratios are to its time by the clock and to its
    processor time, of all processes that take part; jobs one at a time are what it is compared with like for like.
    """
    for warm in (sandbox, bare):
        confined(warm, 1)
    ways: dict[str, Callable[[], tuple[float, float]]] = {
        "bare fork": lambda: forked(PRELOADED),
        "the same, small, compiled": lambda: forked(()),
        "fork of the keeper, no layer": lambda: confined(bare, 1),
        "all layers, one at a time": lambda: confined(sandbox, 1),
        "all layers, four at a time": lambda: confined(sandbox, 4),
    }
    rounds = [{name: way() for name, way in ways.items()} for _ in range(ROUNDS)]
    with capsys.disabled():
        print(f"\n{sandbox.tier}, medians of {ROUNDS} rounds of {JOBS} jobs; in brackets, times a bare fork")
        for name in ways:
            wall, cpu = (statistics.median(row[name][m] for row in rounds) for m in (0, 1))
            slower, dearer = (statistics.median(row[name][m] / row["bare fork"][m] for row in rounds) for m in (0, 1))
            print(f"{name:28} {1000 / wall:4.0f} a second ({slower:.1f}), {cpu:.1f} ms of processor ({dearer:.1f})")


def test_all_of_cruxeval(sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
    folder = os.environ.get("CODEREASON_DATA")
    if not folder:
        pytest.skip("CODEREASON_DATA is not set")
    rows = [json.loads(line) for line in Path(folder, "cruxeval.jsonl").read_text().splitlines()]
    python = language("python")
    started = time.perf_counter()
    runs = [Run.from_source(language="python", source=row["code"], call=f"f({row['input']})") for row in rows]
    executions = list(sandbox.run_all(runs))
    took = time.perf_counter() - started
    right = [
        e.returned and python.values.equal(e.value, python.values.read(row["output"]).value)
        for e, row in zip(executions, rows, strict=True)
    ]
    with capsys.disabled():
        print(f"\n{sandbox.tier}: {sum(right)} of {len(right)} equal in {took:.1f} s")
    assert all(right)


def test_encoding(capsys: pytest.CaptureFixture[str]) -> None:
    from pytest_codereason.languages.python import harness

    value = {n: [(n, str(n), 1.5)] for n in range(10_000)}
    started = time.perf_counter()
    line = harness.encode(value)
    between = time.perf_counter()
    assert values.decode(json.loads(line)) == value
    end = time.perf_counter()
    with capsys.disabled():
        print(f"\n{len(line) / 1e6:.1f} MB: written in {between - started:.2f} s, read in {end - between:.2f} s")
