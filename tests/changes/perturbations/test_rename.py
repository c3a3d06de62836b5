# ruff: noqa: E501 - a program stands on few lines
from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.changes.perturbations.dead_code import DeadCode
from pytest_codereason.changes.perturbations.rename import Rename
from pytest_codereason.core import Dose, Facts, Fault, Program
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip
from pytest_codereason.registry import language

NEW = re.compile(r"\bVar_\d+\b|\bf\d+\b")


def program(name: str, source: str, call: str, **facts: Any) -> Program:
    return Program.from_source(language=name, source=source, call=call, facts=Facts(**facts))


def rename_source(name: str, source: str, call: str = "", seed: int = 0, **dose: Any) -> tuple[str, str]:
    variant = Rename().apply(program(name, source, call), Draws(seed), Dose(**dose), "output")
    return variant.source, variant.call


def test_the_function_that_is_called_is_the_first() -> None:
    source = "def half(n):\n    return n // 2\ndef total(n):\n    return half(n)\n"
    changed, call = rename_source("python", source, "total(4)")
    assert call == "f(4)"
    assert changed == "def f1(Var_1):\n    return Var_1 // 2\ndef f(Var_1):\n    return f1(Var_1)\n"


@pytest.mark.parametrize(
    ("name", "source", "call", "expected", "expected_call"),
    [
        (
            "python",
            "def total(xs, start=0):\n    for x in xs:\n        start += half(x)\n    return start\n"
            "def half(n):\n    return n // 2\n",
            "total([4, 6], start=1)",
            "def f(Var_1, Var_2=0):\n    for Var_3 in Var_1:\n        Var_2 += f1(Var_3)\n    return Var_2\n"
            "def f1(Var_4):\n    return Var_4 // 2\n",
            "f([4, 6], Var_2=1)",
        ),
        (
            "javascript",
            "function total(xs) {\n    const { length, n: m } = xs;\n    return { length, m };\n}\n",
            "total([4])",
            "function f(Var_1) {\n    const { length: Var_2, n: Var_3 } = Var_1;\n"
            "    return { length: Var_2, m: Var_3 };\n}\n",
            "f([4])",
        ),
        (
            "php",
            'function total($xs, $start = 0) {\n    return "$start: " . count($xs);\n}\n',
            "total([4], start: 2)",
            'function f($Var_1, $Var_2 = 0) {\n    return "$Var_2: " . count($Var_1);\n}\n',
            "f([4], Var_2: 2)",
        ),
        (
            "java",
            "class Problem {\n    int n;\n    static int total(int x) {\n        int y = half(x);\n        return y;\n"
            "    }\n    static int half(int x) {\n        return x / 2;\n    }\n}\n",
            "Problem.total(4)",
            "class Problem {\n    int n;\n    static int f(int Var_1) {\n        int Var_2 = f1(Var_1);\n"
            "        return Var_2;\n    }\n    static int f1(int Var_1) {\n        return Var_1 / 2;\n    }\n}\n",
            "Problem.f(4)",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isalpha() else "",
)
def test_names_are_numbered_as_they_appear(
    name: str, source: str, call: str, expected: str, expected_call: str
) -> None:
    assert rename_source(name, source, call) == (expected, expected_call)


def test_what_dead_code_adds_to_java_is_renamed_with_the_rest() -> None:
    source = (
        "class Problem {\n    static int count(int[] items) {\n        int total = 0;\n        for (int item : items) {\n"
        "            total += item;\n        }\n        return total;\n    }\n}\n"
    )
    given = program("java", source, "Problem.count(new int[]{1, 2})")
    for seed in range(10):
        padded = DeadCode().apply(given, Draws(seed), Dose(strength=100), "output")
        renamed = Rename().apply(padded, Draws(seed), Dose(), "output").source
        assert re.search(r"private static (?:final )?int total = ", padded.source)
        assert not re.search(r"\b(?:items|total|item|count|[gh]\d+|Temp\w*)\b", renamed), renamed


def test_private_static_fields_are_renamed_with_the_variables() -> None:
    source = (
        "class P {\n    private static int limit = 3;\n    static int limits = 1;\n    static int cut(int n, int limit) {\n"
        "        return n > P.limit ? P.limit : n + limit + limits;\n    }\n    static int get() {\n"
        "        return limit;\n    }\n}\n"
    )
    assert rename_source("java", source, "P.cut(1, 2)")[0] == (
        "class P {\n    private static int Var_1 = 3;\n    static int limits = 1;\n    static int f(int Var_2, int Var_1) {\n"
        "        return Var_2 > P.Var_1 ? P.Var_1 : Var_2 + Var_1 + limits;\n    }\n    static int f1() {\n"
        "        return Var_1;\n    }\n}\n"
    )


def test_classes_imports_members_and_labels_stay() -> None:
    source = "import math\nclass Box:\n    side = 2\n    def area(self):\n        return math.floor(self.side)\n"
    text, call = rename_source("python", source, "Box().area()")
    assert call == "Box().area()"
    assert text == source.replace("self", "Var_1")
    labelled = "function f(x) {\n    outer: for (;;) {\n        break outer;\n    }\n    return x;\n}\n"
    assert rename_source("javascript", labelled, "f(1)")[0] == labelled.replace("x", "Var_1")


def test_new_names_are_none_that_stand_anywhere() -> None:
    """In a string, too: it may be looked up."""
    source = "def g(x, y):\n    print('Var_1', f)\n    return x + y.Var_3\n"
    assert rename_source("python", source, "g(1, 2)")[0] == (
        "def f1(Var_2, Var_4):\n    print('Var_1', f)\n    return Var_2 + Var_4.Var_3\n"
    )


def test_what_is_unsafe_stays() -> None:
    source = "def f(x, y):\n    return eval('x')\n"
    with pytest.raises(Skip, match="no name"):
        rename_source("python", source, "f(1, 2)")


def test_names_that_are_new_already_stay() -> None:
    source = "def f(Var_1, b):\n    return Var_1 + b\n"
    once, call = rename_source("python", source, "f(1, 2)")
    assert once == "def f(Var_1, Var_2):\n    return Var_1 + Var_2\n"
    with pytest.raises(Skip):
        rename_source("python", once, call)


def test_variables_of_one_name_get_one_name() -> None:
    source = "n = 1\ndef f(n):\n    return [n for n in range(n)]\ndef g(m):\n    return n + m\n"
    assert rename_source("python", source, "f(2)")[0] == (
        "Var_1 = 1\ndef f(Var_1):\n    return [Var_1 for Var_1 in range(Var_1)]\n"
        "def f1(Var_2):\n    return Var_1 + Var_2\n"
    )


def test_facts_follow() -> None:
    source = "def top(n):\n    return low(k=n)\ndef low(k):\n    return k\n"
    facts = {"input": "n=3", "fault": Fault(4), "reasoning": "top calls low"}
    variant = Rename().apply(program("python", source, "top(n=3)", **facts), Draws(0), Dose(), "output")
    assert variant.facts == Facts(input="Var_1=3", fault=Fault(4, "main"))
    assert variant.call == "f(Var_1=3)"


SOURCE = "def g(a, b, c):\n    d = a\n    e = [h for h in b]\n    return d, e, c\n"


@given(st.integers(0, 2**64 - 1), st.integers(1, 10), st.integers(1, 10))
def test_strength_is_the_number_of_names(seed: int, one: int, other: int) -> None:
    fewer, more = (
        rename_source("python", SOURCE, "g(1, [], 2)", seed, strength=strength)[0] for strength in sorted((one, other))
    )
    assert len({*NEW.findall(fewer)}) + ("def f(" in fewer) == min(7, one, other)
    assert {*NEW.findall(fewer)} <= {*NEW.findall(more)}, "a variable has one new name at every strength"


# What breaks when names are taken for words: every one was seen in the second study's own code on real modules.
@pytest.mark.parametrize(
    ("source", "call"),
    [
        ("def f(xs):\n    return sorted(xs, key=lambda x: -x, reverse=False)\n", "f([1, 3, 2])"),
        ("def g(key, reverse):\n    return sorted(key, reverse=reverse)\n", "g(key=[1, 2], reverse=True)"),
        ("class C:\n    size = 3\n    def get(self):\n        return self.size\ndef f(size):\n"
         "    return size + C().get()\n", "f(1)"),
        ("from enum import Enum\nclass Color(Enum):\n    red = 1\ndef f(red):\n    return Color.red.value + red\n",
         "f(2)"),
        ("import string as text\ndef f(digits):\n    return text.digits + digits\n", "f('a')"),
        ("def f(x: int, y: 'int' = 2) -> int:\n    total: int = x + y\n    return total\n", "f(1)"),
        ("n = 1\ndef f(x):\n    global n\n    n += x\n    def inner():\n        nonlocal x\n        x += n\n"
         "    inner()\n    return x, n\n", "f(2)"),
        ("def f(x):\n    try:\n        return 1 / x\n    except ZeroDivisionError as e:\n        return str(e), type(e)\n",
         "f(0)"),
        ("def f(x):\n    return [(x, y) for y in range(x) if y for x in [y]]\n", "f(4)"),
        ("def f(x):\n    if (n := len(x)) > 1:\n        return n\n    return [n := i for i in x], n\n", "f([5])"),
        ("def f(**kw):\n    return kw['a'] + sum(v for k, v in kw.items())\n", "f(a=1, b=2)"),
        ("def f(id, list):\n    return id(list) if callable(id) else list\n", "f(len, [1, 2])"),
        ("def f(x):\n    match x:\n        case {'a': a, **rest}:\n            return a, rest\n        case [b, *c]:\n"
         "            return b, c\n", "f([1, 2, 3])"),
        ("def f(x):\n    return f'{x!r:>{len(x)}} {x}'\n", "f('abc')"),
        ("def f(n):\n    return 1 if n < 2 else n * f(n - 1)\n", "f(5)"),
    ],
)  # fmt: skip
def test_names_that_are_no_words(source: str, call: str) -> None:
    before: dict[str, object] = {}
    after: dict[str, object] = {}
    text, new_call = rename_source("python", source, call)
    exec(source, before)
    exec(text, after)
    assert eval(new_call, after) == eval(call, before)
    assert language("python").syntax.check(text) == ""
