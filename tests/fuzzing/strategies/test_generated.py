"""Generated programs: what they return is known in every language, and they shrink to what shows the point."""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.language.pseudocode import (
    Augment,
    CountLoop,
    FunctionDefinition,
    Literal,
    Module,
    Name,
    Return,
)
from pytest_codereason.errors import UsageError
from pytest_codereason.programs.generation.evaluation import STEPS
from pytest_codereason.programs.generation.tidying import settle
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.strategies import programs
from tests.examples import examples

LANGUAGES = registry.list_printed_languages()
#: Without an explanation, which takes most of the time and is not shown.
SHRINK = (Phase.generate, Phase.shrink)


def draw_programs(count: int, language: str) -> list[Program]:
    sample: list[Program] = []

    @settings(max_examples=count, database=None, derandomize=True, phases=[Phase.generate], deadline=None)
    @given(programs([language]))
    def collect(program: Program) -> None:
        sample.append(program)

    collect()
    return list({program.sha: program for program in sample}.values())


def run_all(sample: list[Program], sandbox: Sandbox) -> list[str]:
    runs = [Run.from_program(program) for program in sample]
    return [
        f"{execution.words} {execution.value!r}, not {program.facts['output']!r}\n{program.source}\n{program.call}"
        for program, execution in zip(sample, sandbox.run_all(runs), strict=True)
        if not execution.returned
        or not registry.language(program.language).values.equal(execution.value, program.facts["output"])
    ]


def test_every_language_with_a_printer_can_be_drawn_the_simplest_first() -> None:
    assert LANGUAGES == ("python", "javascript", "java", "php", "typescript")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "count"), [("python", 60), ("javascript", 25), ("php", 25), ("java", 12), ("typescript", 25)]
)
def test_they_return_what_is_said_in_real_interpreters(language: str, count: int, sandbox: Sandbox) -> None:
    assert not run_all(draw_programs(count, language), sandbox)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_project_reads_them_and_their_layout_settles(language: str) -> None:
    speaker = registry.language(language)
    for program in draw_programs(10, language):
        speaker.syntax.parse(program.source, program.call)
        assert speaker.syntax.check(program.source) == "", program.source
        normal = speaker.syntax.normalise(program.source).text
        assert speaker.syntax.normalise(normal).text == normal


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_languages_agree_on_the_number_of_statements(data: st.DataObject) -> None:
    program = data.draw(programs(["python"], statements=(2, 5), features={"if", "for"}))
    function = ast.parse(program.source).body[-1]
    counted = [node for node in ast.walk(function) if isinstance(node, ast.stmt)][1:]
    assert 2 <= len(counted) <= 5
    assert not any(word in program.source for word in ("while", "else", "append", "'", "//", "%"))


def simplest(holds: Callable[[Program], bool], seed: int) -> tuple[Program, int]:
    """The smallest program of which something holds, and how many different ones shrinking took."""
    verdicts: dict[str, bool] = {}
    before: list[int] = []

    def check(program: Program) -> bool:
        if program.sha not in verdicts:
            verdicts[program.sha] = holds(program)
            if verdicts[program.sha]:
                before.append(len(verdicts))
        return verdicts[program.sha]

    quiet = settings(
        max_examples=2000,
        database=None,
        suppress_health_check=list(HealthCheck),
        deadline=None,
        phases=SHRINK,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        smallest = find(programs(["python"]), check, settings=quiet, random=Random(seed))
    return smallest, len(verdicts) - before[0]


class _WithoutElif(ast.NodeTransformer):
    def visit_If(self, node: ast.If) -> ast.If:
        self.generic_visit(node)
        while len(node.orelse) == 1 and isinstance(other := node.orelse[0], ast.If):
            node.orelse = other.orelse
        return node


def elif_matters(program: Program) -> bool:
    if "elif" not in program.source:
        return False
    blind = ast.unparse(_WithoutElif().visit(ast.parse(program.source)))
    scope: dict[str, object] = {}
    exec(blind, scope)
    try:
        return bool(eval(program.call, scope) != program.facts["output"])
    except (IndexError, ZeroDivisionError):
        return True


class _Sum(int):
    greatest = 0

    def __add__(self, other: object) -> _Sum:
        total = _Sum(int(self) + int(other))  # type: ignore[call-overload]
        _Sum.greatest = max(_Sum.greatest, total)
        return total


def sums_above_999(program: Program) -> bool:
    scope: dict[str, object] = {"Sum": _Sum}
    exec(program.source, scope)
    _Sum.greatest = 0
    tree = ast.parse(program.call, mode="eval")
    for place, node in enumerate(tree.body.args if isinstance(tree.body, ast.Call) else []):
        value = ast.literal_eval(node)
        if type(value) is int and isinstance(tree.body, ast.Call):
            tree.body.args[place] = ast.parse(f"Sum({value})", mode="eval").body
    try:
        eval(ast.unparse(tree), scope)
    except TypeError:
        return False
    return math.fabs(_Sum.greatest) > 999


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_an_elif_shrinks_to_one_chain(seed: int) -> None:
    program, tried = simplest(elif_matters, seed)
    function = ast.parse(program.source).body
    statements = [node for node in ast.walk(function[-1]) if isinstance(node, ast.stmt)][1:]
    assert len(function) == 1, program.source
    assert sum(isinstance(node, ast.If) for node in statements) == 2, program.source
    assert len(statements) <= 6, program.source
    assert tried < 250


@pytest.mark.slow
def test_a_sum_shrinks_to_a_few_additions() -> None:
    # Hypothesis also draws constants of the modules that are imported, so no single seed ends the same everywhere.
    ends = [simplest(sums_above_999, seed) for seed in range(3)]
    lines = sorted(len(program.source.splitlines()) for program, _ in ends)
    assert lines[0] == 2, lines
    assert lines[1] <= 4, lines
    assert lines[-1] <= 8, lines
    assert max(tried for _, tried in ends) < 500


@pytest.mark.slow
def test_the_simplest_is_a_return_in_the_first_language() -> None:
    program = find(programs(), lambda _: True, settings=settings(database=None, deadline=None, phases=SHRINK))
    assert (program.source, program.call) == ("def f(n):\n    return n\n", "f(0)")


@pytest.mark.parametrize(
    "settings",
    [{"features": {"goto"}}, {"languages": ["cobol"]}, {"languages": "python"}, {"statements": (3, 2)}],
)
def test_what_cannot_be_is_said(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        programs(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("rounds", range(STEPS // 2 - 3, STEPS // 2 + 2))
def test_what_follows_a_loop_that_takes_all_steps_stays(rounds: int) -> None:
    n, i = Name("n", "int"), Name("i", "int")
    one = Augment(n, "+", Literal(1))
    body = (CountLoop(i, Literal(rounds), (Augment(n, "+", i),)), one, one, one, Return(n))
    module, output = settle(Module((FunctionDefinition("f", (n,), "int", body),), (0,)))
    looped = sum(range(rounds)) if 1 + 2 * rounds <= STEPS else 0
    assert output == looped + 3
    assert len(module.functions[-1].body) == (4 if looped else 3)


@pytest.mark.slow
def test_a_program_may_have_a_loop_around_its_statements() -> None:
    looping = programs(["python"], rounds=(4, 9))

    @settings(max_examples=25, database=None, derandomize=True, phases=[Phase.generate], deadline=None)
    @given(looping)
    def check(program: Program) -> None:
        heads = [line for line in program.source.splitlines() if line.startswith("    for i in range(")]
        assert any(4 <= int(head.partition("range(")[2].partition(")")[0]) <= 9 for head in heads)

    check()
    few = settings(max_examples=20, database=None, derandomize=True, phases=SHRINK)
    smallest = find(looping, lambda program: True, settings=few)
    assert smallest.source == "def f(n):\n    for i in range(4):\n        n += 1\n    return n\n"


@pytest.mark.parametrize("arguments", [{"rounds": (0, 3)}, {"rounds": (5, 4)}, {"rounds": (4, 99)}])
def test_rounds_that_cannot_be_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="rounds="):
        programs(["python"], **arguments)
    with pytest.raises(UsageError, match="need statements="):
        programs(["python"], rounds=(4, 9), statements=(1, 2))
