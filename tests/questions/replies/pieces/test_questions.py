"""Where a reply goes on with another question."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.pieces.questions import list_beginnings


@pytest.mark.parametrize(
    ("text", "beginnings"),
    [
        ("42\n\n[CODE]\nx\n[/CODE]\n43", ["42\n\n"]),
        ("42\n[TOY]\nx", ["42\n"]),
        ("42\n[ASSERTION]\nassert f(1) == ??\n[/ASSERTION]", ["42\n"]),
        ("[ASSERTION]\nassert f(1) == 42\n[/ASSERTION]", []),
        ("[CODE]\nx\n[/CODE]\n42", []),
        ("42\n\nQuestion 2: and f(4)?", ["42\n\n"]),
        ("42\n### Instruction: more", ["42\n### "]),
        ("A question: why 42?", []),
        ("42", []),
    ],
)
def test_beginnings(text: str, beginnings: list[str]) -> None:
    assert list(list_beginnings(text, "Toy")) == beginnings
