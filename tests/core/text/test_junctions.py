"""New text does not join its neighbours."""

from __future__ import annotations

import pytest

from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text.junctions import insert_apart, keep_apart


@pytest.mark.parametrize(
    ("source", "old", "new", "after"),
    [
        ("0x1for n", "or", "and", "0x1f and n"),
        ("1or n", "1", "0", "0 or n"),
        ("return!n", "!", "", "return n"),
        ("return(a)&&b", "(a)&&", "", "return b"),
        ("x = n or(a)if b else c", "or(a)", "", "x = n if b else c"),
        ("a-+b", "-", "+", "a+ +b"),
        ("a-!-b", "!", "", "a- -b"),
        ("a*/* c */b", "*", "/", "a/ /* c */b"),
        ("$a-$b", "a", "b", "$b-$b"),
        ("a - b", "-", "+", "a + b"),
        ("a<b", "<", "<=", "a<=b"),
        ("f(a)", "a", "b", "f(b)"),
        ("at(n)", "n", "n + 1", "at(n + 1)"),
        ("not a", "not ", "", "a"),
        ("x==-1", "==", "!=", "x!=-1"),
        ("n<=-1", "<=", "<", "n< -1"),
    ],
)
def test_a_blank_keeps_new_text_apart(source: str, old: str, new: str, after: str) -> None:
    at = source.index(old)
    span = Span(at, at + len(old))
    assert f"{source[:at]}{keep_apart(source, span, new)}{source[span.end :]}" == after


@pytest.mark.parametrize(
    ("source", "at", "text", "after"),
    [
        ("if[n]:", 2, "not ", "if not [n]:"),
        ("0if(n)else 1", 6, " or False", "0if(n) or False else 1"),
        ("ab", 1, "", "ab"),
    ],
)
def test_an_insertion_is_kept_apart(source: str, at: int, text: str, after: str) -> None:
    edit = insert_apart(source, at, text)
    assert f"{source[: edit.at]}{edit.text}{source[edit.at :]}" == after
