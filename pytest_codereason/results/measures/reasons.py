"""Why answers could not be right or wrong, as a summary counts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from pytest_codereason.core import Outcome
from pytest_codereason.results.records.records import OUTCOMES

_REASONS = 5  # the most frequent ones of each outcome


def count_reasons(part: pd.DataFrame) -> dict[Outcome, tuple[tuple[str, int], ...]]:
    """Why answers could not be right or wrong, the most frequent reasons first."""
    rows = part[~part["outcome"].isin(["correct", "wrong"]) & (part["reason"] != "")]
    reasons: dict[Outcome, tuple[tuple[str, int], ...]] = {}
    for outcome in OUTCOMES:
        texts = [str(text) for text in rows["reason"][rows["outcome"] == outcome]]
        counts = Counter(_join_details(texts) if outcome == "skipped" else texts)
        if top := tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_REASONS]):
            reasons[outcome] = top
    return reasons


def _join_details(reasons: Sequence[str]) -> list[str]:
    """The reasons, in which ``KIND: detail`` and ``KIND: another`` have become ``KIND (such as: detail)``.

    Every wrong record of a data set has values of its own. Counted one by one, none of them would be named.
    """
    details: dict[str, dict[str, None]] = {}
    for kind, _, detail in (reason.partition(": ") for reason in reasons):
        details.setdefault(kind, {})[detail] = None
    joined = []
    for reason in reasons:
        kind, colon, _ = reason.partition(": ")
        several = colon and len(details[kind]) > 1
        joined.append(f"{kind} (such as: {min(filter(None, details[kind]))})" if several else reason)
    return joined
