"""What building a question takes whose answer rests on runs: seconds, processor time, runs in the sandbox.

Questions are built as a run builds them, one after the other, in the order of their suite. Skipped ones count as well.
Prints figures and never fails on one.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path

import pytest

from pytest_codereason.core import Ask, Spec
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.building.builder import Builder
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.running import OwnLoop
from pytest_codereason.engine.sharing.selection import select
from pytest_codereason.engine.task_steps import follow_steps
from pytest_codereason.errors import Skip
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite
from tests.benchmarks.extent import limit

pytestmark = pytest.mark.benchmark

SUITES = Path(__file__).parents[2] / "suites"
#: Suites, and how many of their questions are built.
BUILT = {
    "equivalence": 40,
    "equivalence-js": 30,
    "equivalence-languages": 30,
    "moment": 120,
    "moment-cruxeval": 120,
    "moment-inverse": 60,
}


class CountingExecutor:
    """Runs programs as a run does, and counts those that the sandbox ran."""

    def __init__(self) -> None:
        self._executor = Executor("auto")
        self._seen = set[Run]()
        self.counts: Counter[str] = Counter()

    async def run(self, run: Run) -> Execution:
        self.counts["wanted"] += 1
        self.counts["different"] += run not in self._seen
        self._seen.add(run)
        return await self._executor.run(run)

    def close(self) -> None:
        self._executor.close()


async def build(builder: Builder, executor: CountingExecutor, suite: Suite, spec: Spec) -> Ask:
    """The question as it is asked first, after all programs that are run before."""
    instance = (await builder.build(suite, spec)).instance
    steps = follow_steps(suite.task, instance)
    step = next(steps)
    while isinstance(step, Run):
        step = steps.send(await executor.run(step))
    assert isinstance(step, Ask)
    return step


@pytest.mark.parametrize("name", BUILT)
def test_what_building_takes(name: str) -> None:
    suite, executor = load(SUITES / f"{name}.suite.toml"), CountingExecutor()
    builder, asked, began = Builder(executor.run), Counter[str](), os.times()
    start = time.perf_counter()
    with OwnLoop() as loop:
        for spec in select(suite, limit=limit(BUILT[name], 4)):
            try:
                loop.run(build(builder, executor, suite, spec))
                asked["asked"] += 1
            except Skip:
                asked["skipped"] += 1
        seconds = time.perf_counter() - start
        executor.close()
    ended = os.times()
    own = ended.user + ended.system - began.user - began.system
    programs = ended.children_user + ended.children_system - began.children_user - began.children_system
    many, runs = asked.total(), executor.counts
    print(
        f"\n{name}: {many} questions, {asked['asked']} asked; {seconds / many:.2f} s a question, {own / many:.2f} s of "
        f"processor time here and {programs / many:.2f} s in the sandbox; {runs['different'] / many:.1f} runs "
        f"({runs['wanted'] / many:.1f} wanted); {(own + programs) / max(1, asked['asked']):.2f} s of processor time "
        "for each that is asked"
    )
