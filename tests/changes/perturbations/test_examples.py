"""Every perturbation shows what it does, and does what it shows."""

from __future__ import annotations

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Facts, Language, Perturbation, Program
from pytest_codereason.core.doses import PerturbationExample
from pytest_codereason.core.execution import Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.sandbox import Sandbox
from tests.examples import mostly_slow

NAMES = registry.list_shipped(Perturbation)
EXAMPLES = [
    pytest.param(name, example, id=f"{name}-{example.language}")
    for name in NAMES
    for example in registry.find(Perturbation, name).examples()
]


@pytest.mark.parametrize(("name", "example"), mostly_slow(EXAMPLES, 3))
def test_an_example_is_what_comes_out_and_what_returns_the_same(
    name: str, example: PerturbationExample, sandbox: Sandbox
) -> None:
    values = registry.language(example.language).values
    output = values.read(example.output).value
    arguments = example.call[example.call.index("(") + 1 : -1]
    program = Program.from_source(
        language=example.language,
        source=example.before,
        call=example.call,
        facts=Facts(output=output, input=arguments),
    )
    variant = registry.find(Perturbation, name)().apply(program, Draws(example.seed), example.dose, "output")
    assert variant.source == example.after
    assert variant.call == example.call_after
    for source, call in ((example.before, example.call), (example.after, example.call_after)):
        execution = sandbox.run(Run.from_source(language=example.language, source=source, call=call))
        assert execution.returned, execution.words
        assert values.equal(execution.value, output)


@pytest.mark.parametrize("name", NAMES)
def test_there_is_an_example_for_every_language(name: str) -> None:
    examples = registry.find(Perturbation, name).examples()
    assert {example.language for example in examples} == {*registry.list_shipped(Language)}


@pytest.mark.parametrize("name", [name for name in NAMES if name != "vanilla"])
def test_an_example_shows_a_change(name: str) -> None:
    assert all(example.before != example.after for example in registry.find(Perturbation, name).examples())
