"""Jobs a second of JavaScript, PHP and Java in the sandbox, next to their bare interpreters, in the same run."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest

from pytest_codereason.core.execution import Run
from pytest_codereason.sandbox import Sandbox, open_sandbox
from tests.benchmarks.extent import limit

pytestmark = pytest.mark.benchmark

JOBS, ROUNDS = limit(40, 10), limit(3, 1)
JAVA = "class P {{ static int[] f(int x) {{ return new int[]{{x, {number}}}; }} }}"
PROGRAMS = {
    "javascript": "function f(x) {{ return [x, {number}]; }}",
    "php": "function f($x) {{ return [$x, {number}]; }}",
    "java": JAVA,
}
#: The least that the interpreter can be asked to do.
BARE = {
    "javascript": ["node", "-e", "0"],
    "php": ["php", "-n", "-r", "0;"],
    "java": ["java", "-Xshare:auto", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--version"],
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox() as opened:
        yield opened


def _a_second(job: Callable[[], object]) -> float:
    started = time.perf_counter()
    job()
    return JOBS / (time.perf_counter() - started)


@pytest.mark.parametrize("language", PROGRAMS)
def test_jobs_a_second(language: str, sandbox: Sandbox) -> None:
    """Figures by median over rounds that take turns, so that a noisy machine disturbs both alike."""

    def bare() -> None:
        for _ in range(JOBS):
            subprocess.run(BARE[language], capture_output=True, check=True)

    def programs(start: int) -> list[Run]:
        numbers = range(start, start + JOBS)
        return [
            Run.from_source(language=language, source=PROGRAMS[language].format(number=n), call="f(81)")
            for n in numbers
        ]

    def jobs(start: int, workers: int) -> None:
        executions = list(sandbox.run_all(programs(start), workers))
        assert [execution.value for execution in executions] == [[81, n] for n in range(start, start + JOBS)]

    jobs(0, 2)  # warms the keeper, and the compiler
    cpus = len(os.sched_getaffinity(0))
    figures = [
        (_a_second(bare), _a_second(lambda: jobs(JOBS, 1)), _a_second(lambda: jobs(2 * JOBS, cpus)))
        for _ in range(ROUNDS)
    ]
    start, one, all_ = (statistics.median(column) for column in zip(*figures, strict=True))
    print(
        f"\n{language} [{sandbox.tier}]: bare interpreter {start:.1f} a second, one worker {one:.1f}"
        f" (ratio {one / start:.2f}), {cpus} workers {all_:.1f}"
    )
