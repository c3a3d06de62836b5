"""The plain look of a text: what changes, and that no string literal does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.questions.replies.pieces.look import read_plainly


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("［１，２］", "[1, 2]"),
        ("（４２）", "(42)"),
        ("“ab”", '"ab"'),
        ("‘ab’", "'ab'"),
        ("don’t", "don’t"),
        ("−5 and –5, 3 – 5", "-5 and -5, 3 – 5"),
        ("\ufeff4\u200b2\u00a0", "42 "),
        ("٤٢ ४२", "42 42"),
        ("返回 42。", "返回 42. "),
        ("a ⇒ b", "a → b"),
        ("<b>42</b> <code>x</code>", "42 x"),
        ("a < b > c", "a < b > c"),
        ("~~41~~ 42", " 42"),
        ("$42$ and \\(43\\)", "42 and  43 "),
        ("$9{,}500$", "9500"),
        ("$f(3) = 42$.", "f(3) = 42."),
        ("\\boxed{\\{1\\}}", "\\boxed{{1}}"),
        ("$a = 1; $b = $a;", "$a = 1; $b = $a;"),
        ("it costs $5 and $6", "it costs $5 and $6"),
    ],
)
def test_looks(text: str, plain: str) -> None:
    assert read_plainly(text) == plain


STRINGS = [
    "'１'",
    '"“ab”"',
    "'a\\'１'",
    "b'x'",
    "'<b>x</b>'",
    "'$1$'",
    "'\\\\('",
    "'''１\n“x”'''",
    "'~~1~~'",
    "'\u200b'",
    "(`１`)",
]


@pytest.mark.parametrize("string", STRINGS)
def test_strings_stay_as_they_stand(string: str) -> None:
    for text in (string, f"assert f(3) == {string}", f"[{string}, １]", f"Es ist {string}。"):
        assert string in read_plainly(text)


@given(st.text(st.characters(codec="ascii", exclude_characters="\\<$~{")))
def test_plain_text_stays(text: str) -> None:
    assert read_plainly(text) == text
