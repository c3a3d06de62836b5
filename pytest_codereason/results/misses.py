"""The worst misses of a run, with their texts: what a person reads to see how a model fails."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from pytest_codereason.core import SCORED
from pytest_codereason.results.frame import KEY

Key = tuple[str, str, str, int]


@dataclass(frozen=True, slots=True)
class Miss:
    """An answer that was not right. ``grade`` is its partial match (0..1), ``None`` where there is none."""

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


def worst(frame: pd.DataFrame, run: Mapping[str, Any], records: Path, limit: int = 50) -> list[Miss]:
    """At most ``limit`` misses, lowest grade first, then by id.

    Every suite, model and language gets the same share of the places, so that one weak model does not
    hide how another fails. Texts are read from ``records`` in a second pass that keeps these rows alone;
    a record that is no longer there is left out.
    """
    chosen = _choose(frame, run, limit)
    texts = _texts(records, set(chosen))
    return [
        Miss(
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
            question=_question(row),
        )
        for key, grade in chosen.items()
        if (row := texts.get(key))
    ]


def _choose(frame: pd.DataFrame, run: Mapping[str, Any], limit: int) -> dict[Key, float | None]:
    rows = frame[frame["outcome"].isin(SCORED - {"correct"})]
    if rows.empty:
        return {}
    grade = pd.Series(float("nan"), index=rows.index)
    for name, suite in run["suites"].items():
        metric = _grading(suite)
        column = f"metrics.{metric}"
        if metric and column in rows:
            grade = grade.mask(rows["suite"] == name, rows[column])
    rows = rows.assign(grade=grade).sort_values(["grade", "id", "suite", "model", "sample"], na_position="first")
    groups = rows.groupby(["suite", "model", "language"], observed=True, sort=False)
    rows = rows[groups.cumcount() < max(1, limit // groups.ngroups)].head(limit)
    keys = zip(*(rows[name].tolist() for name in KEY), strict=True)
    return {key: None if math.isnan(grade) else grade for key, grade in zip(keys, rows["grade"].tolist(), strict=True)}


def _grading(suite: Mapping[str, Any]) -> str | None:
    """The metric that tells a near miss from a bad one: the first that is more than right or wrong."""
    return next(
        (m["name"] for m in suite["metrics"] if not m["binary"] and m["higher_is_better"] and not m.get("k")), None
    )


def _question(row: Mapping[str, Any]) -> str:
    try:
        step = row["steps"][-1]
        return f"{step['messages'][-1]['content']}\n\n{step['prefill']}".rstrip()
    except (KeyError, IndexError, TypeError):
        return ""  # a record of another tool's


def _texts(records: Path, wanted: set[Key]) -> dict[Key, dict[str, Any]]:
    ids = {key[2] for key in wanted}
    found: dict[Key, dict[str, Any]] = {}
    with records.open("rb") as lines:
        for line in lines if wanted else ():
            try:
                row = json.loads(line)
                key = (row["suite"], row["model"], row["id"], int(row["sample"])) if row["id"] in ids else None
            except (ValueError, TypeError, KeyError, RecursionError):
                continue  # damaged: already reported when the frame was loaded
            if key in wanted:
                found[key] = row
    return found
