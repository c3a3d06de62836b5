"""Who wrote the hints that were shown."""

from __future__ import annotations

import pandas as pd


def written(frame: pd.DataFrame) -> dict[str, int]:
    """How many programs were shown with a hint by whom (see :attr:`Record.hint_by`), the most first.

    A program counts once for each suite and language, however often and of however many models it is asked.
    """
    shown = frame.loc[frame["hint_by"] != "", ["suite", "language", "family", "hint_by"]]
    counts = shown.drop_duplicates(["suite", "language", "family"])["hint_by"].astype(str).value_counts()
    return {str(who): int(count) for who, count in counts.items()}
