"""Patterns of words: the same matches as of the plain pattern, in any text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core.language.structure import list_words
from pytest_codereason.languages.frame.words import match_words
from pytest_codereason.languages.python.dialect import EQUALITY

WORDS = ("if", "def", "defer", "_f")
PIECES = st.lists(st.sampled_from([*WORDS, ".", " ", "(", "x", "é", "1", "\n"]), max_size=8).map("".join)


@given(PIECES)
def test_words_match_as_between_word_borders(text: str) -> None:
    plain = re.compile(rf"\b(?:{'|'.join(WORDS)})\b")
    assert [m.span() for m in re.finditer(match_words(WORDS), text)] == [m.span() for m in plain.finditer(text)]


@given(PIECES)
def test_what_stands_around_a_word_can_be_chosen(text: str) -> None:
    plain = re.compile(rf"(?<!\.)\b(?:{'|'.join(WORDS)})\b(?!\()")
    pattern = match_words(WORDS, unless_behind=r"[.\w]", then=r"\b(?!\()")
    assert [m.span() for m in re.finditer(pattern, text)] == [m.span() for m in plain.finditer(text)]


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        *[("n / 2", True), ("n // 2", False), ("n ** 2", True), ("2. + n", True), (".5", True), ("n.x", False)],
        *[("2j", True), ("1e5", True), ("1e-5", True), ("nan", True), ("nano", False), ("made5", False)],
    ],
)
def test_a_number_with_a_fraction_may_lead_to_nan(text: str, matches: bool) -> None:
    assert bool(EQUALITY.unequal.search(text)) == matches


@given(st.text(st.characters(max_codepoint=127)))
def test_the_words_of_a_text_are_found_without_a_search(text: str) -> None:
    assert list_words(text) == re.findall(r"\w+", text)


def test_words_are_spelled_as_names_are_compared() -> None:
    assert list_words("ﬁx = 1  # Ünder") == ["fix", "1", "Ünder"]
