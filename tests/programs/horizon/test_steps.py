"""The real interpreters run as many steps as the evaluator counts, and return what it returns."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pytest_codereason import registry
from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.programs.generation.evaluation import evaluate
from pytest_codereason.programs.horizon.drawing import Drawn
from pytest_codereason.programs.horizon.states import STATES
from pytest_codereason.sandbox import Sandbox
from tests.programs.horizon.drawn import draw_many, list_forms
from tests.programs.horizon.marking import find_step_lines

LANGUAGES = registry.list_printed_languages()
TRACED = [name for name in LANGUAGES if registry.language(name).has("tracer")]
LIMITS = Limits(wall_s=60, cpu_s=30)


def count_steps(drawn: Drawn) -> int:
    return evaluate(drawn.module, limit=10**9).steps


def check_executions(
    cases: Sequence[tuple[Drawn, int]], language: str, sandbox: Sandbox, *, traced: bool = True
) -> None:
    """Runs each program: its value, and where lines are traced its steps."""
    lang = registry.language(language)
    runs = [
        Run(
            language=language,
            files={"main": lang.printer.write_program(drawn.module)},
            entry="main",
            call=lang.printer.write_call(drawn.module),
            limits=LIMITS,
            witnessed="lines" if traced and lang.has("tracer") else "",
        )
        for drawn, _ in cases
    ]
    for (drawn, steps), execution in zip(cases, sandbox.run_all(runs), strict=True):
        source = lang.printer.write_program(drawn.module)
        assert execution.returned, (execution.words, source)
        assert lang.values.equal(execution.value, drawn.output), source
        if execution.trace is not None:
            (counts,) = execution.trace.lines.values()
            assert sum(counts.get(line, 0) for line in find_step_lines(drawn.module, lang.printer)) == steps, source


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_runs_the_steps_that_are_counted(language: str, sandbox: Sandbox) -> None:
    cases = [
        (draw_many(state, form, steps, 1, seed=1)[0], steps)
        for state in STATES
        for form in list_forms(state)
        for steps in ((0, 7, 96) if form == "unrolled" else (99,))  # three steps, and a loop of 24 rounds
    ]
    assert [count_steps(drawn) for drawn, _ in cases] == [steps for _, steps in cases]
    check_executions(cases, language, sandbox)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "language"), [*enumerate(LANGUAGES)])
def test_four_thousand_steps_run_in_every_language(first: int, language: str, sandbox: Sandbox) -> None:
    """Every other state in a language, the rest of them in the next one."""
    loops = [state for state in STATES if STATES[state].loops][first % 2 :: 2]
    check_executions([(draw_many(state, "looped", 4096, 1)[0], 4096) for state in loops], language, sandbox)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "language"), [*enumerate(LANGUAGES)])
def test_a_thousand_statements_run_in_every_language(first: int, language: str, sandbox: Sandbox) -> None:
    """Every other state in a language, without a trace: a method of Java may be too long for one."""
    most = {name: STATES[name].unrolled for name in [*STATES][first % 2 :: 2]}
    cases = [(draw_many(state, "unrolled", steps, 1)[0], steps) for state, steps in most.items()]
    check_executions(cases, language, sandbox, traced=False)


def test_all_languages_trace_lines() -> None:
    assert [*TRACED] == [*LANGUAGES]
