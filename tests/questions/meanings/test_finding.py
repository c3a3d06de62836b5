"""Which rules are drawn for a program, and what keeps others out: each condition by a test that fails without it."""

from __future__ import annotations

import operator
from typing import Any, ClassVar

import pytest

from pytest_codereason.errors import Skip
from pytest_codereason.programs.sources.ladder import Ladder
from pytest_codereason.questions.meanings import finding
from pytest_codereason.questions.meanings.finding import VALUES, Meaning, find_meaning
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.questions.meanings.meaning_programs import SOURCE, make_instance
from tests.questions.stepping import take_steps


def find(meaning: str, sandbox: Sandbox, source: str = SOURCE, call: str = "f(4)", *, seed: int = 0) -> Meaning:
    instance = make_instance(source, call, meaning, sandbox, seed=seed)
    return take_steps(find_meaning(instance, language("python"), meaning), sandbox)


def test_no_rules_leave_the_program_and_its_value(sandbox: Sandbox) -> None:
    found = find("none", sandbox)
    assert (found.shown, found.words, found.value, found.usual) == (SOURCE, (), 5, 5)


def test_restated_rules_say_the_usual_thing(sandbox: Sandbox) -> None:
    found = find("restated", sandbox)
    assert (found.value, found.usual, len(found.words)) == (5, 5, 2)
    assert any("`x < y` is true if x is less than y" in words or "`x + y` is the sum" in words for words in found.words)


def test_both_swaps_of_the_page(sandbox: Sandbox) -> None:
    values = {find("swapped(rules=2)", sandbox, seed=seed).value for seed in range(6)}
    assert 11 in values
    assert 5 not in values


def test_symbols_keep_the_value(sandbox: Sandbox) -> None:
    found = find("symbols(rules=2)", sandbox)
    assert found.value == found.usual == 5
    assert sum(sign in found.shown for sign in "⊕⊗⊖◇▷◁") == 2
    assert all(any(sign in words for sign in "⊕⊗⊖◇▷◁") for words in found.words)


@pytest.mark.slow
def test_a_rule_that_does_not_matter_is_left_out(sandbox: Sandbox) -> None:
    source = "def f(n):\n    if n == 77:\n        n = n - 0\n    return n - 3\n"
    for seed in range(8):
        with pytest.raises(Skip, match="change what the program gives"):
            find("swapped(rules=2)", sandbox, source, "f(0)", seed=seed)


@pytest.mark.parametrize("value", ["n > 2", "''", "[]", "None", "[n][1:]"])
def test_a_value_that_could_be_guessed_is_left_out(value: str, sandbox: Sandbox) -> None:
    for meaning in ("none", "restated"):
        with pytest.raises(Skip, match="could be guessed"):
            find(meaning, sandbox, f"def f(n):\n    n = n + 1\n    return {value}\n")
    changed = f"def f(n):\n    if n == 4:\n        return 'ab'\n    return {value}\n"
    with pytest.raises(Skip, match="change what the program gives"):
        find("keywords(rules=1)", sandbox, changed)


def test_a_long_value_is_left_out(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "def f(n):\n    return [i for i in range(300) if i < n]\n"
    with pytest.raises(Skip, match="change what the program gives"):
        find("swapped(rules=1)", sandbox, source)
    monkeypatch.setattr(finding, "MOST_ANSWER", 2000)
    assert len(find("swapped(rules=1)", sandbox, source).value) == 296


def test_a_value_that_is_the_usual_one_is_left_out(sandbox: Sandbox) -> None:
    with pytest.raises(Skip, match="change what the program gives"):
        find("swapped(rules=1)", sandbox, "def f(n):\n    return n - 0\n", "f(4)")


def test_a_value_that_differs_from_run_to_run_is_left_out(sandbox: Sandbox) -> None:
    source = "def f(n):\n    return list({'a', 'b', 'c', 'd'}) if n < 3 else 1\n"
    with pytest.raises(Skip, match="change what the program gives"):
        find("swapped(rules=1)", sandbox, source, "f(4)")


def test_a_program_that_fails_under_the_rules_is_left_out(sandbox: Sandbox) -> None:
    source = "def f(n):\n    return 1 if n < 3 else [][n]\n"
    with pytest.raises(Skip, match="change what the program gives"):
        find("swapped(rules=1)", sandbox, source, "f(1)")


@pytest.mark.parametrize("value", ["float('inf')", "float('nan')", "2.0**53", "[1.5, -2.0**53]"])
def test_a_value_without_end_or_one_that_was_rounded_is_left_out(value: str, sandbox: Sandbox) -> None:
    source = f"def f(n):\n    return {value} if n < 3 else 1\n"
    with pytest.raises(Skip, match="change what the program gives"):
        find("swapped(rules=1)", sandbox, source, "f(4)")


def test_a_symbol_that_does_not_matter_is_left_out(sandbox: Sandbox) -> None:
    source = "def f(n):\n    return (n - 0) * 1 + 0\n"
    with pytest.raises(Skip, match="change what the program gives"):
        find("symbols(rules=2)", sandbox, source, "f(0)")


def test_too_few_rules_are_said(sandbox: Sandbox) -> None:
    with pytest.raises(Skip, match="has no 4 rules of the kind swapped"):
        find("swapped(rules=4)", sandbox)


@pytest.mark.parametrize(
    ("source", "call", "joins"),
    [
        ("def f(a, b):\n    return a + b\n", "f('a', 'b')", True),
        ("def f(a, b):\n    return a + b\n", "f([1], [2])", True),
        ("def f(a, b):\n    return a + b\n", "f(1, 2)", False),
        ("def f(a, b):\n    return a + 'x' * b\n", "f('', 2)", True),
        ("def f(a, b):\n    return len(a) + 1\n", "f('a', 2)", False),
    ],
)
def test_a_plus_may_join_texts_and_lists(source: str, call: str, joins: bool, sandbox: Sandbox) -> None:
    instance = make_instance(source, call, "none", sandbox)
    lang = language("python")
    assert finding._may_join(lang, lang.syntax.parse(source, call), instance.program) is joins


class Odd(int):
    """A number with other operators: a second way to the value of a program."""

    table: ClassVar[dict[str, Any]] = {}


def _define(name: str, usual: Any) -> None:
    def apply(self: int, other: int) -> Any:
        value = Odd.table.get(name, usual)(int(self), int(other))
        return value if isinstance(value, bool) else Odd(value)

    setattr(Odd, f"__{name}__", apply)
    if name in ("add", "sub", "mul"):
        setattr(Odd, f"__r{name}__", lambda self, other: apply(other, self))


for _name in ("add", "sub", "mul", "lt", "ge", "gt", "le", "eq", "ne"):
    _define(_name, getattr(operator, _name))
Odd.__hash__ = int.__hash__  # type: ignore[method-assign]
NAMES = {"+": "add", "-": "sub", "*": "mul", "<": "lt", ">=": "ge", ">": "gt", "<=": "le", "==": "eq", "!=": "ne"}


@pytest.mark.slow
def test_numbers_with_other_operators_give_the_same_values(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Literals become such numbers too, so that no operation is a usual one."""
    import ast

    class Wrap(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            return ast.Call(ast.Name("Odd", ast.Load()), [node], []) if type(node.value) is int else node

    source, compared = Ladder.create({"count": 12}, seed=0), 0
    for level in (4, 5, 6):
        for name in source.names("python"):
            program = source.program("python", name, {"level": level})
            if any(word in program.source for word in ("max(", "min(", "abs(")):
                continue  # they compare by operators that the program does not show
            try:
                found = find("swapped(rules=1)", sandbox, program.source, program.call)
            except Skip:
                continue
            [one, other] = [words.split()[1] for words in found.words[0].split("`")[1:4:2]]
            monkeypatch.setattr(
                Odd,
                "table",
                {NAMES[one]: getattr(operator, NAMES[other]), NAMES[other]: getattr(operator, NAMES[one])},
            )
            scope: dict[str, Any] = {
                "Odd": Odd,
                "range": lambda *ends: map(Odd, range(*map(int, ends))),
            }
            tree = ast.fix_missing_locations(Wrap().visit(ast.parse(f"{program.source}\nresult = {program.call}")))
            exec(compile(tree, "<ladder>", "exec"), scope)
            assert int(scope["result"]) == found.value, program.source
            compared += 1
    assert compared >= 15


def test_every_value_of_the_axis_is_read() -> None:
    assert len(VALUES) == 9
    assert {finding.Wanted.read(value).kind for value in VALUES} == {
        "none",
        "restated",
        "swapped",
        "keywords",
        "symbols",
    }
