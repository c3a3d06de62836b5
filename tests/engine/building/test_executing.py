"""Programs on their way to the sandbox: each is run once, unless what it did may not happen again."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.engine.building import executing
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.errors import SandboxError
from pytest_codereason.sandbox import Mode

PRINTS = Run.from_source(language="python", source="print(1)\n")
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_limit_on_processor_time_is_remembered(executor: Executor) -> None:
    endless = Run.from_source(
        language="python",
        source="def f():\n    while True: pass\n",
        call="f()",
        limits=Limits(cpu_s=1, wall_s=60.0),
    )
    first, _, third = run_twice(executor, [endless] * 3)
    assert first.limit == "cpu"
    assert third is first


def test_only_so_many_are_remembered(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executing, "MOST_REMEMBERED", 2)
    first, second, third = (Run.from_source(language="python", source=TICKS, call=f"f({n})") for n in range(10, 13))
    executions = run_twice(executor, [first, first, second, third, second, first])
    assert executions[1] is executions[0]
    assert executions[4] is executions[2]
    assert executions[5].value[1] != executions[0].value[1], "the third took the place of the first"


def test_an_optional_run_may_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # no node
    pool = Executor("auto")
    run = Run.from_source(language="javascript", source="1;")
    with pytest.raises(SandboxError, match="node"):
        asyncio.run(pool.run(run))
    execution = asyncio.run(pool.run(replace(run, optional=True)))
    assert (execution.ending, "node" in execution.message) == ("tampered", True)
    (missing,) = pool.find_missing(["javascript", "python"])
    assert missing.startswith("JavaScript: ")
    assert "node" in missing
    assert pool.list_versions() == {}, "Python was asked alone, and it is that of pytest"
    pool.close()


@pytest.mark.parametrize(("mode", "said"), [("auto", "the sandbox does not start: "), ("off", "the sandbox fails: ")])
def test_a_sandbox_without_a_folder_is_no_fault_of_a_program(
    mode: Mode, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
    pool = Executor(mode)
    with pytest.raises(SandboxError, match=f"^{said}.*No such file"):
        pool.execute(PRINTS)
    pool.close()


def test_nothing_is_run_after_the_end() -> None:
    opened, idle = Executor("auto"), Executor("auto")
    assert opened.execute(PRINTS).returned
    for pool in (opened, idle):
        pool.close()
        for run in (PRINTS, replace(PRINTS, optional=True)):
            with pytest.raises(SandboxError, match="the run is ending"):
                asyncio.run(pool.run(run))


def test_a_program_that_does_not_parse_was_run_in_vain(executor: Executor) -> None:
    execution = executor.execute(Run.from_source(language="php", source="<?php f(;"))
    assert (execution.ending, execution.tier) == ("rejected", executor.tier)
    assert execution.message
    assert executor.execute(Run.from_source(language="php", source="<?php echo 1;")).returned
    assert list(executor.list_versions()) == ["php"]
