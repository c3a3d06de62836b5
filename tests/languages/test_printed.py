"""Values as languages print them, and values that have no literal: only answers are read so."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.java.values.data import Optional
from pytest_codereason.registry import language

PRINTED: list[tuple[str, str, Any]] = [
    ("javascript", "Set(2) { 1, 2 }", [1, 2]),
    ("javascript", "Set { 1 }", [1]),
    ("javascript", "Map(1) { 'a' => [ 1 ] }", {"a": [1]}),
    ("javascript", "{ a: Map(0) {} }", {"a": {}}),
    ("javascript", "[Object: null prototype] { a: 1 }", {"a": 1}),
    ("javascript", "Uint8Array(2) [ 1, 2 ]", [1, 2]),
    ("javascript", "[ 'Set(1) { 1 }' ]", ["Set(1) { 1 }"]),
    ("javascript", "new Set([1, 2, 1])", [1, 2]),
    ("javascript", "new Map([['a', 1], [2, 3]])", {"a": 1, "2": 3}),
    ("php", "int(42)", 42),
    ("php", "float(1.5)", 1.5),
    ("php", "float(-INF)", float("-inf")),
    ("php", "bool(false)", False),
    ("php", "NULL", None),
    ("php", 'string(3) "a"b"', 'a"b'),
    ("php", 'string(2) "é"', "é"),
    ("php", 'array(2) {\n  [0]=>\n  int(1)\n  ["a"]=>\n  array(0) {\n  }\n}', {0: 1, "a": []}),
    ("php", "Array\n(\n    [0] => 1\n    [1] => ab\n)\n", [1, "ab"]),
    ("php", "Array ( [a] => 1 [b] => Array ( [0] => x ) )", {"a": 1, "b": ["x"]}),
    ("java", "{a=1, b=[x, 2]}", {"a": 1, "b": ["x", 2]}),
    ("java", "[ab, cd]", ["ab", "cd"]),
    ("java", "Optional[5]", Optional(5)),
    ("java", "Point[x=1, y=null]", {"x": 1, "y": None}),
    ("java", "new int[0]", []),
]


@pytest.mark.parametrize(("name", "text", "value"), PRINTED)
def test_what_is_printed_is_read_as_an_answer(name: str, text: str, value: Any) -> None:
    values = language(name).values
    assert values.equal(values.read_answer(text).value, value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("javascript", "new Date(0)"),
        ("javascript", "new Set(f(3))"),
        ("javascript", "Map(1) { 'a' => f(3) }"),
        ("php", 'string(3) "ab"'),
        ("php", "array(1) { int(1) }"),
        ("php", "int(f(3))"),
        ("java", "[ANSWER]"),
        ("java", "[f(3)]"),
        ("java", "[x + 1, y]"),
        ("java", "ab"),
        ("java", "{a=}"),
        ("java", "new int[3]"),
        ("python", "Set(1) { 1 }"),
    ],
)
def test_other_texts_are_no_answers(name: str, text: str) -> None:
    with pytest.raises(NotALiteral):
        language(name).values.read_answer(text)


@pytest.mark.parametrize("name", ["python", "javascript", "php", "java"])
@pytest.mark.parametrize("opening", ["[", "{a=", "Array ( [0] => ", "Set(1) { ", "array(1) { [0]=> "])
def test_deep_texts_end(name: str, opening: str) -> None:
    with pytest.raises(NotALiteral):
        language(name).values.read_answer(opening * 5_000)
