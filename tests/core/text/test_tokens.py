"""The estimate of how long a text is in tokens."""

from __future__ import annotations

import pytest

from pytest_codereason.core.text.tokens import estimate_length


@pytest.mark.parametrize(
    ("text", "tokens"),
    [  # by SmolLM2's tokenizer
        ("", 0),
        ("def f(text):\n    return text.upper()\n", 12),
        ("assert f([1, 2, 33]) == ", 14),
        ("3fa9c1 def add(a, b):\n77b0e2     return a + b\n", 25),
    ],
)
def test_the_estimate_is_near_what_a_tokenizer_says(text: str, tokens: int) -> None:
    assert abs(estimate_length(text) - tokens) <= max(1, tokens // 4)
