"""How many changes of programs are refuted by running them: by the entry call, and by further calls.

CRUXEval and CRUXEval-X have calls. The shipped programs are scripts, whose check is one run that prints.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Instance, Perturbation, Program, Source
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.building.fact_checking import Checked, FactChecker
from pytest_codereason.errors import SandboxError, Skip
from pytest_codereason.questions.templates.loading import load
from tests.benchmarks.extent import limit
from tests.changes.perturbations.data_sets import data

pytestmark = pytest.mark.benchmark

NAMES = registry.list_shipped(Perturbation)
LANGUAGES = ("python", "javascript", "php", "java")
AT_ONCE = 8


def list_programs(source: str, language: str, count: int, *, drawn: bool) -> list[Program]:
    """The first programs of a source, or as many that are drawn from all of them."""
    if source != "corpus":  # skipped without the data
        data("cruxeval-x" if language != "python" else "cruxeval.jsonl")
    programs = registry.find(Source, source).create({}, seed=0)
    names = list(programs.names(language))
    if drawn:
        turns = random.Random(language)
        names.sort(key=lambda _: turns.random())
    return [programs.program(language, name, {}) for name in names[:count]]


def make_instance(program: Program, changed: Program) -> Instance:
    return Instance(
        id="x",
        family="x",
        suite="x",
        program=changed,
        reference=program,
        verify=True,
        axes={},
        matrix={},
        template=load("output-prediction", "direct"),
        asks="output",
    )


async def check_all(pairs: Sequence[tuple[Program, Program]], facts: FactChecker) -> list[Checked | str]:
    """How each change was checked, or why it was refuted."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def check(program: Program, changed: Program) -> Checked | str:
        async with turns:
            try:
                return await facts.check_perturbed(make_instance(program, changed))
            except (Skip, SandboxError) as refuted:
                return str(refuted)

    return list(await asyncio.gather(*(check(*pair) for pair in pairs)))


async def run_all(programs: Sequence[Program], executor: Executor) -> list[Program]:
    """The programs that return or print something, with their outputs."""
    ends: list[Execution] = list(await asyncio.gather(*(executor.run(Run.from_program(p)) for p in programs)))
    return [
        replace(program, facts=program.facts.replace(output=end.read_output(program)))
        for program, end in zip(programs, ends, strict=True)
        if end.returned
    ]


@pytest.mark.parametrize("source", ["cruxeval-x", "corpus"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_refuted_changes(source: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = language == "java" and source != "corpus"
    count = limit(60 if source == "corpus" else 200, 3)
    rows, took, total = [], 0.0, 0

    async def measure() -> None:
        nonlocal took, total
        executor = Executor("auto")
        facts = FactChecker(executor.run)
        try:
            programs = await run_all(list_programs(source, language, count, drawn=drawn), executor)
            for name in NAMES:
                pairs = []
                for number, program in enumerate(programs):
                    try:
                        pairs.append((program, perturb(program, parse(name), 0, str(number), "output")))
                    except Skip:
                        continue
                start = time.perf_counter()
                checked = await check_all(pairs, facts)
                took += time.perf_counter() - start
                total += len(checked)
                reasons = Counter(
                    "further" if " for " in why and why.endswith("does not") else "own"
                    for why in checked
                    if isinstance(why, str)
                )
                calls = [each.calls for each in checked if isinstance(each, Checked)]
                rows.append((name, len(checked), reasons["own"], reasons["further"], sum(calls) / max(1, len(calls))))
                with capsys.disabled():
                    for why in checked:
                        if isinstance(why, str):
                            print(f"  {name}: {why[:160]}")
        finally:
            executor.close()

    asyncio.run(measure())
    with capsys.disabled():
        print(f"\n{source}, {language}: {total / took:.1f} changed programs checked in a second")
        for name, changed, own, further, calls in rows:
            print(f"  {name}: {changed}, refuted {own} by the call, {further} by further, {calls:.1f} calls each")
    assert sum(row[1] for row in rows)
