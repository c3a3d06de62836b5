from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.reporters.list_diff import compare_lists


@pytest.mark.parametrize(
    ("expected", "answer", "left", "right", "sentence"),
    [
        ("[1, 2]", "[1, 3]", ["2"], ["3"], "1 of 2 positions differs"),
        ("[1, 2]", "array( 1,2 )", [], [], "0 of 2 positions differ"),
        ("[1, 2]", "[1, 2, 3]", [], ["3"], "1 of 3 positions differs"),
        ("[1]", "[]", ["1"], [], "1 of 1 position differs"),
        ("['a,b', [1, 2]]", "['a,b', [1, 3]]", ["[1, 2]"], ["[1, 3]"], "1 of 2 positions differs"),
        (r"['a\', b', 2]", r"['a\', b', 3]", ["2"], ["3"], "1 of 2 positions differs"),
        (
            "array(array(1), 'array')",
            "array(array(2), 'array')",
            ["array(1)"],
            ["array(2)"],
            "1 of 2 positions differs",
        ),
        ("38", "[38]", [], [], ""),
        ("", "[", [], [], ""),
    ],
)
def test_which_positions_differ(expected: str, answer: str, left: list[str], right: list[str], sentence: str) -> None:
    one, other, text = compare_lists(expected, answer)
    assert [piece.text for piece in one if piece.differs] == left
    assert [piece.text for piece in other if piece.differs] == right
    assert text == sentence


@given(st.text("[](),'\" \\a1{}"), st.text("[](),'\" \\a1{}"))
def test_no_character_is_lost(a: str, b: str) -> None:
    left, right, _ = compare_lists(f"[{a}]", f" array({b}) ")
    assert "".join(piece.text for piece in left) == f"[{a}]"
    assert "".join(piece.text for piece in right) == f" array({b}) "


@given(st.lists(st.integers(), min_size=1, max_size=8), st.data())
def test_lists_of_numbers(values: list[int], data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(values) - 1))
    other = [v + (i == position) for i, v in enumerate(values)]
    left, right, _ = compare_lists(str(values), str(other))
    assert [piece.text for piece in left if piece.differs] == [str(values[position])]
    assert [piece.text for piece in right if piece.differs] == [str(other[position])]
