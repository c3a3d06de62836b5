from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.results.records.list_items import find_items


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("[1, 2]", ["1", "2"]),
        ("array( 1,2 )", ["1", "2"]),
        ("[]", []),
        ("['a,b', [1, 2]]", ["'a,b'", "[1, 2]"]),
        (r"['a\', b', 2]", [r"'a\', b'", "2"]),
        ("array(array(1), 'array')", ["array(1)", "'array'"]),
        ("38", None),
        ("[", None),
        ("", None),
    ],
)
def test_the_items_of_a_list(text: str, items: list[str] | None) -> None:
    spans = find_items(text)
    assert (None if spans is None else [text[start:end] for start, end in spans]) == items


@given(st.text("[](),'\" \\a1{}"))
def test_items_stand_in_order_and_do_not_overlap(inside: str) -> None:
    text = f" array({inside}) "
    ends = [place for span in find_items(text) or [] for place in span]
    assert ends == sorted(ends)


@given(st.lists(st.integers(), min_size=1, max_size=8))
def test_lists_of_numbers(values: list[int]) -> None:
    text = str(values)
    assert [text[start:end] for start, end in find_items(text) or []] == [str(value) for value in values]
