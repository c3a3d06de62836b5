"""Tokens that answers took, as a metric like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.core import Metric

if TYPE_CHECKING:
    import pandas as pd

#: A metric of the column that :func:`add_tokens` adds.
TOKENS = Metric(name="tokens", title="Tokens per answer", binary=False, higher_is_better=False)


def add_tokens(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with the column ``metrics.tokens``: tokens of reasoning where known, else of the whole completion."""
    return rows.assign(**{"metrics.tokens": rows["usage.reasoning"].fillna(rows["usage.completion"])})
