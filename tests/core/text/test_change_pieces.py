"""Pieces of a change: all of them make the change, none of them leaves the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core.text.change_pieces import keep_pieces, list_pieces

BEFORE = "def f(n):\n    return n\n"
LINES = st.lists(st.sampled_from(["a\n", "b\n", "  c\n", "}\n", "\n"]), max_size=8)


@pytest.mark.parametrize(
    ("after", "pieces"),
    [
        (BEFORE, []),
        ("m = 3\n" + BEFORE, ["m = 3\n"]),
        ("m = 3\ndef g():\n    return 1\n" + BEFORE, ["m = 3\n", "def g():\n    return 1\n"]),
        (
            "def f(n):\n    if None:\n        n = 1\n    else:\n        n = n\n    k = 2\n    return n\n",
            ["    if None:\n        n = 1\n    else:\n        n = n\n", "    k = 2\n"],
        ),
        ("def f(n):  # one\n    return n  # two\n", ["def f(n):  # one\n", "    return n  # two\n"]),
        (BEFORE + "function g() {\n  return 1;\n}\nlet k = 2;\n", ["function g() {\n  return 1;\n}\n", "let k = 2;\n"]),
    ],
)
def test_the_pieces_of_a_change(after: str, pieces: list[str]) -> None:
    assert ["".join(piece.lines) for piece in list_pieces(BEFORE, after)] == pieces


@given(before=LINES.map("".join), after=LINES.map("".join), drawn=st.sets(st.integers(0, 7)))
def test_all_pieces_make_the_change_and_none_leaves_the_text(before: str, after: str, drawn: set[int]) -> None:
    pieces = list_pieces(before, after)
    assert keep_pieces(before, pieces, range(len(pieces))) == after
    assert keep_pieces(before, pieces, ()) == before
    kept = sorted(drawn & set(range(len(pieces))))
    some = keep_pieces(before, pieces, kept)
    assert some.count("\n") == before.count("\n") + sum(
        len(pieces[n].lines) - (pieces[n].end - pieces[n].start) for n in kept
    )
