"""Arguments far away from those of a call, in the languages as they are written."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.authoring._corner_inputs import list_corner_inputs
from pytest_codereason.registry import language

#: A comparison with a text and one with a number, in each language.
SOURCES = {
    "python": "def f(a, b, c):\n    return a != 'no' and b < 70\n",
    "javascript": "function f(a, b, c) { return a !== 'no' && b < 70; }",
    "php": "<?php function f($a, $b, $c) { return $a != 'no' && $b < 70; }",
    "java": 'class Main { static boolean f(String a, int b, Object c) { return !a.equals("no") && b < 70; } }',
}
EMPTY = {"python": "[]", "javascript": "[]", "php": "[]", "java": "List.of()"}


def list_inputs(name: str, text: str, count: int = 100) -> list[str]:
    lang = language(name)
    return list_corner_inputs(lang, lang.syntax.parse(SOURCES[name], ""), text, count)


@pytest.mark.parametrize("name", SOURCES)
def test_values_are_empty_long_of_another_case_and_named_by_the_program(name: str) -> None:
    lang = language(name)
    read = [lang.values.read(f"[{text}]").value for text in list_inputs(name, '"ab", 3')]
    assert {"", "AB", "abababab", "no"} <= {a for a, b in read if b == 3}
    assert {0, -3, 69, 70, 71} <= {b for a, b in read if a == "ab"}


@pytest.mark.parametrize("name", SOURCES)
def test_collections_are_empty_too(name: str) -> None:
    listed = {"java": 'List.of("a", "b")'}.get(name, '["a", "b"]')
    assert EMPTY[name] in list_inputs(name, listed)


def test_every_argument_has_corners_behind_a_long_list_too() -> None:
    lang, text = language("python"), "[1, 2, 3, 4], 7, 'ab'"
    code = lang.syntax.parse("", "")
    assert "[1, 2, 3, 4], 0, 'ab'" not in list_corner_inputs(lang, code, text, 100)
    corners = list_corner_inputs(lang, code, text, 100, every=True)
    assert {"[1, 2, 3, 4], 0, 'ab'", "[1, 2, 3, 4], 7, ''", "[], 7, 'ab'"} <= {*corners}


def test_values_take_turns_and_the_call_itself_is_no_corner() -> None:
    inputs = list_inputs("python", "'ab', 3", 4)
    assert inputs == ["'', 3", "'ab', 0", "'AB', 3", "'ab', 1"]
    assert "'ab', 3" not in list_inputs("python", "'ab', 3")


def test_the_rest_of_arguments_that_are_no_literals_stays() -> None:
    assert "(new Box(0L)), 3" in list_inputs("java", "(new Box(7L)), 3")


def test_arguments_of_one_type_are_exchanged_and_joined() -> None:
    inputs = list_inputs("python", "'ab', 'xy', [1]")
    assert {"'xy', 'xy', [1]", "'abxy', 'xy', [1]", "'ab', 'abxy', [1]"} <= {*inputs}


def test_maps_are_exchanged_and_not_joined() -> None:
    assert {"{2: 3}, {2: 3}", "{}, {2: 3}"} <= {*list_inputs("python", "{1: 2}, {2: 3}")}


def test_a_character_of_the_program_is_a_text_and_a_character_of_a_call_stays_one() -> None:
    lang = language("java")
    source = "class Main { static boolean f(String a, char b) { return a.charAt(0) == 'x' || b == 'y'; } }"
    inputs = list_corner_inputs(lang, lang.syntax.parse(source, ""), "\"ab\", 'c'", 100)
    assert {"\"x\", 'c'", "\"abx\", 'c'", "\"ab\", 'y'"} <= {*inputs}
