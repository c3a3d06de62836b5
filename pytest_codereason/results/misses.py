"""The worst misses of a run with their texts, which show a reader how a model fails."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from pytest_codereason.core import SCORED
from pytest_codereason.results.records import find_records
from pytest_codereason.results.run_data import RunData
from pytest_codereason.results.run_info import SuiteInfo

Key = tuple[str, str, str, int]  #: suite, model, id, sample


@dataclass(frozen=True, slots=True)
class MissedAnswer:
    """An answer that was not right. ``grade`` is its partial match (0..1), ``None`` if there is none."""

    id: str
    suite: str
    model: str
    sample: int
    language: str
    outcome: str
    reason: str
    grade: float | None
    expected: str
    answer: str | None
    response: str | None
    question: str  #: the last message of the last step, and what the reply was to begin with


def read_worst_misses(data: RunData, records: Path, limit: int = 50) -> list[MissedAnswer]:
    """At most ``limit`` misses, the lowest grade first, then by id.

    Every suite, model and language gets an equal number of places, so that one weak model does not hide how
    another fails. The texts are read from ``records``, the ``records.jsonl`` of the run, in a second pass. A record
    that is no longer there is left out.
    """
    chosen = _choose_misses(data, limit)
    texts = _read_texts(records, set(chosen))
    return [
        MissedAnswer(
            suite=key[0],
            model=key[1],
            id=key[2],
            sample=key[3],
            language=row["language"],
            outcome=row["outcome"],
            reason=str(row.get("reason") or ""),
            grade=grade,
            expected=str(row.get("expected") or ""),
            answer=row.get("answer"),
            response=row.get("response"),
            question=_read_question(row),
        )
        for key, grade in chosen.items()
        if (row := texts.get(key))
    ]


def _choose_misses(data: RunData, limit: int) -> dict[Key, float | None]:
    rows = data.records[data.records["outcome"].isin(SCORED - {"correct"})]
    if rows.empty:
        return {}
    grade = pd.Series(float("nan"), index=rows.index)
    for name, suite in data.suites.items():
        column = f"metrics.{_find_grading_metric(suite)}"
        if column in rows:
            grade = grade.mask(rows["suite"] == name, rows[column])
    rows = rows.assign(grade=grade).sort_values(["grade", "id", "suite", "model", "sample"], na_position="first")
    groups = rows.groupby(["suite", "model", "language"], observed=True, sort=False)
    rows = rows[groups.cumcount() < max(1, limit // groups.ngroups)].head(limit)
    keys = zip(*(rows[name].tolist() for name in ("suite", "model", "id", "sample")), strict=True)
    return {key: None if math.isnan(grade) else grade for key, grade in zip(keys, rows["grade"].tolist(), strict=True)}


def _find_grading_metric(suite: SuiteInfo) -> str | None:
    """The metric that tells a near miss from a bad one: the first that is more than right or wrong."""
    return next((m.name for m in suite.metrics if not m.binary and m.higher_is_better and not m.k), None)


def _read_question(row: Mapping[str, Any]) -> str:
    try:
        step = row["steps"][-1]
        return f"{step['messages'][-1]['content']}\n\n{step['prefill']}".rstrip()
    except (KeyError, IndexError, TypeError):
        return ""  # another tool wrote the record


def _read_texts(records: Path, keys: set[Key]) -> dict[Key, Mapping[str, Any]]:
    rows = find_records({"": records}, [("", *key) for key in keys])
    return {key[1:]: row for key, row in rows.items()}
