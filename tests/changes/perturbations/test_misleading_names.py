"""Misleading names: wrong of what they name, in the style of the program, and free."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.changes.perturbations._wrong_names import choose_wrong_names, split_words
from pytest_codereason.core import Facts, Program
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip
from tests.changes.perturbations.agreement import change_program, names_of

SOURCE = """\
def total_price(prices, start):
    row_count = 0
    for price in prices:
        row_count += price * start
    is_done = False
    if not is_done:
        prices[0] = row_count
    return row_count
"""
NUMBERS = {"row count", "index", "total", "limit", "offset", "position", "step count", "upper bound"}


def choose(source: str, seed: int, call: str = "total_price([1], 2)", language: str = "python") -> dict[str, str]:
    speaker = registry.language(language)
    names = choose_wrong_names(speaker.syntax.parse(source, call), speaker.dialect, Draws(seed))
    return {name.present: name.wrong for name in names}


@pytest.mark.parametrize("seed", range(8))
def test_no_name_is_of_the_kind_of_what_it_names(seed: int) -> None:
    wrong = choose(SOURCE, seed)
    assert set(wrong) == {"total_price", "prices", "start", "row_count", "price", "is_done"}
    assert " ".join(split_words(wrong["row_count"])) not in NUMBERS
    assert not wrong["is_done"].startswith(("is_", "has_", "should_", "can_", "was_"))
    assert not wrong["total_price"].startswith(("count", "average", "measure"))


def test_a_private_static_field_of_java_shares_the_new_name_of_variables() -> None:
    source = "class P { private static int total = 1; static int other = 1; static int f(int total) { return total; } }"
    program = Program.from_source(language="java", source=source, call="P.f(1)")
    changed = change_program(program, "misleading-names").source
    [wrong] = [name for present, name in choose(program.source, 0, "P.f(1)", "java").items() if present == "total"]
    assert wrong != "total"
    assert "total" not in names_of(changed)
    assert "other" in names_of(changed)


@given(st.integers(0, 2**32))
def test_no_word_of_a_new_name_is_a_word_of_the_program(seed: int) -> None:
    used = {word for name in names_of(SOURCE) for word in split_words(name)}
    wrong = choose(SOURCE, seed)
    assert len(set(wrong.values())) == len(wrong)
    for present, name in wrong.items():
        words = split_words(name)
        assert used.isdisjoint(words[:1] if present == "total_price" else words), name


@pytest.mark.parametrize(
    ("language", "source", "call", "style"),
    [
        ("python", "def run_all(n):\n    return n\n", "run_all(1)", "_"),
        ("python", "def runAll(n):\n    return n\n", "runAll(1)", "a"),
        (
            "java",
            "class P {\n    static int f(int n) {\n        return Math.addExact(n, 2);\n    }\n}\n",
            "P.f(1)",
            "a",
        ),
        ("php", "<?php\nfunction f($n) {\n    return array_sum([$n]);\n}\n", "f(1)", "_"),
    ],
)
def test_names_are_spelled_as_in_the_program(language: str, source: str, call: str, style: str) -> None:
    names = [name for seed in range(12) for name in choose(source, seed, call, language).values()]
    assert any("_" in name for name in names) == (style == "_")
    assert any(name != name.lower() for name in names) == (style == "a")


def test_underscores_and_capitals_stay() -> None:
    wrong = choose("_MAX_ROWS = 3\ndef f(_n):\n    return _n + _MAX_ROWS\n", 1, "f(1)")
    assert wrong["_MAX_ROWS"].startswith("_")
    assert wrong["_MAX_ROWS"].isupper()
    assert wrong["_n"].startswith("_")
    assert wrong["_n"].islower()


def test_a_function_keeps_what_it_is_about() -> None:
    wrong = {choose("def solve_n_queens(n):\n    return n\n", seed, "solve_n_queens(1)")["solve_n_queens"]
             for seed in range(20)}  # fmt: skip
    assert len(wrong) > 5
    assert all(name.endswith("_n_queens") and not name.startswith("solve") for name in wrong)


def test_no_function_of_php_gets_the_name_of_a_builtin() -> None:
    source = "<?php\nfunction double($n) {\n    return $n;\n}\nfunction parse_all($n) {\n    return double($n);\n}\n"
    for seed in range(60):
        assert choose(source, seed, "parse_all(1)", "php")["double"] != "is_double"


def test_names_by_convention_stay() -> None:
    source = "class A:\n    def m(self, n):\n        return [n for _ in range(n)]\ndef f(n):\n    return A().m(n)\n"
    assert {"self", "_"}.isdisjoint(choose(source, 0, "f(2)"))


@given(st.integers(0, 2**32), st.integers(1, 7))
def test_a_stronger_dose_changes_the_names_of_a_weaker_one_and_one_more(seed: int, strength: int) -> None:
    program = Program.from_source(
        language="python", source=SOURCE, call="total_price([1], 2)", facts=Facts(output=2, input="[1], 2")
    )
    before = names_of(program.source)
    weak, strong = (
        names_of(change_program(program, f"misleading-names(strength={count})", seed).source)
        for count in (strength, strength + 1)
    )
    assert weak - before <= strong - before
    assert len(weak - before) == min(strength, 6)
    assert len(strong - before) == min(strength + 1, 6)


def test_a_place_says_where_a_name_first_appears() -> None:
    source = "".join(f"def f{n}(x{n}):\n    y{n} = x{n}\n    return y{n}\n\n" for n in "abcd")
    program = Program.from_source(language="python", source=source, call="fa(1)", facts=Facts(output=1, input="1"))
    changed = names_of(change_program(program, "misleading-names(place=3)").source)
    assert names_of(source) - changed == {"fc", "xc", "yc"}


def test_a_program_without_names_is_skipped() -> None:
    program = Program.from_source(language="python", source="import os\nprint(len(os.sep))\n", call="")
    with pytest.raises(Skip, match="no name"):
        change_program(program, "misleading-names")
