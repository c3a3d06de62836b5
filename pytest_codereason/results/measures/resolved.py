"""Answers that are right only as sums: which metric stands first where a model leaves the work undone.

Example: the answer is ``[81 - 43, 169]`` where ``[38, 169]`` is right. The study of long contexts accepts it, so it is
an exact match, and the answer is marked as unresolved. A model that always answers so has computed nothing. Where any
answer of a suite is unresolved, rankings, headlines and comparisons therefore begin with ``exact_resolved``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.results.measures.measures import mark_outcomes
from pytest_codereason.results.runs.run_info import EXACT, RESOLVED, UNRESOLVED


def mark_unresolved(rows: pd.DataFrame) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which of the rows are right answers that are left as sums."""
    column = f"metrics.{UNRESOLVED}"
    sums = rows[column].to_numpy(np.float64) > 0 if column in rows else np.zeros(len(rows), dtype=np.bool_)
    marked: np.ndarray[tuple[int], np.dtype[np.bool_]] = sums & mark_outcomes(rows, ("correct",))
    return marked


def mark_right(rows: pd.DataFrame, metric: Metric) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which of the rows are right, as the metric counts it."""
    right: np.ndarray[tuple[int], np.dtype[np.bool_]] = mark_outcomes(rows, ("correct",))
    return right & ~mark_unresolved(rows) if metric.name == RESOLVED else right


def fill_resolved(records: pd.DataFrame) -> pd.DataFrame:
    """The records with the number of ``exact_resolved``, which those of earlier versions lack."""
    exact, resolved = (f"metrics.{name}" for name in (EXACT, RESOLVED))
    if exact not in records or f"metrics.{UNRESOLVED}" not in records:
        return records
    numbers = records[exact].where(~mark_unresolved(records), 0.0)
    return records.assign(**{resolved: records[resolved].fillna(numbers) if resolved in records else numbers})


def rank_metrics(metrics: Sequence[Metric], *, left_undone: bool) -> tuple[Metric, ...]:
    """The metrics as headlines and rankings see them: ``exact_resolved`` first if some right answer is left as a sum.

    Elsewhere this metric says what ``exact`` says, and is left out.
    """
    first = [metric for metric in metrics if metric.name == RESOLVED and left_undone]
    return (*first, *(metric for metric in metrics if metric.name != RESOLVED))
