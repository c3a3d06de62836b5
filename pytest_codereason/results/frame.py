"""Records as typed columns: what every table, interval and gate is computed from.

``pandas.read_json`` would hold every reply in memory at once. Here each line is read, stripped to
what the numbers need and let go, so that 100,000 records take some tens of megabytes.
"""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd

from pytest_codereason.core import AxisValue, Outcome

KEY = ("suite", "model", "id", "sample")  #: what names a record
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

#: Axis values that leave things as they are, the more telling one first.
UNCHANGED = ("vanilla", "none")

_LABELS = ("suite", "model", "id", "family", "language", "outcome", "reason", "hint_by")
_USAGE = ("prompt", "completion", "reasoning", "cached")
_NUMBERS = ("sample", "reused", "cost", "latency_s", "trace.collapsed", *(f"usage.{name}" for name in _USAGE))
_SHOWN = 20  # of the damaged lines; the count is kept in full


def axis_column(axis: str) -> str:
    """The column of an axis: ``language`` is one of the record's own, the others are ``axes.NAME``."""
    return axis if axis == "language" else f"axes.{axis}"


def reference(values: Sequence[AxisValue]) -> AxisValue:
    """The value of an axis with which its others are compared: the one that changes nothing, else the first."""
    return next((value for value in UNCHANGED if value in values), values[0])


def along(frame: pd.DataFrame, axis: str) -> pd.Series[Any]:
    """The values of an axis, row by row; missing throughout where no record has it."""
    column = axis_column(axis)
    return frame[column] if column in frame else pd.Series(pd.Categorical([None] * len(frame)), index=frame.index)


def load(records: Path | str | Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """The records of a ``records.jsonl`` or of rows in memory, one row each, without their texts.

    Columns: ``suite``, ``model``, ``id``, ``family``, ``language``, ``outcome``, ``reason``, ``hint_by`` (categories);
    ``sample`` (int); ``reused`` (bool); ``cost`` (US dollars), ``latency_s`` (seconds), ``usage.prompt``,
    ``usage.completion``, ``usage.reasoning``, ``usage.cached`` (tokens), ``metrics.NAME`` and ``trace.NAME``
    (float, NaN is unknown); ``axes.NAME`` (category, missing where a record lacks the axis).

    Rows are sorted by suite, model, id and sample, so that no number depends on the order in which
    answers came; of two records with the same key the later one stays.

    A damaged line is left out. ``frame.attrs["damaged"]`` is ``{"count": int, "lines": [str, ...]}``,
    with ``file:line: reason`` for the first 20.
    """
    labels = {name: _Labels() for name in _LABELS}
    numbers = {name: _Numbers() for name in _NUMBERS}
    damaged: list[str] = []
    count = rows = 0
    for where, row in _rows(records):
        try:
            if isinstance(row, Exception):
                raise row
            labelled, numbered = _flatten(row)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            count += 1
            if count <= _SHOWN:
                damaged.append(f"{where}: {_complaint(error)}")
            continue
        for name, label in labelled.items():
            labels.setdefault(name, _Labels()).put(rows, label)
        for name, number in numbered.items():
            numbers.setdefault(name, _Numbers()).put(rows, number)
        rows += 1
    frame = pd.DataFrame({name: column.finish(rows) for name, column in (labels | numbers).items()})
    frame = frame.astype({"sample": "int32", "reused": "bool"})
    frame = frame.drop_duplicates(list(KEY), keep="last").sort_values(list(KEY), ignore_index=True)
    frame.attrs["damaged"] = {"count": count, "lines": damaged}
    return frame


def _rows(records: Path | str | Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    if not isinstance(records, (str, Path)):
        yield from ((f"row {i}", row) for i, row in enumerate(records, 1))
        return
    path = Path(records)
    with path.open("rb") as lines:
        for i, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield f"{path.name}:{i}", json.loads(line)
            except (ValueError, RecursionError) as error:
                yield f"{path.name}:{i}", error


def _flatten(row: Any) -> tuple[dict[str, AxisValue | None], dict[str, float]]:
    if not isinstance(row, Mapping):
        raise TypeError("not an object")
    labels: dict[str, AxisValue | None] = {}
    for name in _LABELS[:-2]:
        label = row[name]
        if not isinstance(label, str):
            raise TypeError(f"{name!r} is not text")
        labels[name] = label
    labels |= {name: str(row.get(name) or "") for name in _LABELS[-2:]}
    if labels["outcome"] not in OUTCOMES:
        raise ValueError(f"unknown outcome {labels['outcome']!r}")
    for axis, value in row["axes"].items():
        if not isinstance(value, AxisValue):
            raise TypeError(f"axis {axis!r} has no plain value")
        labels[f"axes.{axis}"] = value
    usage = row.get("usage") or {}
    numbers = {
        "sample": float(row["sample"]),
        "reused": float(bool(row.get("reused"))),
        "cost": _number(row.get("cost")),
        "latency_s": _number(row.get("latency_s")),
        **{f"usage.{name}": _number(usage.get(name)) for name in _USAGE},
        **{f"metrics.{name}": _number(value) for name, value in row["metrics"].items()},
        **{f"trace.{name}": _number(value) for name, value in (row.get("trace") or {}).items()},
    }
    return labels, numbers


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _complaint(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"no {error}"
    return str(error) if not isinstance(error, RecursionError) else "nested too deep"


class _Numbers:
    """A column of floats that pads what was not given with NaN."""

    def __init__(self) -> None:
        self.values = array("d")

    def put(self, row: int, value: float) -> None:
        self.values.extend([math.nan] * (row - len(self.values)))
        self.values.append(value)

    def finish(self, rows: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        self.values.extend([math.nan] * (rows - len(self.values)))
        return np.frombuffer(self.values, dtype=np.float64).copy() if rows else np.empty(0)


class _Labels:
    """A column of values that repeat, kept as numbers; categories end up sorted, whatever came first."""

    def __init__(self) -> None:
        self.codes = array("i")
        self.known: dict[AxisValue | None, int] = {}

    def put(self, row: int, value: AxisValue | None) -> None:
        self.codes.extend([-1] * (row - len(self.codes)))
        self.codes.append(self.known.setdefault(value, len(self.known)))

    def finish(self, rows: int) -> pd.Categorical:
        self.codes.extend([-1] * (rows - len(self.codes)))
        values = list(self.known)
        order = sorted(range(len(values)), key=lambda i: (str(type(values[i])), values[i]))
        rank = np.full(len(values) + 1, -1, dtype=np.int32)  # the last place serves the code -1
        rank[np.array(order, dtype=np.intp)] = np.arange(len(values), dtype=np.int32)
        codes = rank[np.array(self.codes, dtype=np.int32)]
        return pd.Categorical.from_codes(codes, categories=pd.Index([values[i] for i in order], dtype=object))
