"""The axis value that says which lines of a program are removed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core.text.removals import format_removal, parse_removal


@given(st.sets(st.integers(1, 12)))
def test_a_value_says_which_lines(lines: set[int]) -> None:
    assert parse_removal(format_removal(sorted(lines), 12)) == (tuple(sorted(lines)), 12)


@pytest.mark.parametrize("value", ["", "of3", "1+of3", "01of3", "1,2of3", "1of", "1of3 "])
def test_another_text_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="does not say which lines are removed"):
        parse_removal(value)
