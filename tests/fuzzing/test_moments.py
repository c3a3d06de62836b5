"""A search asks about moments of a run, and finds the smallest program and step that a model gets wrong."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Program
from tests.fuzzing.conftest import HEAD, Fuzzed

MOMENTS = """
@settings(max_examples={examples})
@given(program=programs(["python"], rounds=(4, 9)))
def test_moments(program, codereason):
    answer = codereason.ask(program, task="moment", about="value")
    assert answer.correct, answer.words
"""

#: Questions of other tasks whose answers rest on runs.
OTHERS = ('twins", twin="fresh-input', 'meaning", meaning="swapped(rules=1)', 'equivalence", pair="different')


def search(fuzzed: Fuzzed, model: str, *args: str, examples: int = 40) -> pytest.RunResult:
    (fuzzed.path / "test_fuzz.py").write_text(HEAD + MOMENTS.format(examples=examples))
    return fuzzed.project.run(f"--model={model}", *args)


@pytest.mark.slow
def test_the_smallest_moment_is_found(fuzzed: Fuzzed) -> None:
    result = search(fuzzed, "baseline:chance")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "baseline:chance answers wrong: expected 3, got *",
            "    f(2)",
            "the question:",
            "    1 def f(n):",
            "    Line 3 is about to run for the 2nd time. What is the value of the variable n? *",
            "expected 3, got *",
        ]
    )
    found: Program = fuzzed.read_counterexample()["PROGRAM"]
    assert found.source.splitlines() == ["def f(n):", "    for i in range(4):", "        n += 1", "    return n"]
    again = fuzzed.project.run("--model=baseline:chance", str(fuzzed.read_counterexample()["path"]))
    assert again.ret == 1, "the same moment of the same program is asked about again"
    assert fuzzed.project.run("--model=baseline:truth", str(fuzzed.read_counterexample()["path"])).ret == 0


@pytest.mark.slow
def test_every_second_program_with_a_loop_has_a_moment(fuzzed: Fuzzed) -> None:
    result = search(fuzzed, "baseline:truth", examples=30)
    assert result.ret == 0
    [line] = [line for line in result.outlines if "no counterexample in" in line]
    asked = int(line.partition("no counterexample in ")[2].partition(" ")[0])
    passed_over = int(line.partition("passed over ")[2].partition(" ")[0])
    assert asked > 0.4 * (asked + passed_over)


@pytest.mark.slow
@pytest.mark.parametrize("asked", OTHERS, ids=lambda asked: asked.partition('"')[0])
def test_other_tasks_that_run_programs_are_searched_too(asked: str, fuzzed: Fuzzed) -> None:
    text = MOMENTS.format(examples=12).replace('moment", about="value', asked)
    (fuzzed.path / "test_fuzz.py").write_text(HEAD + text)
    result = fuzzed.project.run("--model=baseline:chance")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["baseline:chance answers wrong: expected *", "program:", "the question:"])
    found: Program = fuzzed.read_counterexample()["PROGRAM"]
    assert len(found.source.splitlines()) <= 8, "it is shrunk"
