"""Every fault shows what it does, and does what it shows."""

from __future__ import annotations

import pytest

from pytest_codereason import registry
from pytest_codereason.core import FaultOperator, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.faults import FaultExample
from pytest_codereason.sandbox import Sandbox
from tests.changes.faults.programs import LANGUAGES, OPERATORS, find_line, list_injections, plant

SHOWN: list[tuple[str, FaultExample]] = [
    (name, example) for name in OPERATORS for example in registry.find(FaultOperator, name).examples()
]
EXAMPLES = [pytest.param(name, example, id=f"{name}-{example.language}") for name, example in SHOWN]


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_an_example_is_among_the_injections(name: str, example: FaultExample) -> None:
    program = Program.from_source(language=example.language, source=example.before, call=example.call)
    lines = {plant(program, i).text: find_line(program, i) for i in list_injections(name, program)}
    assert lines[example.after] == example.line


@pytest.mark.slow
def test_examples_give_different_values(sandbox: Sandbox) -> None:
    runs = [
        Run.from_source(language=example.language, source=source, call=example.call)
        for _, example in SHOWN
        for source in (example.before, example.after)
    ]
    executions = list(sandbox.run_all(runs))
    for (name, example), before, after in zip(SHOWN, executions[::2], executions[1::2], strict=True):
        assert before.returned, (name, example.language, before.words)
        assert after.returned, (name, example.language, after.words)
        assert before.value != after.value, (name, example.language)


@pytest.mark.parametrize("name", OPERATORS)
def test_there_is_an_example_for_every_language(name: str) -> None:
    examples = registry.find(FaultOperator, name).examples()
    assert {example.language for example in examples} == {*LANGUAGES}
