"""Finds the moment that a question asks about: runs the program under trace, and draws.

The program is run once as it is, and under trace with two orders of sets. So a program that a trace changes, or that
differs from run to run, is left out.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from pytest_codereason.core import Ask, Completion, Instance, Language, derive_seed, run_program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.language.moments import Moments
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip
from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate
from pytest_codereason.questions.moments.drawing import draw_candidate
from pytest_codereason.questions.moments.probing import choose_probes
from pytest_codereason.questions.moments.witnessed import WitnessedRun

Finding = Generator[Ask | Run, Completion | Execution, tuple[WitnessedRun, MomentCandidate]]
#: A part of the seed: raised to draw other moments of all kinds. The version of the task says when any kind changes.
VERSION = 3


def find_moment(instance: Instance, lang: Language, kind: Kind) -> Finding:
    """The run of the program that is shown, and a moment of it.

    Raises:
        Skip: the program cannot be traced, or its run has no such moment.
    """
    seed = derive_seed(instance.seed, "moment", VERSION, kind.name, instance.language, instance.family)
    run = yield from witness_run(instance, lang)
    if kind.looks:
        traced = replace(Run.from_program(instance.program), witnessed="moments")
        probes = choose_probes(run, Draws(derive_seed(seed, "probes")))
        looked = yield from run_program(replace(traced, probes=probes))
        again = yield from run_program(replace(traced, probes=probes, attempt=1))
        seen = take_moments(looked)
        if not seen.runs_like(run.moments) or not seen.sees_like(take_moments(again)):
            raise Skip("the program holds other values from run to run")
        run = WitnessedRun(lang, instance.program, looked, seen, probes)
    return run, draw_candidate(kind, run, Draws(derive_seed(seed, "moment")))


def witness_run(instance: Instance, lang: Language) -> Generator[Ask | Run, Completion | Execution, WitnessedRun]:
    """The run of the program that is shown, without what its variables hold.

    Raises:
        Skip: the program cannot be traced.
    """
    if not lang.tracer.has_moments:
        raise Skip(f"the tracer of {lang.title} witnesses no moments")
    plain = Run.from_program(instance.program)
    traced = replace(plain, witnessed="moments")
    first = yield from run_program(traced)
    moments = take_moments(first)
    second = yield from run_program(replace(traced, attempt=1))
    if not moments.runs_like(take_moments(second)):
        raise Skip("the program runs other lines from run to run")
    ended = yield from run_program(plain)
    if not first.ends_as(ended, lang.values.equal):
        raise Skip("the program does something else under trace")
    return WitnessedRun(lang, instance.program, first, moments)


def take_moments(execution: Execution) -> Moments:
    """The moments of a run.

    Raises:
        Skip: there are none, or not all.
    """
    moments = execution.trace.moments if execution.trace else None
    if execution.ending not in ("returned", "raised") or moments is None:
        raise Skip(f"the run of the program cannot be traced: it {execution.words}")
    if not moments.whole:
        raise Skip("the program runs too many lines, or several threads")
    return moments
