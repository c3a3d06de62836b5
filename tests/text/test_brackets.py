"""Brackets and commas outside strings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.text.brackets import MAX_SPAN, empty_strings, find_closing_bracket, split_at_commas


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("1)", 1),
        ("(1), [2])", 8),
        ("')')", 3),
        ("1", None),
        ("]", None),
        ("'''a)b''')", 9),
        ("`)`)", 3),
        ("'\\')')", 5),
    ],
)
def test_the_bracket_that_closes(text: str, end: int | None) -> None:
    assert find_closing_bracket(text, 0) == end


def test_a_bracket_too_far_away_is_not_looked_for() -> None:
    assert find_closing_bracket(" " * (MAX_SPAN - 1) + ")", 0) == MAX_SPAN - 1
    assert find_closing_bracket(" " * MAX_SPAN + ")", 0) is None


@given(st.lists(st.sampled_from(["1", "'a,b'", "[1, 2]", "{'a': 1, 'b': (2, 3)}", '"\\","', ""]), min_size=1))
def test_parts_come_back(parts: list[str]) -> None:
    assert list(split_at_commas(",".join(parts))) == parts


def test_strings_are_emptied() -> None:
    assert empty_strings("f('a', \"b\", `c`) + g") == "f('', '', '') + g"
