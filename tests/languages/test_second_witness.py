"""The second witness: which functions are entered, as the runtime itself counts them. It agrees with the first."""

from __future__ import annotations

import pytest

from pytest_codereason.core.language.tracing import Trace
from pytest_codereason.sandbox import Sandbox
from tests.examples import take_every
from tests.languages.called import Calls, read_calls, run_program
from tests.languages.forging import AROUND, read_attacks

CALLS: dict[str, Calls] = {
    "python": read_calls("python"),
    "javascript": read_calls("javascript"),
    "java": read_calls("java", "Main:main(java.lang.String[])", "Main:"),
}
PROGRAMS = [(language, name) for language, calls in CALLS.items() for name in calls]


@pytest.mark.slow
@pytest.mark.parametrize(("language", "name"), PROGRAMS[:: take_every(2)])
def test_every_callee_was_entered(language: str, name: str, sandbox: Sandbox) -> None:
    """The tests of the tracers have the first witness see the same edges."""
    source, edges = CALLS[language][name]
    second = run_program(language, sandbox, source, "entered")
    assert second.trace is not None, second.words
    assert Trace(edges).contradicts(second.trace) == []


@pytest.mark.slow
@pytest.mark.parametrize(("language", "name"), PROGRAMS[:: take_every(10)])
def test_a_program_ends_alike_before_both_witnesses(language: str, name: str, sandbox: Sandbox) -> None:
    source, _ = CALLS[language][name]
    first, second = (run_program(language, sandbox, source, witnessed) for witnessed in ("calls", "entered"))
    assert (second.ending, second.error, second.stdout) == (first.ending, first.error, first.stdout)


@pytest.mark.parametrize("language", [name for name in AROUND if name != "php"])  # PHP has one way to see calls
def test_a_planted_edge_is_contradicted(language: str, sandbox: Sandbox) -> None:
    second = run_program(language, sandbox, AROUND[language].replace("{attack}", ""), "entered").trace
    assert second is not None
    assert second.entered is not None
    a, b = ("Main:a()", "Main:b()") if language == "java" else ("main.a", "main.b")
    assert a in second.entered
    assert Trace({a: [a, b]}).contradicts(second) == [(a, b)]


@pytest.mark.slow
@pytest.mark.parametrize(("language", "name", "attack"), read_attacks()[1 :: take_every(3)])
def test_a_program_cannot_write_what_the_second_witness_says(
    language: str, name: str, attack: str, sandbox: Sandbox
) -> None:
    execution = run_program(language, sandbox, AROUND[language].replace("{attack}", attack), "entered")
    entered = (execution.trace.entered if execution.trace else None) or frozenset()
    assert not entered & {"main.b", "Main:b()"}
