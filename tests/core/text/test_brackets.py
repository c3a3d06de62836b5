"""Brackets outside strings."""

from __future__ import annotations

import pytest

from pytest_codereason.core.text.brackets import MAX_SPAN, find_closing_bracket


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
