"""Literals in inline code: the last one to which words lead, unless they deny it or speak of another call."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.literals import LiteralReader
from pytest_codereason.questions.replies.pieces.inline import find_inline
from pytest_codereason.registry import language


def find(text: str) -> str | None:
    candidate = find_inline(LiteralReader(language("python"), len(text)), text, "f(3)")
    return candidate.text if candidate else None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("First `1`, so we get `[2, 4]`", "[2, 4]"),
        ("Only `8` is left", "8"),
        ("Is it `8`, or is it `9`", None),
        ("We get `8`, not `9`", "8"),
        ("It never is `n + 1`, so never `8`", None),
        ("`f(5)` gives `8`", None),
        ("`f(5)` gives `8`. Then `f(3)` gives `6`", "6"),
        ("`f(3)` gives `6`. Then `f(5)` gives `8`", "6"),
        ("`f()` gives `8`", "8"),
        ("- set `a` → `8`\n- now the loop", None),
        ("- set `a` → `8`\n- now the loop.", "8"),
        ("- set `a` → `7`\n- and so we get `8` from", "8"),
    ],
)
def test_words_lead_to_a_literal(text: str, found: str | None) -> None:
    assert find(text) == found
