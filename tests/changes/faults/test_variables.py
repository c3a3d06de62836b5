"""Which variables a fault may name: those that the code there can read, whatever closures the program has."""

from __future__ import annotations

import subprocess

import pytest

from pytest_codereason.core import Program
from tests.changes.faults.programs import list_injections, plant

PHP = """\
<?php
function f($low, $high) {
    $step = 2;
    $span = $high - $low;
    $a = array_map(function ($n) use ($low) { $k = 3; $m = $n * $k; return $m - $low; }, [1, 2]);
    $b = array_map(fn($n) => $n - $step, [1, 2]);
    $c = 5;
    $d = array_map(function ($n) { return $n - 1; }, [1]);
    $e = array_map(fn($span) => $span - 1, [1]);
    return $c * $span - array_sum($a) - array_sum($b) - array_sum($d) - array_sum($e);
}
"""
JAVASCRIPT = """\
function f(low, high) {
    const a = [1, 2].map((n) => { const k = 3; return low - n * k; });
    return low * high - a.length;
}
"""
PYTHON = """\
def f(low, high):
    a = [n - low for n in [1, 2]]
    b = list(map(lambda z: z - low, [1, 2]))
    return low * high - len(a) - len(b)
"""
RETURNS = """\
<?php
function f($xs) {
    $all = array_filter($xs, function ($x) { return $x > 2; });
    sort($all);
    $sum = array_sum($all);
    $sum += 1;
    return $sum;
}
"""
SCORES = """\
def f(board, side):
    won = len(board)
    if won:
        score = 1 + len(board)
        return score if won == side else -score
    moves = sorted(board)
    if not moves:
        return 0
    return max(moves)
"""


def list_names(name: str, language: str, source: str, begin: str) -> set[str]:
    """The names that a fault writes on the line that begins so."""
    injections = list_injections(name, Program.from_source(language=language, source=source))
    lines = [source[source.rfind("\n", 0, i.span.start) + 1 :].strip() for i in injections]
    return {i.text for i, line in zip(injections, lines, strict=True) if line.startswith(begin)}


@pytest.mark.parametrize(
    ("begin", "names"),
    [
        ("$a =", {"low", "k"}),
        ("$b =", {"low"}),  # an arrow function sees all
        ("$d =", set()),  # $c is the last that was used before, but this function captures nothing
        ("$e =", {"c"}),
        ("return $c", {"step"}),  # not $n, which the closures had
    ],
)
def test_a_php_closure_names_only_variables_that_it_sees(begin: str, names: set[str]) -> None:
    assert list_names("wrong-variable", "php", PHP, begin) == names


def test_no_wrong_variable_of_a_php_program_is_undefined() -> None:
    program = Program.from_source(language="php", source=PHP)
    injections = list_injections("wrong-variable", program)
    assert len(injections) > 8
    for injection in injections:
        text = plant(program, injection).text + "echo f(1, 5);"
        command = ["php", "-d", "display_errors=1", "-d", "error_reporting=-1"]
        assert "Undefined" not in subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(("language", "source"), [("javascript", JAVASCRIPT), ("python", PYTHON)])
def test_variables_of_a_closure_or_comprehension_are_not_named_behind_it(language: str, source: str) -> None:
    assert list_names("wrong-variable", language, source, "return low") == set()


def test_a_function_returns_nothing_that_only_its_closure_can_return() -> None:
    injections = list_injections("misplaced-return", Program.from_source(language="php", source=RETURNS))
    assert {i.text.strip() for i in injections} == {"return $sum;"}


def test_a_function_returns_no_variable_of_the_block_before() -> None:
    injections = list_injections("misplaced-return", Program.from_source(language="python", source=SCORES))
    assert [i.text.strip() for i in injections] == ["return 0", "return 0", "return max(moves)"]
