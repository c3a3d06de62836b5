"""Labels of lines that a reply copied along."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.questions.replies.pieces.labels import strip_labels


@pytest.mark.parametrize(
    ("line", "stripped"),
    [
        ("3f2a1c def f(n):", "def f(n):"),
        ("3F2A1C     return n", "    return n"),
        ("  3f2a1c x", "x"),
        ("3f2a1c", ""),
        ("7 x", "x"),
        ("3f2a1d x", "3f2a1d x"),
        ("3f2a1cx", "3f2a1cx"),
        ("def f(n):", "def f(n):"),
        ("", ""),
    ],
)
def test_a_known_label_is_stripped(line: str, stripped: str) -> None:
    assert strip_labels([line], ["3f2a1c", " 7"]) == [stripped]


@given(st.lists(st.text("ab ", max_size=5)), st.lists(st.sampled_from(["aa", "b"])))
def test_lines_come_back_from_behind_their_labels(lines: list[str], labels: list[str]) -> None:
    assert strip_labels([f"label {line}" for line in lines], ["label", *labels]) == lines
