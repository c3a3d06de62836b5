"""Tokens of answers as a metric."""

from __future__ import annotations

import pandas as pd

from pytest_codereason.results.measures.tokens import TOKENS, add_tokens


def test_tokens_of_reasoning_count_where_they_are_known() -> None:
    rows = pd.DataFrame({"usage.reasoning": [7.0, 0.0, None, None], "usage.completion": [9.0, 8.0, 5.0, None]})
    added = add_tokens(rows)[f"metrics.{TOKENS.name}"]
    assert added[:3].tolist() == [7.0, 0.0, 5.0]
    assert added.isna().tolist() == [False, False, False, True]
    assert not TOKENS.higher_is_better
    assert not TOKENS.is_share
