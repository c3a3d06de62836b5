"""The examples of ``docs/meaning.md``: by the rules that stand there the values are those of the page."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.questions.meanings.rules import list_swaps, list_symbols, rewrite
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox

PAGE = Path(__file__).parents[3].joinpath("docs", "meaning.md").read_text("utf-8")
FIRST, SECOND = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
RULES = re.findall(r"^> - (.+)$", PAGE, re.MULTILINE)
PYTHON = language("python")


def run(source: str, call: str, sandbox: Sandbox) -> object:
    return sandbox.run(Run.from_program(Program.from_source(language="python", source=source, call=call))).value


def test_the_first_example(sandbox: Sandbox) -> None:
    code = PYTHON.syntax.parse(FIRST, "f(4)")
    rules = [rule for rule in list_swaps(code, may_join=False) if rule.words in RULES]
    assert len(rules) == 2
    assert f"| `f(4)` | `{run(FIRST, 'f(4)', sandbox)}` | `{run(rewrite(code, rules), 'f(4)', sandbox)}` |" in PAGE


def test_the_second_example(sandbox: Sandbox) -> None:
    assert RULES[2:] == ["`x ◇ y` is x minus y.", "`x ⊗ y` is the sum of x and y."]
    usual = SECOND.replace("◇", "-").replace("⊗", "+")
    assert f"| `f(9, 4)` | no program | `{run(usual, 'f(9, 4)', sandbox)}` |" in PAGE
    plain = "def f(a, b):\n    c = a - b\n    d = c + 3\n    return d - (a + b)\n"
    code, signs = PYTHON.syntax.parse(plain, "f(9, 4)"), {"-": "◇", "+": "⊗"}
    rules = [
        replace(rule, operators={form: signs[form]})
        for rule in list_symbols(code, may_join=False)
        for form in rule.symbols
    ]
    assert rewrite(code, rules) == SECOND
