from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.javascript import JavaScript
from pytest_codereason.languages.javascript.values import UNDEFINED, BigInt

JAVASCRIPT = JavaScript()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2]", [1, 2]),
        ("[ 1, 2, ]", [1, 2]),
        ("{a: 1, 'b': [null], 3: true}", {"a": 1, "b": [None], "3": True}),
        ("{}", {}),
        ("undefined", UNDEFINED),
        ("[NaN, -Infinity]", [math.nan, -math.inf]),
        ("12n", BigInt(12)),
        ("-12n", BigInt(-12)),
        ("0x1F", 31),
        ("'\\ud83d\\ude00'", "😀"),
        ("`a\n'b'`", "a\n'b'"),
        ("`a\r\nb\rc\\r`", "a\nb\nc\r"),  # every line end of a template is a line feed
        ('"\\u{41}\\x42\\\n\\q"', "ABq"),
        ("7 // 2", 7),
        ("1 / 0", math.inf),
    ],
)
def test_reads(text: str, value: Any) -> None:
    assert JAVASCRIPT.values.equal(JAVASCRIPT.values.read(text).value, value)


@pytest.mark.parametrize(
    "text",
    [
        *["[1,,2]", "[,]", "017", "1__0", "`${1}`", "{a}", "{[a]: 1}", "{a() {}}", "[...x]", "{...x}", "(1, 2)", "!0"],
        *["1n + 1n", "+1n", "1n + 1", "true + 1", "-'3'", "new Map()", "/x/", "() => 1", "x.y", "typeof 1", "'\\1'"],
        *["'\\u{110000}'", "'\\u12'", "1 & 2", "1 < 2", "{a: 1} + 1", "1\n2", "[1, 2]]", "'a", "1 ? 2 : 3"],
    ],
)
def test_refuses(text: str) -> None:
    with pytest.raises(NotALiteral):
        JAVASCRIPT.values.read(text)


def test_there_is_one_type_of_number() -> None:
    assert JAVASCRIPT.values.equal(1, 1.0)
    assert JAVASCRIPT.values.equal(JAVASCRIPT.values.read("1.0").value, 1)
    assert JAVASCRIPT.values.equal(2**53 + 1, 2**53)  # the first integer that no number can hold
    assert JAVASCRIPT.values.equal(10**400, math.inf)


def test_what_is_the_same_to_others_differs() -> None:
    assert not JAVASCRIPT.values.equal(None, UNDEFINED)
    assert not JAVASCRIPT.values.equal(BigInt(1), 1)
    assert not JAVASCRIPT.values.equal(True, 1)
    assert not JAVASCRIPT.values.equal([], {})


def test_every_key_is_a_string() -> None:
    assert JAVASCRIPT.values.equal({1: "a", 2.5: "b"}, {"1": "a", "2.5": "b"})
    assert JAVASCRIPT.values.read("{1.0: 'a', 1: 'b'}").value == {"1": "b"}


def test_negative_zero_is_written_and_read() -> None:
    assert JAVASCRIPT.values.write(-0.0) == "-0"
    assert math.copysign(1, JAVASCRIPT.values.read("-0").value) == -1


def test_writes_as_people_do() -> None:
    assert JAVASCRIPT.values.write({"a": [1, 2.0, None], "b c": "it's"}) == '{ a: [1, 2, null], "b c": "it\'s" }'
    with pytest.raises(TypeError, match="bytes"):
        JAVASCRIPT.values.write(b"x")


def test_assertion() -> None:
    assert JAVASCRIPT.values.assertion("f(81)") == ("assert.deepStrictEqual(f(81), ", ");")


def test_a_key_that_would_set_the_prototype_is_computed() -> None:
    assert JAVASCRIPT.values.write({"__proto__": 1}) == '{ ["__proto__"]: 1 }'
    assert JAVASCRIPT.values.read('{ ["__proto__"]: 1, "a": 2 }').value == {"__proto__": 1, "a": 2}
    for text in ("{__proto__: null}", "{'__proto__': {}}", "{[a]: 1}"):
        with pytest.raises(NotALiteral):
            JAVASCRIPT.values.read(text)
