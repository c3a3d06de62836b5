"""Programs on their way to the sandbox: each is run once, unless what it did may not happen again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.engine.building import executing
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.errors import SandboxError

TICKS = "import time\ndef f(n):\n    return [n, time.monotonic_ns()]\n"


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    pool = Executor("auto")
    yield pool
    pool.close()


def run_twice(executor: Executor, runs: Sequence[Run]) -> list[Execution]:
    async def main() -> list[Execution]:
        together = await asyncio.gather(*(executor.run(run) for run in runs[:2]))
        return [*together, *[await executor.run(run) for run in runs[2:]]]

    return asyncio.run(main())


def test_a_program_is_run_once_whoever_asks(executor: Executor) -> None:
    same = [Run.from_source(language="python", source=TICKS, call="f(1)") for _ in range(4)]
    other = Run.from_source(language="python", source=TICKS, call="f(2)")
    values = [execution.value for execution in run_twice(executor, [*same, other])]
    assert values[0][0] == 1
    assert values[1:4] == [values[0]] * 3
    assert values[4][0] == 2


def test_an_exception_is_remembered_and_a_limit_is_not(executor: Executor) -> None:
    fails = Run.from_source(language="python", source="def f():\n    raise ValueError(id(f))\n", call="f()")
    first, second, third = run_twice(executor, [fails] * 3)
    assert first.error == "ValueError"
    assert second is first
    assert third is first
    endless = Run.from_source(
        language="python", source="def f():\n    while True: pass\n", call="f()", limits=Limits(wall_s=0.2)
    )
    first, _, third = run_twice(executor, [endless] * 3)
    assert first.limit == "time"
    assert third is not first


def test_only_so_many_are_remembered(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executing, "MOST_REMEMBERED", 2)
    first, *others = (Run.from_source(language="python", source=TICKS, call=f"f({n})") for n in range(10, 14))
    executions = run_twice(executor, [first, first, *others, first])
    assert executions[1] is executions[0]
    assert executions[-1].value[1] != executions[0].value[1]


def test_an_optional_run_may_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # no node
    pool = Executor("auto")
    run = Run.from_source(language="javascript", source="1;")
    with pytest.raises(SandboxError, match="node"):
        asyncio.run(pool.run(run))
    execution = asyncio.run(pool.run(replace(run, optional=True)))
    assert (execution.ending, "node" in execution.message) == ("tampered", True)
    pool.close()
