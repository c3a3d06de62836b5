from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_codereason.changes.perturbations._wrong_values import list_wrong_inputs, list_wrong_values
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.languages.java.values.data import Char, Long, Optional
from pytest_codereason.languages.javascript.values import UNDEFINED, BigInt
from pytest_codereason.registry import language
from tests.languages.values import NAMES, VALUES

SEEDS = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data(), seed=SEEDS)
def test_every_value_has_others_of_its_type(name: str, data: st.DataObject, seed: int) -> None:
    lang, value = language(name), data.draw(VALUES[name])
    wrong_values = list_wrong_values(lang, value, Draws(seed), 3)
    assert wrong_values
    for wrong in wrong_values:
        assert not lang.values.equal(wrong, value)
        read = lang.values.read(lang.values.write(wrong)).value
        assert lang.values.equal(read, wrong)
        if value is not None and value is not UNDEFINED:
            assert type(read) is type(lang.values.read(lang.values.write(value)).value)
    assert [*map(lang.values.write, wrong_values)] == [
        *map(lang.values.write, list_wrong_values(lang, value, Draws(seed), 3))
    ]


def test_a_dict_with_several_nans_as_keys_has_wrong_values() -> None:
    value = {math.nan: None, float("nan"): ()}
    assert len(value) == 2
    for seed in range(20):
        assert list_wrong_values(language("python"), value, Draws(seed), 3)


def all_wrong(name: str, value: Any) -> set[str]:
    """What sixty seeds make of a value, as literals."""
    lang = language(name)
    return {lang.values.write(wrong) for seed in range(60) for wrong in list_wrong_values(lang, value, Draws(seed), 2)}


@pytest.mark.parametrize(
    ("name", "value", "some"),
    [
        ("python", 41, {"42", "40", "-41", "14"}),
        ("python", True, {"False"}),
        ("python", "ab", {"'ba'", "'a'", "'b'", "'aab'", "'abb'", "'bb'", "'ac'"}),
        ("python", b"ab", {"b'ba'", "b'aab'", "b'ac'"}),
        ("python", "", {"'a'", "'z'"}),
        ("python", [], {"[0]", "['a']"}),
        ("python", (), {"(0,)"}),
        ("python", set(), {"{1}"}),
        ("python", {}, {"{'a': 1}"}),
        ("python", [1, 2, 3], {"[2, 1, 3]", "[1, 2]", "[1, 2, 2, 3]", "[1, 2, 4]"}),
        ("python", (1, 2), {"(2, 1)", "(1, 3)"}),
        ("python", {"a": 1, "b": 5}, {"{'a': 5, 'b': 1}", "{'b': 5}", "{'a': 2, 'b': 5}"}),
        ("python", 2.5, {"3.5", "1.5", "-2.5"}),
        ("python", math.nan, {"0.5", "float('inf')"}),
        ("python", None, {"0", "False"}),
        ("python", [None], {"[]", "[0]"}),
        ("javascript", UNDEFINED, {"0", "false"}),
        ("javascript", BigInt(1), {"2n", "0n", "-1n"}),
        ("javascript", -0.0, {"0.5", "-0.5"}),
        ("java", Long(7), {"8L", "6L"}),
        ("java", Char("a"), {"'b'", "'z'"}),
        ("java", Optional(Long(1)), {"Optional.empty()", "Optional.of(2L)"}),
        ("java", Optional(), {"Optional.of(0)"}),
        ("php", {"x": [1]}, {"['x' => []]", "['x' => [2]]"}),
    ],
)
def test_slips_are_those_of_a_careless_reader(name: str, value: Any, some: set[str]) -> None:
    assert some <= all_wrong(name, value)


def test_a_tuple_keeps_its_length_and_a_character_its_own() -> None:
    assert {text.count(",") for text in all_wrong("python", (1, 2, 3))} == {2}
    assert {len(text) for text in all_wrong("java", Char("x"))} == {3}


@pytest.mark.parametrize(
    ("name", "value"), [("java", 2**31 - 1), ("php", 2**63 - 1), ("php", -(2**63)), ("java", Long(2**63 - 1))]
)
def test_a_number_does_not_outgrow_its_type(name: str, value: int) -> None:
    lang = language(name)
    kind = type(lang.values.read(lang.values.write(value)).value)
    assert {type(lang.values.read(text).value) for text in all_wrong(name, value)} == {kind}


def test_what_cannot_be_written_has_no_wrong_value() -> None:
    assert list_wrong_values(language("python"), object(), Draws(0), 3) == []


@pytest.mark.slow
def test_the_order_of_a_set_does_not_count() -> None:
    program = (
        "from pytest_codereason.core.random_draws import Draws\n"
        "from pytest_codereason.changes.perturbations._wrong_values import list_wrong_values\n"
        "from pytest_codereason.registry import language\n"
        "value = {'a', 'bc', 'd', None, 4, (1, 'x')}\n"
        "python = language('python')\n"
        "print([*map(python.values.write, list_wrong_values(python, value, Draws(7), 5))])\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in "123"
    }
    assert len(outputs) == 1
    assert outputs != {""}


@pytest.mark.parametrize(
    ("name", "text", "some"),
    [
        ("python", "[1, 2], 'a'", {"[2, 2], 'a'", "[1, 2], 'b'", "'a', [1, 2]", "[1, 2], 'a', 'a'", "[1, 2]"}),
        ("python", "{'a': 1}", {"{'b': 1}", "{'a': 2}", "{}", ""}),
        ("python", "", {"0"}),
        ("python", "[]", {"['a']", "[], []", ""}),
        ("python", "x=1, y=True", {"x=2, y=True", "x=1, y=False"}),
        ("python", "lambda x: x + 1", {"lambda x: x + 2", "lambda x: x + 1, lambda x: x + 1"}),
        ("python", "'it\\'s 1', r'\\d'", {"'it\\'s 1', ' d'"}),
        ("javascript", "[1], `a`", {"[2], `a`", '[1], "b"'}),
        ("php", 'array("a" => 1), true', {"array('b' => 1), true", 'array("a" => 2), true', 'array("a" => 1), false'}),
        (
            "java",
            "(new ArrayList<Long>(Arrays.asList((long)1l))), (\"q\"), ('c')",
            {
                "(new ArrayList<Long>(Arrays.asList((long)2L))), (\"q\"), ('c')",
                "(new ArrayList<Long>(Arrays.asList((long)1l))), (\"r\"), ('c')",
                "(new ArrayList<Long>(Arrays.asList((long)1l))), (\"q\"), ('d')",
            },
        ),
    ],
)
def test_wrong_inputs_keep_the_form_of_the_arguments(name: str, text: str, some: set[str]) -> None:
    wrong_inputs = {wrong for seed in range(60) for wrong in list_wrong_inputs(language(name), text, Draws(seed), 4)}
    assert text not in wrong_inputs
    assert some <= wrong_inputs


@given(st.lists(VALUES["python"], max_size=4), SEEDS)
@example([[], "", 1], 0)
def test_wrong_inputs_of_literals_are_other_literals(values: list[Any], seed: int) -> None:
    lang = language("python")
    text = ", ".join(map(lang.values.write, values))
    wrong_inputs = list_wrong_inputs(lang, text, Draws(seed), 4)
    assert wrong_inputs
    for wrong in wrong_inputs:
        assert not lang.values.equal(lang.values.read(f"[{wrong}]").value, values)
