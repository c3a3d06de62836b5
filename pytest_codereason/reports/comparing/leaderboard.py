"""Many runs on one page: who is best on each suite, with ties shown as ties.

Only answers to the same questions are ranked together. Runs whose plans of a suite differ asked other questions, so
they have a ranking of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_codereason.reports.pages.answers import Facet, embed_answers, sort_answers
from pytest_codereason.reports.pages.rendering import render_page
from pytest_codereason.reports.words import formatting
from pytest_codereason.reports.words.ranking import Ranking, RankingRow, show_ranking
from pytest_codereason.results.measures.summary import SuiteSummary, summarise
from pytest_codereason.results.runs.run_data import RunData


@dataclass(frozen=True)
class Board:
    """The runs that asked the same questions of one suite, and their figures."""

    suite: str
    plan: str  #: the first letters of the plan's digest, where a suite has several plans; else empty
    data: RunData
    summary: SuiteSummary

    @property
    def title(self) -> str:
        """``semtrace``, or ``semtrace, plan 3f2a3f2a``."""
        return f"{self.suite}, plan {self.plan}" if self.plan else self.suite


def rank_runs(data: RunData) -> tuple[Board, ...]:
    """A board for each suite and plan, in the order in which the runs have them."""
    return tuple(board for name in data.suites for board in _rank_suite(data, name))


def _rank_suite(data: RunData, name: str) -> Iterator[Board]:
    plans: dict[str, list[str]] = {}
    for run, info in data.runs.items():
        if name in info.suites:
            plans.setdefault(info.suites[name].plan, []).append(run)
    for plan, runs in plans.items():
        part = _select_runs(data, name, runs)
        yield Board(name, plan[:8] if len(plans) > 1 else "", part, summarise(part).suites[name])


def _select_runs(data: RunData, name: str, runs: list[str]) -> RunData:
    """What these runs measured on the suite ``name`` alone."""
    infos = {run: replace(data.runs[run], suites={name: data.runs[run].suites[name]}) for run in runs}
    parts = [
        rows[(rows["suite"] == name) & rows["run"].isin(runs)].reset_index(drop=True) if len(rows) else rows
        for rows in (data.records, data.repeats)
    ]
    return replace(data, runs=infos, records=parts[0], repeats=parts[1])


def write_leaderboard(data: RunData, page: Path) -> str:
    """The page that will lie at ``page``. Texts that are too large for it are written into a folder beside it."""
    boards = rank_runs(data)
    rankings = [show_ranking(board.summary, board.data.subjects) for board in boards]
    rows = sort_answers(data, data.records)
    plans = {(run, name): suite.plan[:8] for run, info in data.runs.items() for name, suite in info.suites.items()}
    asked = [plans.get(key, "") for key in zip(rows["run"].tolist(), rows["suite"].tolist(), strict=True)]
    return render_page(
        "comparing/leaderboard.html.j2",
        explorer=embed_answers(data, rows, data.sources, page, [Facet("plan", "plan", asked)]),
        formatting=formatting,
        boards=[_show_board(place, *each) for place, each in enumerate(zip(boards, rankings, strict=True))],
        overview=_list_overview(data, boards, rankings),
        runs=data.runs,
        damaged=data.damaged,
    )


def _show_board(place: int, board: Board, ranking: Ranking) -> dict[str, object]:
    return {"name": board.title, "place": place + 1, "headline": board.summary.headline, **vars(ranking)}


def _list_overview(data: RunData, boards: Sequence[Board], rankings: Sequence[Ranking]) -> dict[str, object]:
    """A line for each model of each run, a column for each condition of each board: the score and the rank."""
    columns = [
        (board, of, rows) for board, each in zip(boards, rankings, strict=True) for of, rows in each.results.items()
    ]
    cells: dict[tuple[str, str], dict[int, RankingRow]] = {}
    for place, (_, _, rows) in enumerate(columns):
        for row in rows:
            cells.setdefault((row.model, row.run), {})[place] = row
    order = [(subject.model, subject.run) for subject in data.subjects]
    lines = [
        {"model": model, "run": run, "cells": [cells[model, run].get(place) for place in range(len(columns))]}
        for model, run in order
        if (model, run) in cells
    ]
    return {"columns": [(board.title, of) for board, of, _ in columns], "lines": lines}
