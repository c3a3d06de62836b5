"""What each field of a stored record can be. Records of earlier versions lack some, and those of logs have others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_codereason.core import AxisValue
from pytest_codereason.results.records.conforming import check_fields

_Numbers = Mapping[str, float | None] | None


class _Fields:
    id: str
    family: str
    suite: str
    task: str | None
    language: str
    axes: Mapping[str, AxisValue]
    model: str
    outcome: str
    repeat: float | None
    reason: str | None
    metrics: Mapping[str, float | None]
    expected: str | None
    answer: str | None
    response: str | None
    steps: Sequence[Mapping[str, Any]] | None
    usage: _Numbers
    trace: _Numbers
    cost: float | None
    latency_s: float | None
    plan: str | None
    program_sha: str | None
    repository: str | None
    sandbox: str | None
    hint_by: str | None
    texts_by: Mapping[str, str] | None
    texts_reused: _Numbers
    rejections: Mapping[str, Mapping[str, float]] | None
    forms: Mapping[str, Mapping[str, float]] | None
    unchanged: str | None
    checked_calls: int | None
    audit: Sequence[Mapping[str, Any]] | None
    grounds: Mapping[str, Any] | None
    traceback: str | None


class _StepFields:
    messages: Sequence[Mapping[str, str]]
    prefill: str | None
    response: str | None
    reasoning: str | None
    finish: str | None
    served_by: str | None
    usage: _Numbers
    cost: float | None
    latency_s: float | None
    answered_at: float | None


def check_record(row: Mapping[str, Any]) -> None:
    """Checks that every field of a record can be read.

    Raises:
        ValueError: one cannot; names it.
    """
    check_fields(_Fields, row)
    for number, step in enumerate(row.get("steps") or (), 1):
        check_fields(_StepFields, step, f"step {number}: ")
