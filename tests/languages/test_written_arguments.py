"""Arguments with other values, in the form of those of a known call."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.java.values.data import Char, Float, Long
from pytest_codereason.questions.authoring._corner_inputs import list_corner_inputs
from pytest_codereason.questions.authoring.further_calls import make_run, read_ends
from pytest_codereason.questions.authoring.near_inputs import list_drifted_inputs
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox

JAVA = language("java")
NEW = "new ArrayList<Long>(Arrays.asList((long)1l, (long)2l))"
MAP = "new HashMap<String, ArrayList<Long>>()"


@pytest.mark.parametrize(
    ("like", "values", "text"),
    [
        (NEW, [[7, 8, Long(9)]], "new ArrayList<Long>(Arrays.asList((long) 7L, (long) 8L, (long) 9L))"),
        (NEW, [[]], "new ArrayList<Long>()"),
        ("new ArrayList<Long>()", [[3]], "new ArrayList<Long>(Arrays.asList(3L))"),
        (
            MAP,
            [{"a": [1]}],
            'new HashMap<String, ArrayList<Long>>(Map.of("a", new ArrayList<Long>(Arrays.asList(1L))))',
        ),
        ("new TreeSet<>() {{ add(3); }}", [{5, 4}], "new TreeSet<>(Arrays.asList(4, 5))"),
        ('Map.of("a", 1L)', [{"b": 2}], 'Map.of("b", 2L)'),
        ("new int[] {}, new long[][] {{1}}", [[4], [[], [2]]], "new int[] {4}, new long[][] {{}, {2}}"),
        ("Arrays.asList(1), List.of(), Set.of(2)", [[], ["a"], {4}], 'Arrays.asList(), List.of("a"), Set.of(4)'),
        ('List.of(1, "a")', [["b", 2]], 'List.of("b", 2)'),
        ("Pair.with(1L, 'a')", [(2, "b")], "Pair.with(2L, 'b')"),
        ("(short) 1, Long.valueOf(1L), 0.5f", [2, 3, 4.5], "(short) 2, Long.valueOf(3L), 4.5f"),
        ('("a"), null, true', ["b", 5, False], '"b", 5, false'),
        ("1", [2, 3], "2, 3"),  # one too many has the form of the last one
        ("1, 2", [3], "3"),
        ("new int[] {1}", [[Long(2)]], "new int[] {2}"),
    ],
)
def test_a_value_takes_the_form_of_the_one_that_it_replaces(like: str, values: list[Any], text: str) -> None:
    assert JAVA.values.write_arguments(values, like) == text
    assert JAVA.values.equal([*JAVA.values.read_arguments(text).values], values) or "'b'" in text


def test_more_entries_than_ten_are_written() -> None:
    entries = {str(number): number for number in range(11)}
    text = JAVA.values.write_arguments([entries], 'new HashMap<>(Map.of("a", 1L))')
    assert text.startswith('new HashMap<>(Map.ofEntries(Map.entry("0", 0L), ')
    assert JAVA.values.read_arguments(text).values == (entries,)


@pytest.mark.parametrize(
    ("like", "value"),
    [
        ("new ArrayList<Long>()", ["a"]),
        (NEW, {1}),
        (NEW, 1),
        ("1", "a"),
        ("1", 1.5),
        ("1", Long(2**31)),
        ("true", 1),
        ("'a'", "ab"),
        ("new int[] {1}", {1: 2}),
    ],
)
def test_what_the_method_would_not_take_is_not_written(like: str, value: Any) -> None:
    with pytest.raises(NotALiteral):
        JAVA.values.write_arguments([value], like)


@pytest.mark.parametrize(("like", "kind"), [("1L", Long), ("0.5f", Float), ("'a'", Char)])
def test_a_value_takes_the_type_of_a_number_or_character(like: str, kind: type[Any]) -> None:
    value = {Long: 3, Float: 1.5, Char: "b"}[kind]
    assert type(JAVA.values.read_arguments(JAVA.values.write_arguments([value], like)).values[0]) is kind


@pytest.mark.parametrize("name", ["python", "javascript", "php"])
def test_a_list_of_one_form_is_written_as_ever(name: str) -> None:
    assert language(name).values.write_arguments([[1], 2], "[5, 6], 7") == "[1], 2"


SOURCE = """import java.util.*;
class Main {
  static int f(ArrayList<Long> a, HashMap<String, Long> b, int[] c, String d, char e) {
    a.add(1L);
    b.put("z", a.get(0));
    return a.size() + b.size() + c.length + d.length();
  }
}
"""
ARGUMENTS = """new ArrayList<Long>(Arrays.asList((long)1l)), (new HashMap<String,Long>(Map.of("a", 2l))), \
new int[] {3}, "x", 'y'"""


def test_methods_take_what_is_drawn_near_a_call_and_at_corners(sandbox: Sandbox) -> None:
    program = Program(language="java", files={"Main.java": SOURCE}, entry="Main.java", call=f"Main.f({ARGUMENTS})")
    drifted = list_drifted_inputs(JAVA, ARGUMENTS, 40)
    corners = list_corner_inputs(JAVA, JAVA.syntax.parse(SOURCE, program.call), ARGUMENTS, 40)
    assert any(text.startswith("new ArrayList<Long>(), ") for text in corners)
    inputs = [*drifted, *corners]
    job = make_run(program, [f"Main.f({text})" for text in inputs], Run.from_program(program).limits)
    assert job is not None
    ends = read_ends(sandbox.run(job), len(inputs))
    assert len(ends) == len(inputs) > 50
    assert all(end.returned for end in ends)
    assert len({end.value for end in ends}) > 5
