"""A comparison as a page that opens from disk: the answer, the table, then every question, those that flipped first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pandas as pd

from pytest_codereason.reports.comparing import sentences
from pytest_codereason.reports.comparing.comparison import RunComparison, SidesComparison, SuiteComparison
from pytest_codereason.reports.comparing.differences import MetricRow
from pytest_codereason.reports.comparing.matching import match_questions
from pytest_codereason.reports.comparing.text_page import format_flip_count
from pytest_codereason.reports.pages.answers import Facet, embed_answers, sort_answers
from pytest_codereason.reports.pages.rendering import render_page
from pytest_codereason.results.measures.measures import mark_outcomes
from pytest_codereason.results.runs.run_data import RunData

LOST, WON, BOTH, NEITHER, UNANSWERED = "lost", "won", "both right", "both not right", "not answered by both"


def write_html(comparison: RunComparison, data: RunData, page: Path) -> str:
    """The page that will lie at ``page``. Texts that are too large for it are written into a folder beside it."""
    rows = sort_answers(data, list_answers(comparison, data))
    later = [pair.after.letter for pair in comparison.pairs]
    flipped = [change for change in (LOST, WON) if (rows["change"] == change).any()]
    facets = [
        Facet("change", "change", rows["change"].tolist(), (LOST, WON, BOTH, NEITHER, UNANSWERED)),
        Facet("side", "side", rows["side"].tolist(), [side.letter for side in comparison.sides], apart=True),
        Facet("pair", "comparison", rows["comparison"].tolist()),
    ]
    start = {"side": list(dict.fromkeys(later))} | ({"change": flipped} if flipped else {})
    return render_page(
        "comparing/comparison.html.j2",
        explorer=embed_answers(data, rows, data.sources, page, facets, start),
        comparison=comparison,
        sentences=sentences,
        remarks=list(sentences.list_remarks(comparison)),
        pairs=[_show_pair(pair) for pair in comparison.pairs],
    )


def list_answers(comparison: RunComparison, data: RunData) -> pd.DataFrame:
    """The answers of both sides of every pair about their shared questions.

    The columns ``side``, ``comparison`` and ``change`` say whose the answer is, in which pair, and what became of the
    question from the earlier to the later side.
    """
    parts = [part for pair in comparison.pairs for suite in pair.suites for part in _list_sides(data, pair, suite)]
    return pd.concat(parts, ignore_index=True)


def _list_sides(data: RunData, pair: SidesComparison, suite: SuiteComparison) -> Iterator[pd.DataFrame]:
    matching = match_questions(data, suite.name, (pair.before, pair.after))
    old, new = (_find_right(part) for part in (matching.before, matching.after))
    changes = {number: _name_change(old.get(number), new.get(number)) for number in {*old, *new}}
    for side, part in ((pair.before, matching.before), (pair.after, matching.after)):
        yield part.assign(
            side=side.letter,
            comparison=_name_pair(pair),
            change=[changes.get(number, UNANSWERED) for number in part["pair"].tolist()],
        )


def _find_right(part: pd.DataFrame) -> dict[int, bool]:
    """Whether each answered question is right, by the number of its pair."""
    answered = part[~mark_outcomes(part, ("error", "skipped"))]
    right = (answered["outcome"] == "correct").tolist()
    return dict(zip(answered["pair"].tolist(), right, strict=True))


def _name_change(was: bool | None, now: bool | None) -> str:
    if was is None or now is None:
        return UNANSWERED
    return {(True, False): LOST, (False, True): WON, (True, True): BOTH, (False, False): NEITHER}[was, now]


def _name_pair(pair: SidesComparison) -> str:
    return f"{pair.after.letter} against {pair.before.letter}"


def _show_pair(pair: SidesComparison) -> dict[str, object]:
    return {
        "title": _name_pair(pair),
        "letters": (pair.before.letter, pair.after.letter),
        "suites": [_show_suite(suite, pair) for suite in pair.suites],
    }


def _show_suite(suite: SuiteComparison, pair: SidesComparison) -> dict[str, object]:
    groups = groupby(suite.flips.counts, key=lambda count: count.axis)
    return {
        "name": suite.name,
        "overlap": sentences.describe_overlap(suite, pair),
        "answers": list(sentences.describe_suite(suite, pair)),
        "rows": [_show_row(row) for row in suite.rows],
        "flips": [(axis or "kind of failure", "; ".join(map(format_flip_count, counts))) for axis, counts in groups],
        "lost": suite.flips.lost,
        "won": suite.flips.won,
    }


def _show_row(row: MetricRow) -> dict[str, object]:
    difference = row.difference
    shown = {"name": sentences.name_row(row), "finding": row.finding, "verdict": sentences.format_finding(row)}
    if not difference:
        return shown | {"cells": None, "why": difference.reason}
    return shown | {"cells": sentences.list_cells(row), "why": ""}
