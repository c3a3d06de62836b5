"""Records as typed columns: every table, interval and gate is computed from them.

``pandas.read_json`` would hold every reply in memory at once. Here each line is read, reduced to what the
numbers need, and dropped, so that 100,000 records take some tens of megabytes.
"""

from __future__ import annotations

import json
import math
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd

from pytest_codereason.core import AxisValue, Outcome
from pytest_codereason.core.files.caps import MOST_RECORD, TooLarge, list_lines, open_ordinary
from pytest_codereason.core.text.wording import plural
from pytest_codereason.results.records.record_fields import check_record

KEY = ("run", "suite", "model", "id", "sample")  #: the columns that name a record
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

_REQUIRED = ("suite", "model", "id", "family", "language", "outcome")
_OPTIONAL = ("reason", "hint_by", "unchanged")
_CLUSTER = "cluster"
_USAGE = ("prompt", "completion", "reasoning", "cached")
_NUMBERS = (
    "sample",
    "repeat",
    "reply",
    "reused",
    "answered_at",
    "cost",
    "latency_s",
    "trace.collapsed",
    *(f"usage.{name}" for name in _USAGE),
)
_SHOWN = 20  # of the damaged lines; all are counted

#: A record's values of :data:`KEY`.
Key = tuple[str, str, str, str, int]
RecordSource = Path | Iterable[Mapping[str, Any]]
#: Given a run's name and a record. Raises :class:`Contradiction` where the run cannot have this record.
RecordCheck = Callable[[str, Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class DamagedLines:
    """Lines that are no records: how many, and ``file:line: reason`` for the first 20."""

    count: int = 0
    lines: tuple[str, ...] = ()
    by_run: Mapping[str, int] = field(default_factory=dict)  #: how many each run has
    #: those of the first 20 that no damage explains, records that contradict themselves or each other, by run
    contradictions: tuple[tuple[str, str], ...] = ()


class Contradiction(ValueError):
    """A record says of itself what cannot be, so somebody has changed it."""


def load_records(
    sources: Mapping[str, RecordSource], check: RecordCheck | None = None
) -> tuple[pd.DataFrame, DamagedLines]:
    """The records of one run or of several, one row each without texts, and the damaged lines, which are left out.

    ``sources`` gives each run's name its ``records.jsonl`` or rows in memory. A record that ``check`` refuses counts
    as a damaged line.

    Columns: ``run``, ``suite``, ``model``, ``id``, ``family``, ``language``, ``outcome``, ``reason``, ``hint_by``,
    ``unchanged``, ``cluster`` (the program's repository if it is known, else the family) (categories); ``sample``
    (int); ``repeat`` (int: 0, or 1 if the question was asked once more); ``reply`` (float: a checksum of the reply, NaN
    if there is none); ``reused`` (bool); ``answered_at`` (float: when the oldest of its replies was given, in seconds
    since the epoch, NaN is unknown); ``cost`` (US dollars), ``latency_s`` (seconds), ``usage.prompt``,
    ``usage.completion``, ``usage.reasoning``, ``usage.cached`` (tokens), ``metrics.NAME``, ``trace.NAME``,
    ``forms.NAME.published``, ``forms.NAME.safe``, ``rejections.PLACE.REASON`` and ``texts_reused.NAME`` (float, NaN is
    unknown); ``axes.NAME`` (category, missing where a record lacks the axis).

    Rows are sorted by run, suite, model, id, sample and repeat, so that no number depends on the order of answers. Of
    two records with the same key the later one stays, and the earlier one counts as a damaged line.
    """
    labels = {name: _Labels() for name in ("run", *_REQUIRED, *_OPTIONAL, _CLUSTER)}
    numbers = {name: _Numbers() for name in _NUMBERS}
    damaged: list[str] = []
    contradictions: list[tuple[str, str]] = []
    by_run: Counter[str] = Counter()
    rows = 0
    for run, source in sources.items():
        for place, row in _read_rows(source):
            try:
                if isinstance(row, Exception):
                    raise row
                row_labels, row_numbers = _flatten_row(row)
                check_record(row)
                if check is not None:
                    check(run, row)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
                by_run[run] += 1
                if by_run.total() <= _SHOWN:
                    damaged.append(f"{place}: {_describe_damage(error)}")
                if isinstance(error, Contradiction) and len(contradictions) < _SHOWN:
                    contradictions.append((run, f"{place}: {error}"))
                continue
            labels["run"].put(rows, run)
            for name, label in row_labels.items():
                labels.setdefault(name, _Labels()).put(rows, label)
            for name, number in row_numbers.items():
                numbers.setdefault(name, _Numbers()).put(rows, number)
            rows += 1
    frame = pd.DataFrame({name: column.finish(rows) for name, column in (labels | numbers).items()})
    frame = frame.astype({"sample": "int32", "repeat": "int32", "reused": "bool"})
    key = [*KEY, "repeat"]
    for run, again in frame.loc[frame.duplicated(key), "run"].value_counts(sort=False).items():
        if again:
            contradictions.append(
                (str(run), f"{plural(again, 'record')} of answers that are recorded again further down")
            )
            damaged += [contradictions[-1][1]] if by_run.total() < _SHOWN else []
            by_run[str(run)] += again
    frame = frame.drop_duplicates(key, keep="last").sort_values(key, ignore_index=True)
    return frame, DamagedLines(by_run.total(), tuple(damaged), dict(by_run), tuple(contradictions))


def find_records(
    sources: Mapping[str, RecordSource], keys: Collection[Key], fields: Collection[str] = ()
) -> dict[Key, Mapping[str, Any]]:
    """The records of these keys, with their texts, read once more: whole, or these ``fields`` of them.

    A record that is no longer there is left out, and so are answers to questions that were asked once more.
    """
    chosen, ids = set(keys), {key[3] for key in keys}
    records: dict[Key, Mapping[str, Any]] = {}
    for run, source in sources.items() if chosen else ():
        for _, row in _read_rows(source):
            key = name_record(run, row)
            if key and key[3] in ids and key in chosen:
                records[key] = {name: row[name] for name in fields if name in row} if fields else row
    return records


def name_record(run: str, row: Any) -> Key | None:
    """The key of a record of ``run``; ``None`` for a damaged one, and for a question that was asked once more."""
    try:
        names, sample = (row["suite"], row["model"], row["id"]), int(row["sample"])
    except (ValueError, TypeError, KeyError, OverflowError):
        return None
    is_whole = all(isinstance(name, str) for name in names)
    return (run, *names, sample) if is_whole and not row.get("repeat") else None


def read_rows(source: RecordSource) -> Iterator[Mapping[str, Any]]:
    """Every whole record, texts included, in the order of the source. Damaged lines are left out."""
    return (row for _, row in read_places(source))


def read_places(source: RecordSource) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Every whole record with its place, the offset of its line in a file, else its number.

    Damaged lines are left out.
    """
    if not isinstance(source, Path):
        yield from ((place, row) for place, row in enumerate(source) if isinstance(row, Mapping))
        return
    with open_ordinary(source) as file:
        for place, _, line in list_lines(file):
            with suppress(ValueError, RecursionError):
                row = json.loads(line) if line and line.strip() else None
                if isinstance(row, Mapping):
                    check_record(row)
                    yield place, row


def _read_rows(source: RecordSource) -> Iterator[tuple[str, Any]]:
    if not isinstance(source, Path):
        yield from ((f"row {i}", row) for i, row in enumerate(source, 1))
        return
    with open_ordinary(source) as file:
        for i, (_, _, line) in enumerate(list_lines(file), 1):
            if line is None:
                yield f"{source.name}:{i}", TooLarge(f"the line is longer than {MOST_RECORD >> 20} MiB")
                continue
            if not line.strip():
                continue
            try:
                yield f"{source.name}:{i}", json.loads(line)
            except (ValueError, RecursionError) as error:
                yield f"{source.name}:{i}", error


def _flatten_row(row: Any) -> tuple[dict[str, AxisValue | None], dict[str, float]]:
    if not isinstance(row, Mapping):
        raise TypeError("not an object")
    labels: dict[str, AxisValue | None] = {}
    for name in _REQUIRED:
        label = row[name]
        if not isinstance(label, str):
            raise TypeError(f"{name!r} is not text")
        labels[name] = label
    # pandas cannot compare categories with half of a surrogate pair, which a reply may have.
    labels |= {name: str(row.get(name) or "").encode("utf-8", "backslashreplace").decode() for name in _OPTIONAL}
    labels[_CLUSTER] = str(row.get("repository") or labels["family"])
    if labels["outcome"] not in OUTCOMES:
        raise ValueError(f"unknown outcome {labels['outcome']!r}")
    labels |= {f"texts_by.{kind}": str(author) for kind, author in (row.get("texts_by") or {}).items()}
    for axis, value in row["axes"].items():
        if not isinstance(value, AxisValue) or (isinstance(value, float) and math.isnan(value)):
            raise TypeError(f"axis {axis!r} has no plain value")
        labels[f"axes.{axis}"] = value
    for label in labels.values():
        if isinstance(label, str):
            label.encode()  # half of a surrogate pair is no name
    usage = row.get("usage") or {}
    numbers = {
        "sample": _read_whole("sample", row["sample"]),
        "repeat": _read_whole("repeat", row.get("repeat") or 0),
        "reply": _sum_text(row.get("response")),
        "reused": float(bool(row.get("reused"))),
        "answered_at": min((_read_float(at) for at in _list_moments(row)), default=math.nan),
        "cost": _read_float(row.get("cost")),
        "latency_s": _read_float(row.get("latency_s")),
        **{f"usage.{name}": _read_float(usage.get(name)) for name in _USAGE},
        **{f"metrics.{name}": _read_float(value) for name, value in row["metrics"].items()},
        **{
            f"forms.{name}.{form}": _read_float(value)
            for name, forms in (row.get("forms") or {}).items()
            for form, value in forms.items()
        },
        **{
            f"rejections.{place}.{reason}": _read_float(value)
            for place, reasons in (row.get("rejections") or {}).items()
            for reason, value in reasons.items()
        },
        **{f"texts_reused.{name}": _read_float(value) for name, value in (row.get("texts_reused") or {}).items()},
        **{f"trace.{name}": _read_float(value) for name, value in (row.get("trace") or {}).items()},
    }
    return labels, numbers


def _list_moments(row: Mapping[str, Any]) -> Iterator[Any]:
    """When each reply of a record was given, as far as that is known."""
    for step in row.get("steps") or ():
        if (moment := step.get("answered_at")) is not None:
            yield moment


def _read_whole(name: str, value: Any) -> float:
    number = float(value)
    if not (number.is_integer() and 0 <= number < 2**31):
        raise ValueError(f"the {name} {value} is no whole number")
    return number


def _read_float(value: Any) -> float:
    return math.nan if value is None else float(value)


def _sum_text(text: Any) -> float:
    return float(zlib.crc32(text.encode("utf-8", "surrogatepass"))) if isinstance(text, str) else math.nan


def _describe_damage(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"no {error}"
    return str(error) if not isinstance(error, RecursionError) else "nested too deep"


class _Numbers:
    """A column of floats; rows without a value hold NaN."""

    def __init__(self) -> None:
        self.values = array("d")

    def put(self, row: int, value: float) -> None:
        self.values.extend([math.nan] * (row - len(self.values)))
        self.values.append(value)

    def finish(self, rows: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        self.values.extend([math.nan] * (rows - len(self.values)))
        return np.frombuffer(self.values, dtype=np.float64).copy() if rows else np.empty(0)


class _Labels:
    """A column of values that repeat; its categories are sorted, in whatever order they came."""

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
