from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.php import PHP

LANGUAGE = PHP()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("array(1, 2)", [1, 2]),
        ("[1, 2, ]", [1, 2]),
        ("[0 => 1, 1 => 2]", [1, 2]),
        ("['0' => 1, '1' => 2]", [1, 2]),
        ("[1 => 'b', 0 => 'a']", ["a", "b"]),
        ("['a' => 1, 5 => 2, 3]", {"a": 1, 5: 2, 6: 3}),
        ("['a' => ['b' => null]]", {"a": {"b": None}}),
        ("[true => 1, null => 2, 1.9 => 3]", {1: 3, "": 2}),
        ("array()", []),
        ("TRUE", True),
        ("NULL", None),
        ("[NAN, -INF]", [math.nan, -math.inf]),
        ("017", 15),
        ("9223372036854775808", 2.0**63),
        ("PHP_INT_MIN", -(2**63)),
        ("'it\\'s $x \\n'", "it's $x \\n"),
        ('"a\\n\\$x \\u{41}\\x42\\q"', "a\n$x AB\\q"),
        ("'é'", "é"),
        ('"\\xff"', "\udcff"),
        ("6 / 3", 2),
        ("7 / 2", 3.5),
        ("-7 % 3", -1),
        ("[1, 2] # two", [1, 2]),
    ],
)
def test_reads(text: str, value: Any) -> None:
    assert LANGUAGE.values.equal(LANGUAGE.values.read(text).value, value)


@pytest.mark.parametrize(
    "text",
    [
        *["$x", '"a $x"', '"{$x}"', "[&$x]", "[...$x]", "1 . 2", "(int) 3", "!0", "1 % 0", "1 / 0", "[[1] => 2]"],
        *["f(1)", "new A", "1 ?> x", "list(1)", "X", "A::B", "fn() => 1", "1 <=> 2", "true + 1", "-'3'", "089"],
        *["'a", "[1, 2", "<<<A\nx\nA", "[NAN => 1]", '"\\u{110000}"', "1 ?: 2", "`ls`"],
        *["[9e99 => 1]", '"\\u{}"', '"\\u{1F600"', '"\\u{x}"'],
    ],
)
def test_refuses(text: str) -> None:
    with pytest.raises(NotALiteral):
        LANGUAGE.values.read(text)


def test_int_and_float_differ() -> None:
    assert not LANGUAGE.values.equal(1, 1.0)
    assert not LANGUAGE.values.equal(True, 1)
    assert LANGUAGE.values.equal([1.0], [1.0])


def test_a_list_is_the_array_of_its_keys() -> None:
    assert LANGUAGE.values.equal([7, 8], {0: 7, 1: 8})
    assert LANGUAGE.values.equal([7, 8], {"1": 8, "0": 7})
    assert LANGUAGE.values.equal([], {})
    assert not LANGUAGE.values.equal([7, 8], {1: 7, 2: 8})


def test_writes_as_people_do() -> None:
    assert (
        LANGUAGE.values.write({"a": [1, 2.0, None, True], 3: "it's"}) == "['a' => [1, 2.0, null, true], 3 => 'it\\'s']"
    )
    assert LANGUAGE.values.write("a\n$b") == '"a\\n\\$b"'
    with pytest.raises(TypeError, match="bytes"):
        LANGUAGE.values.write(b"x")


def test_assertion() -> None:
    assert LANGUAGE.values.assertion("f(81)") == ("assert(f(81) === ", ");")
