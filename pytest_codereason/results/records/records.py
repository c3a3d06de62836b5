"""Records as typed columns: every table, interval and gate is computed from them.

``pandas.read_json`` would hold every reply in memory at once. Here each line is read, reduced to what the
numbers need, and dropped, so that 100,000 records take some tens of megabytes.
"""

from __future__ import annotations

import math
import zlib
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd

from pytest_codereason.core import AxisValue, Outcome, Record
from pytest_codereason.core.files.caps import MOST_RECORD, TooLarge, list_lines, open_ordinary
from pytest_codereason.core.files.typed_json import convert, decode
from pytest_codereason.core.text.wording import plural

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
#: ``records.jsonl``, or its rows in memory: other tools' logs give them so, as plain values (:class:`LogFormat`).
RecordSource = Path | Iterable[Record | Mapping[str, object]]
#: Given a run's name and a record. Raises :class:`Contradiction` where the run cannot have this record.
RecordCheck = Callable[[str, Record], None]


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
    ``unchanged``, ``cluster`` (the program's repository if there are several, else the family) (categories); ``sample``
    (int); ``repeat`` (int: 0, or 1 if the question was asked once more); ``reply`` (float: a checksum of the reply, NaN
    if there is none); ``reused`` (bool); ``answered_at`` (float: when the oldest of its replies was given, in seconds
    since the epoch, NaN is unknown); ``cost`` (US dollars), ``latency_s`` (seconds), ``usage.prompt``,
    ``usage.completion``, ``usage.reasoning``, ``usage.cached`` (tokens), ``metrics.NAME``, ``trace.NAME``,
    ``forms.NAME.published``, ``forms.NAME.safe``, ``rejections.PLACE.REASON``, ``texts_reused.NAME``,
    ``adaptive.NAME``, and of each address of a model that has several ``replies.URL``, ``failures.URL`` and
    ``seconds.URL`` (float, NaN is unknown); ``axes.NAME`` (category, missing where a record lacks the axis).

    Rows are sorted by run, suite, model, id, sample and repeat, so that no number depends on the order of answers. Of
    two records with the same key the later one stays, and the earlier one counts as a damaged line.
    """
    labels = defaultdict(_Labels, {name: _Labels() for name in ("run", *_REQUIRED, *_OPTIONAL, _CLUSTER)})
    numbers = defaultdict(_Numbers, {name: _Numbers() for name in _NUMBERS})
    damaged: list[str] = []
    contradictions: list[tuple[str, str]] = []
    by_run: Counter[str] = Counter()
    rows = 0
    for run, source in sources.items():
        for place, record in _read_named(source):
            try:
                if isinstance(record, Exception):
                    raise record
                row_labels, row_numbers = _flatten(record)
                if check is not None:
                    check(run, record)
            except (ValueError, RecursionError, OverflowError) as error:
                by_run[run] += 1
                if by_run.total() <= _SHOWN:
                    damaged.append(f"{place}: {_describe_damage(error)}")
                if isinstance(error, Contradiction) and len(contradictions) < _SHOWN:
                    contradictions.append((run, f"{place}: {error}"))
                continue
            labels["run"].put(rows, run)
            for name, label in row_labels.items():
                labels[name].put(rows, label)
            for name, number in row_numbers.items():
                numbers[name].put(rows, number)
            rows += 1
    frame = pd.DataFrame({name: column.finish(rows) for name, column in (labels | numbers).items()})
    frame = frame.astype({"sample": "int32", "repeat": "int32", "reused": "bool"})
    if len(set(frame[_CLUSTER].cat.categories) - set(frame["family"].cat.categories)) == 1:
        frame[_CLUSTER] = frame["family"]  # of a single repository each program counts: nothing is said of others
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
    sources: Mapping[str, RecordSource], keys: Collection[Key], *, steps: bool = True
) -> dict[Key, Record]:
    """The records of these keys, with their texts, read once more: whole, or without requests and replies.

    A record that is no longer there is left out, and so are answers to questions that were asked once more.
    """
    chosen = set(keys)
    records: dict[Key, Record] = {}
    for run, source in sources.items() if chosen else ():
        for record in read_records(source):
            key = name_record(run, record)
            if key in chosen:
                records[key] = record if steps else replace(record, response=None, steps=(), grounds={})
    return records


def name_record(run: str, record: Record) -> Key | None:
    """The key of a record of ``run``; ``None`` for a question that was asked once more."""
    return None if record.repeat else (run, record.suite, record.model, record.id, record.sample)


def read_records(source: RecordSource) -> Iterator[Record]:
    """Every whole record, texts included, in the order of the source. Damaged lines are left out."""
    return (record for _, record in read_places(source))


def read_places(source: RecordSource) -> Iterator[tuple[int, Record]]:
    """Every whole record with its place, the offset of its line in a file, else its number.

    Damaged lines are left out.
    """
    if not isinstance(source, Path):
        yield from ((place, record) for place, row in enumerate(source) if isinstance(record := _read(row), Record))
        return
    with open_ordinary(source) as file:
        for place, _, line in list_lines(file):
            if isinstance(record := _read(line), Record):
                yield place, record


def _read_named(source: RecordSource) -> Iterator[tuple[str, Record | Exception]]:
    """Every record with its file and line, or why there is none."""
    if not isinstance(source, Path):
        yield from ((f"row {i}", _read(row)) for i, row in enumerate(source, 1))
        return
    with open_ordinary(source) as file:
        for i, (_, _, line) in enumerate(list_lines(file), 1):
            if line is None or line.strip():
                yield f"{source.name}:{i}", _read(line)


def _read(line: bytes | Record | Mapping[str, object] | None) -> Record | Exception:
    """The record of a line, or of a row in memory; else what is wrong with it. ``None`` is a line that is too long."""
    try:
        if line is None:
            return TooLarge(f"the line is longer than {MOST_RECORD >> 20} MiB")
        if isinstance(line, Record):
            return line
        return decode(Record, line) if isinstance(line, bytes) else convert(Record, line)
    except (ValueError, RecursionError) as error:
        return error


def _flatten(record: Record) -> tuple[dict[str, AxisValue | None], dict[str, float]]:
    labels: dict[str, AxisValue | None] = {
        **{name: getattr(record, name) for name in _REQUIRED},
        # pandas cannot compare categories with half of a surrogate pair, which a reply may have.
        **{name: getattr(record, name).encode("utf-8", "backslashreplace").decode() for name in _OPTIONAL},
        _CLUSTER: record.repository or record.family,
        **{f"texts_by.{kind}": author for kind, author in record.texts_by.items()},
    }
    for axis, value in record.axes.items():
        if isinstance(value, float) and math.isnan(value):
            raise ValueError(f"axes.{axis} cannot be {value}")
        labels[f"axes.{axis}"] = value
    for label in labels.values():
        if isinstance(label, str):
            label.encode()  # half of a surrogate pair is no name
    numbers = {
        "sample": _check_count("sample", record.sample),
        "repeat": _check_count("repeat", record.repeat),
        "reply": _sum_text(record.response),
        "reused": float(record.reused),
        "answered_at": min(
            (step.answered_at for step in record.steps if step.answered_at is not None), default=math.nan
        ),
        "cost": _read_float(record.cost),
        "latency_s": _read_float(record.latency_s),
        **{f"usage.{name}": _read_float(record.usage.get(name)) for name in _USAGE},
        **{f"metrics.{name}": _read_float(value) for name, value in record.metrics.items()},
        **{
            f"forms.{name}.{form}": float(value)
            for name, forms in record.forms.items()
            for form, value in forms.items()
        },
        **{
            f"rejections.{place}.{reason}": float(value)
            for place, reasons in record.rejections.items()
            for reason, value in reasons.items()
        },
        **{f"texts_reused.{name}": _read_float(value) for name, value in record.texts_reused.items()},
        **{f"trace.{name}": _read_float(value) for name, value in record.trace.items()},
        **{f"adaptive.{name}": float(value) for name, value in record.adaptive.items()},
        **_count_servers(record),
    }
    return labels, numbers


def _count_servers(record: Record) -> dict[str, float]:
    """How many replies each server of a model gave, how often it gave none, and how many seconds its replies took."""
    sums: defaultdict[str, float] = defaultdict(float)
    for step in record.steps:
        if step.endpoint is not None:
            sums[f"replies.{step.endpoint}"] += 1
            sums[f"seconds.{step.endpoint}"] += step.latency_s or 0.0
            for url in step.failed_at:
                sums[f"failures.{url}"] += 1
    return sums


def _check_count(name: str, number: int) -> float:
    if not 0 <= number < 2**31:
        raise ValueError(f"the {name} {number} is no whole number")
    return float(number)


def _read_float(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _sum_text(text: str | None) -> float:
    return math.nan if text is None else float(zlib.crc32(text.encode("utf-8", "surrogatepass")))


def _describe_damage(error: Exception) -> str:
    return "nested too deep" if isinstance(error, RecursionError) else str(error)


class _Numbers:
    """A column of floats; rows without a value hold NaN."""

    def __init__(self) -> None:
        self.values = array("d")

    def put(self, row: int, value: float) -> None:
        if missing := row - len(self.values):
            self.values.extend([math.nan] * missing)
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
        if missing := row - len(self.codes):
            self.codes.extend([-1] * missing)
        self.codes.append(self.known.setdefault(value, len(self.known)))

    def finish(self, rows: int) -> pd.Categorical:
        self.codes.extend([-1] * (rows - len(self.codes)))
        values = list(self.known)
        order = sorted(range(len(values)), key=lambda i: (str(type(values[i])), values[i]))
        rank = np.full(len(values) + 1, -1, dtype=np.int32)  # the last place serves the code -1
        rank[np.array(order, dtype=np.intp)] = np.arange(len(values), dtype=np.int32)
        codes = rank[np.array(self.codes, dtype=np.int32)]
        return pd.Categorical.from_codes(codes, categories=pd.Index([values[i] for i in order], dtype=object))
