"""Equations with steps."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.literals import LiteralReader
from pytest_codereason.questions.replies.statements.chains import read_chain
from pytest_codereason.registry import language


@pytest.mark.parametrize(
    ("text", "value"),
    [("2 * 4 = 8", 8), (" g(3) + 1 = 7 + 1 = 8.", 8), ("8", None), ("n = 8", None), ("2 * 4 = x", None)],
)
def test_the_last_value_counts(text: str, value: int | None) -> None:
    chain = read_chain(LiteralReader(language("python"), len(text)), text, 0)
    read = chain[0].value if chain else None
    assert (read.value if read else None) == value
