"""What became of the cells of an adaptive suite: how many questions, in how many rounds, and why each ended.

Everything is found in the records anew: the rule that chose the questions says of the same answers whether the cell has
ended. So a run that was resumed, or joined from shards, is judged by what it holds, and not by what it says of itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from pytest_codereason.core import AxisValue
from pytest_codereason.core.adaptive import Ended, Seen
from pytest_codereason.results.measures.horizons import count_places
from pytest_codereason.results.records.axes import select_condition
from pytest_codereason.results.runs.adaptive_info import CellInfo
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import RunInfo, SuiteInfo
from pytest_codereason.results.statistics.rounds import Decide, find_end, fit_seen
from pytest_codereason.results.verdicts.cell_gates import read_cell_gates

ROUND = "adaptive.round"


def describe_cells(data: RunData) -> dict[str, list[CellInfo]]:
    """The cells of every adaptive suite of a run, of all models."""
    return {
        name: [
            cell
            for subject in data.subjects
            for cell in list_cells(data.select_subject(data.select_suite(name), subject), data.run, name, subject.model)
        ]
        for name, suite in data.run.suites.items()
        if suite.chosen_axis
    }


def list_cells(
    rows: pd.DataFrame, run: RunInfo, name: str, model: str, where: Mapping[str, AxisValue] | None = None
) -> list[CellInfo]:
    """The cells of the suite ``name`` that lie at the place ``where``, by all answers of one model to the suite."""
    suite, gates = run.suites[name], read_cell_gates(run)
    places: dict[tuple[tuple[str, AxisValue], ...], None] = {}
    for _, cell in suite.cells:
        if (where or {}).items() <= cell.items():
            places[tuple((axis, value) for axis, value in cell.items() if axis != suite.chosen_axis)] = None
    return [
        _describe_cell(
            select_condition(rows, dict(place)), suite, model, dict(place), gates.find(name, model, dict(place))
        )
        for place in places
    ]


def _describe_cell(
    rows: pd.DataFrame, suite: SuiteInfo, model: str, where: Mapping[str, AxisValue], is_decided: Decide
) -> CellInfo:
    answered = rows[rows["outcome"] != "skipped"]
    asked = int(answered["id"].nunique())
    rounds = answered[ROUND].max() if ROUND in answered and asked else 0
    return CellInfo(
        model=model,
        where=where,
        asked=asked,
        rounds=int(rounds) if pd.notna(rounds) else 0,
        ended=_find_end(rows, suite, where, asked, is_decided),
    )


def _find_end(
    rows: pd.DataFrame, suite: SuiteInfo, where: Mapping[str, AxisValue], asked: int, is_decided: Decide
) -> Ended | None:
    assert suite.adaptive is not None
    if (rows["outcome"] == "error").any():
        return "errors"
    tallies, cut = count_places(rows, suite.chosen_axis)
    rungs = {}
    for rung in map(float, suite.adaptive.rungs):
        listed = suite.count_questions({**where, suite.chosen_axis: int(rung)}) or 0
        used = int(select_condition(rows, {suite.chosen_axis: int(rung)})["id"].nunique())
        right, scored = tallies.get(rung, (0.0, 0.0))
        rungs[rung] = Seen(right, scored, cut.get(rung, 0.0), max(0, listed - used))
    if not asked:
        return None if any(seen.left for seen in rungs.values()) else "exhausted"
    return find_end(rungs, suite.adaptive, asked, fit_seen(rungs), is_decided)


def find_unfinished(run: RunInfo, cells: Sequence[CellInfo]) -> str | None:
    """``5 of 8 cells asked to their end``: the part of the cells that has ended; ``None`` if all have."""
    ended = sum(cell.ended not in (None, "errors") for cell in cells)
    if ended < len(cells):
        return f"{ended} of {len(cells)} cells asked to their end"
    return run.selection
