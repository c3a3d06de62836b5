"""Every answer of one run or of several as columns, which a page filters and sorts without reading their texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from pytest_codereason.core import AxisValue, Record
from pytest_codereason.core.display import visible
from pytest_codereason.core.text import wording
from pytest_codereason.reports.pages.rendering import embed_json
from pytest_codereason.reports.pages.texts import TextPacker
from pytest_codereason.reports.words.formatting import format_axis_value
from pytest_codereason.results.records.axes import UNCHANGED, axis_column, is_kept_apart
from pytest_codereason.results.records.failure_kinds import name_kind
from pytest_codereason.results.records.record_index import RecordIndex
from pytest_codereason.results.records.records import Key, RecordSource
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo

#: Characters of an expected value, an answer or a reason that a line of the list shows and a search sees.
SHOWN = 160
#: How the columns of numbers that do not come from a task are called on the page.
_NUMBERS = {
    "usage.completion": "tokens of the reply",
    "usage.reasoning": "tokens of reasoning",
    "usage.prompt": "tokens of the prompt",
    "latency_s": "seconds",
    "cost": "US dollars",
}


@dataclass(frozen=True)
class Facet:
    """A property by which answers are filtered, with a value for each answer; ``None`` where it has none."""

    name: str
    title: str
    values: Sequence[AxisValue | None]
    order: Sequence[AxisValue] = ()  #: values in the order in which they are listed, others after them
    apart: bool = False  #: whether no share of right answers pools several of its values


@dataclass(frozen=True)
class Explorer:
    """What a page embeds so that a reader explores answers."""

    content: Markup  #: JSON of the columns
    texts: Markup | None  #: JSON of all texts; ``None`` if they are scripts beside the page


@dataclass
class _Column:
    """Values that repeat, each written once."""

    values: dict[str, int] = field(default_factory=dict)
    codes: list[int] = field(default_factory=list)

    def add(self, value: str) -> None:
        self.codes.append(self.values.setdefault(value, len(self.values)))

    def content(self) -> Mapping[str, object]:
        return {"values": list(self.values), "codes": self.codes}


def embed_answers(
    data: RunData,
    rows: pd.DataFrame,
    sources: Mapping[str, RecordSource],
    page: Path,
    facets: Sequence[Facet] = (),
    start: Mapping[str, Sequence[str]] | None = None,
) -> Explorer:
    """The answers of ``rows``, part of ``data.records``, for the page that will lie at ``page``.

    Args:
        data: the runs.
        rows: the answers in the order in which the page lists them.
        sources: where the texts of each run lie.
        page: the path of the page. Scripts with long texts are written into a folder beside it.
        facets: properties beside those that every answer has.
        start: the filters with which the page opens, by the name of the facet.
    """
    packer = TextPacker(page)
    kinds, *texts = [], _Column(), _Column(), _Column()
    with RecordIndex(sources) as index:
        for key in data.list_keys(rows):
            record = index.read(key) or _make_lost(key)
            packer.add(record)
            kinds.append(wording.one_line(name_kind(record)))
            for column, name in zip(texts, ("expected", "answer", "reason"), strict=True):
                column.add(_preview(getattr(record, name)))
    folder = packer.finish()
    content = {
        "count": len(rows),
        "facets": [_write_facet(facet) for facet in (*facets, *_list_facets(data, rows, kinds))],
        "ids": _write_codes(rows["id"]),
        "samples": rows["sample"].tolist() if rows["sample"].any() else None,
        **{name: column.content() for name, column in zip(("expected", "answer", "reason"), texts, strict=True)},
        "numbers": list(_list_numbers(data, rows)),
        "grades": {name: find_grade(suite) for name, suite in data.suites.items()},
        "plain": {axis: str(value) for axis, value in _list_plain(data).items()},
        "start": start or {},
        "texts": {"folder": folder, "starts": packer.starts},
    }
    inside = None if folder else Markup(f"[{','.join(map(_escape, packer.chunks))}]")
    return Explorer(embed_json(content), inside)


def sort_answers(data: RunData, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows in the order of suites and questions, so that all answers to a question stand together."""
    places = {name: place for place, name in enumerate(data.suites)}
    suite = rows["suite"].map(places).astype(float)
    return rows.assign(_suite=suite).sort_values(["_suite", "id", "sample", "run", "model"], ignore_index=True)


def find_grade(suite: SuiteInfo) -> str:
    """The metric that tells a near miss from a bad one: the first that is no yes or no, else the headline."""
    graded = (m.name for m in suite.metrics if not m.binary and m.higher_is_better and not m.k)
    return next(graded, suite.headline.name)


def _escape(chunk: str) -> str:
    """JSON as it may stand in a ``<script>`` element, see :func:`embed_json`."""
    return chunk.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _make_lost(key: Key) -> Record:
    """What stands for a record that was there when the run was read."""
    _, suite, model, question, sample = key
    return Record(
        id=question,
        family="",
        suite=suite,
        language="",
        axes={},
        model=model,
        sample=sample,
        outcome="error",
        reason="the record is no longer there",
    )


def _preview(text: str | None) -> str:
    return "" if text is None else wording.one_line(text[: 4 * SHOWN], SHOWN)


def _list_facets(data: RunData, rows: pd.DataFrame, kinds: Sequence[str]) -> Iterable[Facet]:
    frequent = pd.Series(kinds, dtype=object).value_counts().index.tolist()
    yield Facet("outcome", "outcome", rows["outcome"].tolist(), list(rows["outcome"].cat.categories))
    yield Facet("kind", "kind of failure", kinds, frequent)
    yield Facet("suite", "suite", rows["suite"].tolist(), list(data.suites), apart=True)
    models = dict.fromkeys(subject.model for subject in data.subjects)
    yield Facet("model", "model", rows["model"].tolist(), list(models), apart=True)
    if len(data.runs) > 1:
        yield Facet("run", "run", rows["run"].tolist(), list(data.runs), apart=True)
    yield Facet("language", "language", rows["language"].tolist())
    axes: dict[str, dict[AxisValue, None]] = {}
    for suite in data.suites.values():
        for axis, values in suite.axes.items():
            axes.setdefault(axis, {}).update(dict.fromkeys(values))
    for axis, known in axes.items():
        column = axis_column(axis)
        if axis != "language" and column in rows:
            present = rows[column].astype(object).where(rows[column].notna(), None)
            yield Facet(f"axis {axis}", axis, present.tolist(), list(known), apart=is_kept_apart(axis))
    families, clusters = rows["family"].tolist(), rows["cluster"].tolist()
    repositories = [known if known != family else None for known, family in zip(clusters, families, strict=True)]
    if any(repositories):
        yield Facet("repository", "repository", repositories)
    yield Facet("family", "program", families)


def _write_facet(facet: Facet) -> Mapping[str, object]:
    known = dict.fromkeys(facet.order)
    present = dict.fromkeys(facet.values)
    listed = [value for value in (*known, *(v for v in present if v not in known)) if value in present]
    places = {value: place for place, value in enumerate(listed)}
    return {
        "name": visible(facet.name),
        "title": visible(facet.title),
        "values": [None if value is None else visible(_name_value(facet, value)) for value in listed],
        "codes": [places[value] for value in facet.values] if len(listed) > 1 else None,
        "apart": facet.apart,
    }


def _name_value(facet: Facet, value: AxisValue) -> str:
    return format_axis_value(value) if facet.name.startswith("axis ") else str(value)


def _write_codes(column: pd.Series[Any]) -> Mapping[str, object]:
    codes, values = pd.factorize(column)
    return {"values": [visible(str(value)) for value in values], "codes": codes.tolist()}


def _list_numbers(data: RunData, rows: pd.DataFrame) -> Iterable[Mapping[str, object]]:
    titles: dict[str, str] = {}
    for suite in data.suites.values():
        titles |= {f"metrics.{metric.name}": metric.title for metric in suite.metrics}
    for column, title in (titles | _NUMBERS).items():
        if column in rows and rows[column].notna().any():
            yield {"name": column.removeprefix("metrics."), "title": title, "values": _write_numbers(rows[column])}


def _write_numbers(column: pd.Series[Any]) -> list[float | int | None]:
    """Numbers rounded to what a reader sees; whole ones without a point, which halves the page."""
    values = column.round(4).tolist()
    return [None if not math.isfinite(x) else int(x) if x == int(x) else x for x in values]


def _list_plain(data: RunData) -> Mapping[str, AxisValue]:
    """The value at which each axis leaves a program as it is, for the axes that have such a value."""
    plain: dict[str, AxisValue] = {}
    for suite in data.suites.values():
        for axis, values in suite.axes.items():
            value = next((each for each in UNCHANGED if each in values), None)
            if value is not None and len(values) > 1:
                plain.setdefault(f"axis {axis}", format_axis_value(value))
    return plain
