"""Counts which questions of some records have every answer that their suite asks for.

Example: a suite with two samples asks for two answers to each question. One damaged line leaves a question with one.
"""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from pytest_codereason.results.records.axes import axis_column
from pytest_codereason.results.runs.run_info import SuiteInfo


class AnswerCount(NamedTuple):
    """How some records differ from the answers that their suite asks for."""

    lacking: int  #: questions with fewer answers
    surplus: int  #: answers beyond those


def count_answers(suite: SuiteInfo, rows: pd.DataFrame) -> AnswerCount:
    """Compares ``rows``, the records of one model, with the samples of their suite."""
    column = axis_column("prompting")
    ways = list(rows.groupby(column, observed=True, dropna=False)) if column in rows else [(None, rows)]
    lacking = surplus = 0
    for way, part in ways:
        samples = suite.count_samples(way if isinstance(way, str) else None)
        if samples is None:
            continue
        own = part[(part["sample"] >= 0) & (part["sample"] < samples)]
        full = int((own["id"].astype(str).value_counts() >= samples).sum())
        lacking += part["id"].nunique() - full
        surplus += len(part) - len(own)
    return AnswerCount(lacking, surplus)


def list_answers(rows: pd.DataFrame) -> set[tuple[str, str, int]]:
    """The question, the program and the number of the sample of each record."""
    return set(zip(rows["id"].astype(str), rows["family"].astype(str), rows["sample"].tolist(), strict=True))
