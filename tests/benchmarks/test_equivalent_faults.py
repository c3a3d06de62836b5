"""Whether faults that a suite plants are equivalent: each is run on 1,000 inputs beside the correct program.

Takes programs of CRUXEval-X in a drawn order, and of each the first fault of a drawn kind that the rule plants. The
inputs are made from those of the program, slip by slip, anew: the rule that chose the fault has not seen them. Counts
only inputs for which the correct program gives a value. Prints for how many of the 1,000 the faulty program ends in
another way, and fails if that is none.

    CODEREASON_FAULTS=50 pytest tests/benchmarks/test_equivalent_faults.py -m benchmark -s    # 50 faults a language
    CODEREASON_FAULTS_SEED=2027 ...                                                           # others
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.perturbations._wrong_values import draw_slip, list_wrong_values
from pytest_codereason.core import Language, Program, Source, TextRequest, derive_seed
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.planting import ChosenFault, WantedFault, plant
from pytest_codereason.engine.building.authoring import write_by_rule
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.errors import NotALiteral, Skip
from pytest_codereason.programs.sources.cruxeval_x import CruxEvalX
from pytest_codereason.sandbox import Sandbox
from tests.benchmarks.extent import limit
from tests.changes.faults.programs import OPERATORS

pytestmark = pytest.mark.benchmark

SAMPLE = int(os.environ.get("CODEREASON_FAULTS", "2"))
SEED = int(os.environ.get("CODEREASON_FAULTS_SEED", "2026"))
INPUTS = limit(1_000, 20)
LIMITS = Limits(cpu_s=2, wall_s=30)
#: Calls in one run. Several values of one run are written as a list.
AT_ONCE = 100
LISTS = {"java": "java.util.Arrays.asList({})"}
#: After so many slips that give nothing new, there are no more inputs.
MOST_STALE = 200
#: A program for which more of its inputs give no value is left out.
MOST_USELESS = 0.3


def draw_programs(language: str) -> Iterator[tuple[str, Program]]:
    source = registry.find(Source, "cruxeval-x").create({}, seed=0)
    names = list(source.names(language))
    for name in random.Random(f"{SEED}/{language}").sample(names, len(names)):
        yield name, source.program(language, name, {})


def draw_calls(lang: Language, program: Program) -> Iterator[str]:
    """Calls with ever other arguments of the same types, which drift away from those of the program's own call."""
    function, text = program.call.partition("(")[0], program.facts["input"]
    draws, seen, stale = Draws(derive_seed(SEED, "inputs", program.sha)), {text}, 0
    try:
        known: list[Any] = [lang.values.read(f"[{text}]").value]
    except NotALiteral:
        known = [text]
    while stale < MOST_STALE:
        arguments = slip(lang, draws.choice(known[-200:]), draws)
        try:
            written = arguments if isinstance(arguments, str) else ", ".join(map(lang.values.write, arguments))
        except (TypeError, ValueError):  # such as a dictionary whose keys became lists
            written = text
        stale = stale + 1 if written in seen else 0
        if not stale:
            seen.add(written)
            known.append(arguments)
            yield f"{function}({written})"


def slip(lang: Language, arguments: Any, draws: Draws) -> Any:
    """Arguments with a slip in one of them; in one literal of their text where they are no values."""
    if not isinstance(arguments, str):
        place = draws.below(len(arguments))
        return [draw_slip(value, draws) if at == place else value for at, value in enumerate(arguments)]
    if tokens := list(lang.dialect.literal.finditer(arguments)):
        token = draws.choice(tokens)
        with suppress(NotALiteral):
            for wrong in list_wrong_values(lang, lang.values.read(token[0]).value, draws, 1):
                return f"{arguments[: token.start()]}{lang.values.write(wrong)}{arguments[token.end() :]}"
    return arguments


def run_calls(sandbox: Sandbox, program: Program, calls: list[str]) -> Execution:
    listed = LISTS.get(program.language, "[{}]").format(", ".join(calls))
    return sandbox.run(Run.from_program(program, call=listed, limits=LIMITS))


def find_values(sandbox: Sandbox, program: Program, calls: list[str]) -> list[tuple[str, object]]:
    """The calls that give a value, and the values. Calls among which one does not end are left out together."""
    execution = run_calls(sandbox, program, calls)
    if execution.returned:
        return list(zip(calls, execution.value, strict=True))
    if len(calls) == 1 or execution.ending == "limit":
        return []
    half = len(calls) // 2
    return find_values(sandbox, program, calls[:half]) + find_values(sandbox, program, calls[half:])


def find_inputs(sandbox: Sandbox, lang: Language, program: Program) -> list[list[tuple[str, object]]]:
    """1,000 calls with their values, in groups; fewer if there are no more, or too many give no value."""
    groups: list[list[tuple[str, object]]] = []
    calls, tried, useful = draw_calls(lang, program), 0, 0
    while useful < INPUTS:
        group = [call for call, _ in zip(calls, range(min(AT_ONCE, INPUTS - useful)), strict=False)]
        values = find_values(sandbox, program, group) if group else []
        tried, useful = tried + len(group), useful + len(values)
        if not group or useful < (1 - MOST_USELESS) * tried:
            break
        groups.append(values)
    return groups


def count_differences(sandbox: Sandbox, lang: Language, faulty: Program, groups: list[list[tuple[str, object]]]) -> int:
    """For how many calls the faulty program ends in another way; a group that it does not end counts as one."""
    differences = 0
    for group in groups:
        execution = run_calls(sandbox, faulty, [call for call, _ in group])
        if execution.returned:
            pairs = zip(group, execution.value, strict=True)
            differences += sum(not lang.values.equal(value, other) for (_, value), other in pairs)
        else:
            differences += 1
    return differences


def choose_fault(name: str, program: Program, executor: Executor) -> tuple[str, Program] | None:
    """A kind of fault and the faulty program, as a suite would plant it."""
    for operator in random.Random(f"{SEED}/{name}").sample(OPERATORS, len(OPERATORS)):
        request = TextRequest("fault", program, WantedFault(operator).of, place="fault")
        try:
            text = asyncio.run(write_by_rule(request, executor.run))
        except Skip:
            continue
        return operator, plant(program, ChosenFault.read(text.value))
    return None


@pytest.mark.skipif("CODEREASON_DATA" not in os.environ, reason="needs CRUXEval-X: set CODEREASON_DATA")
@pytest.mark.parametrize("language", CruxEvalX.languages)
def test_no_planted_fault_is_equivalent(language: str, sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
    lang = registry.language(language)
    executor = Executor("auto")
    counts: dict[str, int] = {}
    left_out = 0
    for name, program in draw_programs(language):
        if len(counts) == SAMPLE:
            break
        groups = find_inputs(sandbox, lang, program)
        if sum(map(len, groups)) < INPUTS or not (fault := choose_fault(name, program, executor)):
            left_out += 1
            continue
        operator, faulty = fault
        counts[name] = count_differences(sandbox, lang, faulty, groups)
        with capsys.disabled():
            print(f"\n{len(counts)} {name} {operator}: {counts[name]:,}", end="", flush=True)
    executor.close()
    shares = sorted(counts.values())
    with capsys.disabled():
        print(
            f"\n{language}: {len(counts)} faults on {INPUTS:,} inputs each: {shares.count(0)} differ on none; "
            f"fewest {shares[:5]}, median {statistics.median(shares):,}; {left_out} programs left out"
        )
    assert not shares.count(0)
