"""Rules of meaning: which there are, and the program that does what they say."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.questions.meanings.rules import (
    MeaningRule,
    list_swaps,
    list_symbols,
    list_words,
    rewrite,
)
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox


def list_rules(name: str, source: str, *, may_join: bool = False) -> dict[str, MeaningRule]:
    """Rules by their symbols, in the order of the alphabet."""
    lang = language(name)
    code = lang.syntax.parse(source, "f(3)")
    rules = [*list_swaps(code, may_join=may_join), *list_words(lang, code)]
    return {" ".join(sorted(rule.symbols)): rule for rule in rules}


def write(name: str, source: str, *symbols: str) -> str:
    rules = list_rules(name, source)
    return rewrite(language(name).syntax.parse(source, "f(3)"), [rules[each] for each in symbols])


@pytest.mark.parametrize(
    ("expression", "symbols", "written"),
    [
        ("t + i * 2", "+ -", "(t - (i * 2))"),
        ("t - i - 2", "+ -", "((t + i) + 2)"),
        ("a + b * c", "* +", "(a * (b + c))"),
        ("a * b / c", "* +", "(a + b) / c"),
        ("(t - i) - abs(n - 2)", "+ -", "((t + i) + (abs(n + 2)))"),
        ("a < b", "< >=", "a >= b"),
        ("1 < n >= 4", "< >=", "1 >= n < 4"),
        ("a + 1 < b", "< >=", "(a + 1) >= b"),
        ("a and b or c", "and or", "((a or b) and c)"),
        ("x if c else True", "False True", "x if c else False"),
    ],
)
def test_brackets_keep_the_order_of_the_shown_program(expression: str, symbols: str, written: str) -> None:
    text = write("python", f"def f(n):\n    return {expression}\n", symbols)
    assert text == f"def f(n):\n    return {written}\n"


def test_assignments_steps_and_else_if() -> None:
    source = (
        "def f(n):\n    t = 0\n    while True:\n        t += 1\n        if t > n:\n            break\n"
        "        elif t == n:\n            continue\n    return t\n"
    )
    assert "t -= 1" in write("python", source, "+ -")
    negated = write("python", source, "if")
    assert "if not (t > n):" in negated
    assert "elif not (t == n):" in negated
    swapped = write("python", source, "break continue")
    assert swapped.index("continue") < swapped.index("break")
    words = list_rules("python", source)["if"].words
    assert words.startswith("`if` and `elif` run their block where the condition is false.")
    script = list_rules("javascript", "function f(n) { let t = n - 1; t++; return t; }")["+ -"].words
    assert script.endswith("`++` and `--` count as usual.")
    product = list_rules("javascript", "function f(n) { let t = n * 2; t++; return t; }")["* +"].words
    assert product.endswith("`++` and `--` count as usual.")


def test_no_rule_speaks_of_a_plus_that_may_join() -> None:
    source = "def f(n):\n    return n + n * 2\n"
    assert {"+ -", "* +"} <= {*list_rules("python", source)}
    assert list_rules("python", source, may_join=True) == {}


def test_no_rule_speaks_of_if_where_one_stands_in_an_expression() -> None:
    plain = "def f(n):\n    if n > 3:\n        return 1\n    return 2\n"
    assert "if" in list_rules("python", plain)
    assert "if" not in list_rules("python", plain.replace("return 2", "return 2 if n else 3"))
    assert "if" not in list_rules("python", plain.replace("return 2", "return [x for x in n if x > 2]"))


@pytest.mark.parametrize("name", ["javascript", "php"])
def test_rules_tell_equal_from_identical(name: str) -> None:
    source = {"php": "<?php function f($n) { return $n === 0 || $n != 2; }"}
    source["javascript"] = "function f(n) { return n === 0 || n != 2; }"
    rules = list_rules(name, source[name])
    same, other = "true if x equals y and is of the same type", "true if x does not equal y, or is of another type"
    assert rules["!== ==="].words == f"`x === y` is {other}, and `x !== y` is {same}."
    assert rules["!= =="].words == "`x == y` is true if x does not equal y, and `x != y` is true if x equals y."


@pytest.mark.parametrize("name", ["javascript", "php", "java"])
def test_no_rule_speaks_of_break_where_one_may_leave_a_switch(name: str) -> None:
    source = {
        "php": "<?php function f($n) { foreach ($n as $x) { SWITCH if ($x) break; } }",
        "javascript": "function f(n) { for (const x of n) { SWITCH if (x) break; } }",
        "java": "class Main { static void f(int[] n) { for (int x : n) { SWITCH if (x > 0) break; } } }",
    }[name]
    switch = f"switch ({'$x' if name == 'php' else 'x'}) {{ case 1: break; default: }}"
    assert "break" in list_rules(name, source.replace("SWITCH", ""))
    assert "break" not in list_rules(name, source.replace("SWITCH", switch))


def test_no_symbol_stands_in_a_chain() -> None:
    def list_forms(expression: str) -> set[str]:
        code = language("python").syntax.parse(f"def f(n, m):\n    return {expression}\n", "f(3, 4)")
        return {form for rule in list_symbols(code, may_join=False) for form in rule.symbols}

    assert list_forms("n < m and m >= 3") == {"<", ">="}
    assert list_forms("1 < n >= 4 and m + 1 == 3") == {"+", "=="}


@pytest.mark.parametrize("name", ["javascript", "php", "java"])
def test_a_rewritten_program_runs_in_every_language(name: str, sandbox: Sandbox) -> None:
    source, call = {
        "javascript": ("function f(n) { if (n < 3 && n != 1) { return n + 2; } return n - 2; }", "f(4)"),
        "php": ("<?php\nfunction f($n) { if ($n < 3 && $n != 1) { return $n + 2; } return $n - 2; }", "f(4)"),
        "java": ("class P { static int f(int n) { if (n < 3 && n != 1) { return n + 2; } return n - 2; } }", "P.f(4)"),
    }[name]
    text = write(name, source, "+ -", "< >=")
    program = Program.from_source(language=name, source=text, call=call)
    assert sandbox.run(Run.from_program(program)).value == 2


@pytest.mark.parametrize(
    ("name", "expression", "symbols"),
    [
        ("javascript", "n === 3", {"!== ==="}),
        ("javascript", "n == 3", {"!= =="}),
        ("javascript", "n >= 3", {"< >="}),
        ("python", "n <= 3", {"<= >"}),
        ("python", "n + 3", {"+ -", "* +"}),
    ],
)
def test_rules_speak_of_symbols_that_the_program_has(name: str, expression: str, symbols: set[str]) -> None:
    source = (
        f"function f(n) {{ return {expression}; }}" if name == "javascript" else f"def f(n):\n    return {expression}\n"
    )
    assert {*list_rules(name, source)} == symbols
