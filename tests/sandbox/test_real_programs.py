# ruff: noqa: E501 - a program stands on one line
"""Programs that somebody else wrote, each against its own test, and generated ones against what is known of them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.programs.sources import semtrace
from pytest_codereason.sandbox import Sandbox
from tests.examples import take_every
from tests.sandbox.known_failures import BY_CHANCE, FAILING, LANGUAGES
from tests.sandbox.scripts import list_failing

#: Each so many-th program is tried, and all that are known to fail.
EVERY = take_every(4)
#: Of so many of these one has an interpreter for itself, as have those that fail; the others share some.
ALONE = {"js": 8, "java": 20, "php": 1}


@pytest.mark.slow
@pytest.mark.parametrize("short", LANGUAGES)
def test_programs_of_cruxeval_x_against_their_own_test(short: str, sandbox: Sandbox) -> None:
    path = Path(os.environ.get("CODEREASON_DATA", ""), "cruxeval-x", f"{short}.json")
    if "CODEREASON_DATA" not in os.environ or not path.exists():
        pytest.skip(f"CODEREASON_DATA names no folder with cruxeval-x/{short}.json")
    programs = {
        row["id"]: Program.from_source(language=LANGUAGES[short], source=row["code"], call="")
        for row in json.loads(path.read_text())
        if row.get("code")
    }
    for number in BY_CHANCE.get(short, ()):
        programs.pop(number)
    tried = [number for place, number in enumerate(programs) if place % EVERY == 0 or number in FAILING[short]]
    alone = [number for place, number in enumerate(tried) if place % ALONE[short] == 0 or number in FAILING[short]]
    # The last statement calls the test: without it, nothing would ever fail.
    executions = sandbox.run_all(Run.from_program(programs[number]) for number in alone)
    failing = {
        number: execution.ending for number, execution in zip(alone, executions, strict=True) if not execution.returned
    }
    assert failing == FAILING[short]
    others = {number: programs[number] for number in tried if number not in alone}
    assert not list_failing(others, sandbox)


BROKEN = {
    "javascript": "const assert = require('node:assert'); assert.deepEqual([1], [2]);",
    "php": "function test() { if ([1] !== [2]) { throw new Exception('Test failed!'); } } test();",
    "java": "class Problem { public static void main(String[] a) { assert(java.util.List.of(1).equals(java.util.List.of(2))); } }",
}


@pytest.mark.slow
@pytest.mark.parametrize("language", BROKEN)
def test_a_failing_test_is_heard(language: str, sandbox: Sandbox) -> None:
    execution: Execution = sandbox.run(Run.from_source(language=language, source=BROKEN[language]))
    assert execution.ending == "raised"


@pytest.mark.parametrize(
    ("language", "count"),
    [
        *(("javascript", 3), ("php", 3)),
        *(pytest.param(name, 40, marks=pytest.mark.slow) for name in ("javascript", "php")),
    ],
)
def test_generated_programs_return_what_is_known(language: str, count: int, sandbox: Sandbox) -> None:
    specs = [semtrace.draw(seed, 2 + seed % 5) for seed in range(count)]
    runs = [
        Run.from_source(language=language, source=semtrace.render(spec, language), call=f"f({spec.x})")
        for spec in specs
    ]
    assert [execution.value for execution in sandbox.run_all(runs)] == [semtrace.output(spec) for spec in specs]
