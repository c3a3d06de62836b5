"""Strings in the text of a reply."""

from __future__ import annotations

import re

import pytest

from pytest_codereason.questions.replies.pieces.strings import (
    STRING,
    compile_outside,
    has_any,
    replace_outside,
    stands_in_string,
)


@pytest.mark.parametrize(
    ("text", "strings"),
    [
        ("'a' \"b\"", ["'a'", '"b"']),
        (r"'a\'b' c", [r"'a\'b'"]),
        (r'"a\"b" c', [r'"a\"b"']),
        ("'''a\n'b''' c", ["'''a\n'b'''"]),
        ('"""a\n"b""" c', ['"""a\n"b"""']),
        ("b'a' f\"b\" Rb'c'", ["b'a'", 'f"b"', "Rb'c'"]),
        ("don't, can't", []),
        ("'a\nb'", []),
        ("f(`a`) = `b` x `c` [`d`]", ["`a`", "`b`", "`d`"]),
        ("the `a` and `b`", []),
        ("''", ["''"]),
        ("'a", []),
    ],
)
def test_what_a_string_is(text: str, strings: list[str]) -> None:
    assert [match[0] for match in re.finditer(STRING, text, re.DOTALL)] == strings


def test_only_what_stands_outside_of_strings_is_replaced() -> None:
    pattern = compile_outside("x+")
    assert replace_outside(pattern, lambda match: f"<{match[0]}>", "xx 'xx' \"x\" x") == "<xx> 'xx' \"x\" <x>"
    assert replace_outside(compile_outside("x", re.IGNORECASE), lambda _: "", "xX 'X'") == " 'X'"


def test_signs_are_looked_for_one_by_one() -> None:
    assert has_any("a[b", ("<", "["))
    assert not has_any("ab", ("<", "["))
    assert not has_any("ab", ())


@pytest.mark.parametrize(
    ("text", "part", "inside"),
    [
        ("'a b c'", "b", True),
        ('"a b c"', "b", True),
        ("f(`a b c`)", "b", True),
        ("'a' b 'c'", "b", False),
        ("'a' 'b'", "b", True),
        ("'b", "b", False),
        ("a b c", "b", False),
        ("'b'", "'b'", False),  # the string itself does not stand in it
        ("'a b'", "b'", False),
        ("'x\nb y'", "b", False),  # a string ends with its line
        ("'''x\n'b'", "b", True),
        ("'''x\nb y'''", "b", False),
        ("b 'c'", "b", False),
    ],
)
def test_a_text_stands_in_a_string_on_its_line(text: str, part: str, inside: bool) -> None:
    start = text.rindex(part)
    assert stands_in_string(text, start, start + len(part)) is inside


def test_a_string_far_away_is_not_seen() -> None:
    text = "'" + "x" * 298 + "b'"
    assert stands_in_string(text, 299, 300)
    assert not stands_in_string("x" + text.replace("'", "'xx", 1), 302, 303)
