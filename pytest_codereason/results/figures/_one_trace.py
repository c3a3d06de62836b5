"""Words of doubt along the reasoning of one answer (CodeCrash, figure 3)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from pytest_codereason.core import SCORED, Record
from pytest_codereason.questions.replies.reasoning import find_confusion
from pytest_codereason.results.pictures import Column, Panel, Picture, Point, Table, name_columns
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.values import Cell, Count, Label, Undefined, Why

#: Equal parts of a trace; after each of them the words of doubt so far are a point.
STEPS = 40


class _Trace(NamedTuple):
    text: str
    tokens: int | None  #: ``None`` if the endpoint does not report tokens


def follow_doubt(place: Sequence[str], data: RunData, models: Mapping[str, pd.DataFrame]) -> Picture | None:
    """For each model the sum of its words of doubt up to each token of one trace; ``None`` if no answer has a trace.

    That is the longest trace among the answers that were not right, or the longest of all if every answer was right.
    """
    panels: list[Panel] = []
    table: list[list[Cell]] = []
    chosen = {label: _choose_answer(answers) for label, answers in models.items()}
    records = data.find_records(pd.concat(chosen.values()))
    for label, row in chosen.items():
        for record in (records[key] for key in data.list_keys(row) if key in records):
            trace = _read_trace(record)
            if trace is None:
                continue
            doubts = find_confusion(trace.text)
            whole = trace.tokens or len(trace.text)
            ends = [part * len(trace.text) / STEPS for part in range(STEPS + 1)]
            points = [
                Point(x=whole * part / STEPS, value=bisect_left(doubts, end), n=1) for part, end in enumerate(ends)
            ]
            unit = "tokens" if trace.tokens else "characters"
            panels.append(
                Panel(title=label, x=f"{unit} of the trace", y="words of doubt so far", lines={label: points})
            )
            half = bisect_left(doubts, len(trace.text) / 2)
            collapsed = "yes" if record.trace.get("collapsed") else "no"
            tokens: Cell = Count(trace.tokens) if trace.tokens else Undefined(Why.UNKNOWN)
            numbers: list[Cell] = [Count(half), Count(len(doubts) - half)]
            names: list[Cell] = [Label(label), Label(record.id), Label(record.outcome)]
            table.append([*names, tokens, *numbers, Label(collapsed)])
    if not panels:
        return None
    columns = [
        *name_columns("model", "question", "outcome"),
        Column("tokens", "tokens of the trace"),
        Column("first", "words of doubt in its first half"),
        Column("second", "in its second half"),
        Column("collapsed", "collapsed"),
    ]
    return Picture(
        name="-".join([*place, "one-trace"]),
        kind="one-trace",
        title=f"Words of doubt along one answer: {', '.join(place)}",
        after="CodeCrash, figure 3",
        panels=panels,
        table=Table(columns=columns, rows=table),
        of={"suite": place[0], "language": place[1]},
    )


def _choose_answer(answers: pd.DataFrame) -> pd.DataFrame:
    """The row of the answer that is drawn; no row if no answer has a trace."""
    if "trace.characters" not in answers:
        return answers.head(0)
    traced = answers[answers["outcome"].isin(SCORED) & (answers["trace.characters"] > 0)]
    missed = traced[traced["outcome"] != "correct"]
    rows = traced if missed.empty else missed
    return rows.sort_values(["trace.characters", "id", "sample"], ascending=[False, True, True]).head(1)


def _read_trace(record: Record) -> _Trace | None:
    """The trace that the numbers of a record are about: the last reasoning, or the reply where none is shown.

    ``None`` if another tool wrote the record without its steps.
    """
    if not record.steps:
        return None
    step = record.steps[-1]
    reasoning, reply = step.reasoning or "", step.response or ""
    text = reasoning or reply
    if reasoning and (tokens := step.usage.get("reasoning")):
        return _Trace(text, int(tokens))
    share, tokens = len(text) / max(1, len(reasoning + reply)), step.usage.get("completion")
    return _Trace(text, round(share * int(tokens)) if tokens else None)
