"""Why edges of call graphs are wrong or missing: shares by reason, each with an example (TraceEval, section 3.4).

Edges are counted twice: by strict names, and by normalised names as precision and recall count them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from typing import NamedTuple

import pandas as pd

from pytest_codereason.core import Record
from pytest_codereason.core.text.wording import plural
from pytest_codereason.languages.call_graphs.auditing import MISSED_TAGS, WRONG_TAGS
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures.call_graphs import NORMALISED, STRICT
from pytest_codereason.results.pictures import Column, Picture, Table, name_columns
from pytest_codereason.results.records.axes import LENGTHS, PERTURBATION, UNCHANGED, select_value
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.values import Cell, Label, Share

TASK = "call-graph"
#: How names are compared, with the beginning of the names of the counts: as they are, and as precision and recall do.
_NAMES = {STRICT: "audit", NORMALISED: "audit_normalised"}
_BOTH = "both"  #: where the reasons are the same in both ways
_EDGES = ("wrong", "missed")
_COLUMNS = (
    *name_columns("model", "names", "edges", "reason"),
    Column("share", "share", "percent"),
    *name_columns("example", "code"),
)


class _Reason(NamedTuple):
    """How often a model's edges have one tag."""

    model: str
    names: str  #: how names are compared, or ``both``
    edges: str  #: ``wrong`` or ``missed``
    tag: str
    times: int
    whole: int
    first: pd.DataFrame  #: the first answer with such an edge


class WrongEdgesFigure(Figure):
    """For each suite that asks for call graphs a table of reasons, with the code and the edge of an example."""

    order = 55

    def pictures(self, data: RunData) -> Iterator[Picture]:
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
    exact: set[str] = set()  # models of which no edge is wrong by normalised names
    for label, answers in data.by_subject(rows):
        ways = [{names: _count_reasons(label, names, edges, answers) for names in _NAMES} for edges in _EDGES]
        for names, way in product((_BOTH, *_NAMES), map(_join_equal, ways)):
            reasons += way.get(names, ())
        if "metrics.fp" in answers and not answers["metrics.fp"].sum():
            exact.add(label)
    if not reasons:
        return None
    records = data.find_records(pd.concat([reason.first for reason in reasons]))
    table: list[list[Cell]] = []
    for reason in reasons:
        (key,) = data.list_keys(reason.first)
        example = _describe(reason.tag, records.get(key), counted=reason.names != STRICT)
        texts = (reason.model, reason.names, reason.edges, reason.tag, *example)
        cells: list[Cell] = [*map(Label, texts)]
        table.append([*cells[:4], Share(reason.times, reason.whole), *cells[4:]])
    return Picture(
        name=f"{name}-wrong-edges",
        kind="wrong-edges",
        title=f"Why edges are wrong or missing: {name}",
        after="TraceEval, section 3.4",
        table=Table(columns=_COLUMNS, rows=table),
        of=shown,
        sentence=_word([reason for reason in reasons if reason.model not in data.unspoken], exact),
        in_terminal=True,
        in_markdown=True,
    )


def _count_reasons(label: str, names: str, edges: str, answers: pd.DataFrame) -> list[_Reason]:
    """How often each tag of wrong or missed edges occurs, the most frequent first."""
    tags = WRONG_TAGS if edges == "wrong" else MISSED_TAGS
    columns = {str(tag): f"metrics.{_NAMES[names]}.{tag}" for tag in tags}
    parts = {tag: part for tag, column in columns.items() if not (part := _select_tag(answers, column)).empty}
    sums = {tag: int(part[columns[tag]].sum()) for tag, part in parts.items()}
    whole, often = sum(sums.values()), sorted(sums, key=lambda tag: -sums[tag])
    return [_Reason(label, names, edges, tag, sums[tag], whole, parts[tag].head(1)) for tag in often]


def _join_equal(by_names: Mapping[str, list[_Reason]]) -> Mapping[str, list[_Reason]]:
    """The reasons for each way to compare names; those for ``both`` if names change nothing."""
    strict, normalised = ([(each.tag, each.times) for each in by_names[names]] for names in (STRICT, NORMALISED))
    if strict != normalised:
        return by_names
    return {_BOTH: [each._replace(names=_BOTH) for each in by_names[NORMALISED]]}


def _select_tag(answers: pd.DataFrame, column: str) -> pd.DataFrame:
    """The answers that have an edge with this tag."""
    return answers[answers[column] > 0] if column in answers else answers.iloc[:0]


def _describe(tag: str, record: Record | None, *, counted: bool) -> tuple[str, str]:
    """An edge with this tag, and the code that is the evidence with its place; ``counted`` by normalised names too."""
    edges = (edge for edge in (record.audit if record else ()) if edge["tag"] == tag)
    edge = next((edge for edge in edges if not (counted and edge.get("forgiven"))), None)
    if record is None or edge is None:
        return "", ""
    instead = f" ({'named as' if tag in MISSED_TAGS else 'right:'} {edge['instead']})" if edge["instead"] else ""
    place = f"{record.family}, {edge['file']}:{edge['line']}: {edge['code']}" if edge["file"] else ""
    return f"{edge['caller']} → {edge['callee']}{instead}", place or record.family


def _word(reasons: list[_Reason], exact: Collection[str]) -> str:
    """How many edges of each model are wrong in both ways to compare names, with the most frequent reason."""
    first: dict[str, dict[str, _Reason]] = {}
    for reason in reasons:
        if reason.edges == "wrong":
            first.setdefault(reason.model, {}).setdefault(reason.names, reason)
    sentences = []
    for model, by_names in first.items():
        clauses = [_word_reason(by_names[names], "wrong edge") for names in (_BOTH, STRICT) if names in by_names]
        if NORMALISED in by_names:
            clauses.append(f"{_word_reason(by_names[NORMALISED])}, as precision counts them")
        elif model in exact:
            clauses.append("none by normalised names, as precision counts them")
        sentences.append(f"{model}: {'; '.join(clauses)}.")
    return " ".join(sentences)


def _word_reason(reason: _Reason, noun: str = "") -> str:
    """``12 wrong edges by strict names, most often class-for-constructor (9)``."""
    many = plural(reason.whole, noun) if noun else f"{reason.whole:,}"
    names = f"{STRICT} and by {NORMALISED}" if reason.names == _BOTH else reason.names
    return f"{many} by {names} names, most often {reason.tag} ({reason.times:,})"
