"""Why edges of call graphs are wrong or missing: shares by reason, each with an example (TraceEval, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from pytest_codereason.call_graphs.auditing import MISSED_TAGS, WRONG_TAGS
from pytest_codereason.results.axes import LENGTHS, PERTURBATION, UNCHANGED, select_value
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.run_data import RunData
from pytest_codereason.results.values import Cell, Label, Share
from pytest_codereason.text.wording import plural

TASK = "call-graph"
_COLUMNS = (
    Column("model", "model"),
    Column("edges", "edges"),
    Column("reason", "reason"),
    Column("share", "share", "percent"),
    Column("example", "example"),
    Column("code", "code"),
)


class _Reason(NamedTuple):
    """How often a model's edges have one tag."""

    model: str
    edges: str  #: ``wrong`` or ``missed``
    tag: str
    times: int
    whole: int
    first: pd.DataFrame  #: the first answer with such an edge


class WrongEdgesFigure(Figure):
    """For each suite that asks for call graphs a table of reasons, with the code and the edge of an example."""

    order = 55

    def pictures(self, data: RunData) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        for name, suite in data.suites.items():
            if suite.task == TASK:
                rows = data.select_suite(name)
                shown = {"suite": name}
                for axis, plain in ((PERTURBATION, UNCHANGED), *((length, (0,)) for length in LENGTHS)):
                    for value in plain:
                        if value in suite.axes.get(axis, ()):
                            rows = select_value(rows, axis, value)
                            shown[axis] = str(value)
                if picture := _draw(name, shown, rows, data):
                    yield picture


def _draw(name: str, shown: dict[str, str], rows: pd.DataFrame, data: RunData) -> Picture | None:
    """The table of one suite; none if no answer has a wrong or missing edge."""
    reasons: list[_Reason] = []
    for label, answers in data.by_subject(rows):
        for edges, tags in (("wrong", WRONG_TAGS), ("missed", MISSED_TAGS)):
            parts = {str(tag): part for tag in tags if not (part := _select_tag(answers, tag)).empty}
            sums = {tag: int(part[f"metrics.audit.{tag}"].sum()) for tag, part in parts.items()}
            whole = sum(sums.values())
            often = sorted(sums, key=lambda tag: -sums[tag])
            reasons += [_Reason(label, edges, tag, sums[tag], whole, parts[tag].head(1)) for tag in often]
    if not reasons:
        return None
    records = data.find_records(pd.concat([reason.first for reason in reasons]))
    table: list[list[Cell]] = []
    for reason in reasons:
        (key,) = data.list_keys(reason.first)
        texts = (reason.model, reason.edges, reason.tag, *_describe(reason.tag, records.get(key, {})))
        cells: list[Cell] = [*map(Label, texts)]
        table.append([*cells[:3], Share(reason.times, reason.whole), *cells[3:]])
    return Picture(
        name=f"{name}-wrong-edges",
        kind="wrong-edges",
        title=f"Why edges are wrong or missing: {name}",
        after="TraceEval, section 3.4",
        table=Table(columns=_COLUMNS, rows=table),
        of=shown,
        sentence=_word([reason for reason in reasons if reason.model not in data.unspoken]),
        in_terminal=True,
        in_markdown=True,
    )


def _select_tag(answers: pd.DataFrame, tag: str) -> pd.DataFrame:
    """The answers that have an edge with this tag."""
    column = f"metrics.audit.{tag}"
    return answers[answers[column] > 0] if column in answers else answers.iloc[:0]


def _describe(tag: str, record: Any) -> tuple[str, str]:
    """An edge with this tag, and the code that is the evidence with its place."""
    edge = next((edge for edge in record.get("audit", ()) if edge["tag"] == tag), None)
    if edge is None:
        return "", ""
    instead = f" ({'named as' if tag in MISSED_TAGS else 'right:'} {edge['instead']})" if edge["instead"] else ""
    place = f"{record['family']}, {edge['file']}:{edge['line']}: {edge['code']}" if edge["file"] else ""
    return f"{edge['caller']} → {edge['callee']}{instead}", place or str(record["family"])


def _word(reasons: list[_Reason]) -> str:
    """The most frequent reason of each model's wrong edges."""
    first: dict[str, _Reason] = {}
    for reason in reasons:
        if reason.edges == "wrong":
            first.setdefault(reason.model, reason)
    return " ".join(
        f"{reason.model}: {plural(reason.whole, 'wrong edge')}, most often {reason.tag} ({reason.times:,})."
        for reason in first.values()
    )
