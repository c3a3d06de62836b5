"""Runs of small programs under trace, for tests of what can be asked about them."""

from __future__ import annotations

from dataclasses import replace

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate
from pytest_codereason.questions.moments.drawing import list_fair
from pytest_codereason.questions.moments.inverse.trying import TriedCalls, try_calls
from pytest_codereason.questions.moments.probing import choose_probes
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.questions.stepping import take_steps

PYTHON = language("python")


def watch(sandbox: Sandbox, source: str, call: str = "", spoken: str = "python") -> WitnessedRun:
    """A program with its moments, and all that its variables hold."""
    return watch_program(sandbox, Program.from_source(language=spoken, source=source, call=call))


def watch_program(sandbox: Sandbox, program: Program) -> WitnessedRun:
    """The same of any program."""
    lang = language(program.language)
    run = replace(Run.from_program(program), witnessed="moments")
    first = sandbox.run(run)
    assert first.trace is not None, first.words
    assert first.trace.moments is not None
    probes = choose_probes(WitnessedRun(lang, program, first, first.trace.moments), Draws(0))
    second = sandbox.run(replace(run, probes=probes))
    assert second.trace is not None
    assert second.trace.moments is not None
    return WitnessedRun(lang, program, second, second.trace.moments, probes)


def ask(kind: Kind, run: WitnessedRun, line: int = 0, name: str = "") -> list[MomentCandidate]:
    """The fair moments of a kind, at one line and of one variable where they are given."""
    fair = list_fair(kind, run)
    return [each for each in fair if line in (0, each.place.line) and (not name or name in each.names)]


def try_all(sandbox: Sandbox, run: WitnessedRun) -> TriedCalls:
    """All calls of its program that are tried."""
    return take_steps(try_calls(run), sandbox)
