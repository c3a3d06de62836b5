"""A comparison as a page that opens from disk: the answer, the table, then every question, those that flipped first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import pandas as pd

from pytest_codereason.reports.comparing import sentences
from pytest_codereason.reports.comparing.comparison import RunComparison, SidesComparison, SuiteComparison
from pytest_codereason.reports.comparing.differences import MetricRow, can_have_smallest
from pytest_codereason.reports.comparing.matching import match_questions
from pytest_codereason.reports.comparing.text_page import format_flip_count
from pytest_codereason.reports.pages.answers import Facet, embed_answers, sort_answers
from pytest_codereason.reports.pages.rendering import render_page
from pytest_codereason.reports.words.formatting import format_signed
from pytest_codereason.results.measures.measures import mark_outcomes
from pytest_codereason.results.runs.run_data import RunData

_REACHES = (0.05, 0.1, 0.2, 0.5, 1.0)  # ends of the line on which differences are drawn
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
    reach = _find_reach(suite.rows)
    return {
        "name": suite.name,
        "overlap": sentences.describe_overlap(suite, pair),
        "answers": list(sentences.describe_suite(suite, pair)),
        "reach": [format_signed(-reach, 2), "0", format_signed(reach, 2)],
        "rows": [_show_row(row, reach) for row in suite.rows],
        "flips": [(axis or "kind of failure", "; ".join(map(format_flip_count, counts))) for axis, counts in groups],
        "lost": suite.flips.lost,
        "won": suite.flips.won,
    }


def _show_row(row: MetricRow, reach: float) -> dict[str, object]:
    difference = row.difference
    shown = {"name": sentences.name_row(row), "finding": row.finding, "verdict": sentences.format_finding(row)}
    if not difference:
        return shown | {"cells": None, "why": difference.reason, "swing": None}
    return shown | {"cells": sentences.list_cells(row), "why": "", "swing": _draw_swing(row, reach)}


def _find_reach(rows: Sequence[MetricRow]) -> float:
    """How far the differences of shares and their intervals go from zero, as a round number."""
    ends = [abs(end) for row in rows for end in _list_ends(row)]
    return next(reach for reach in _REACHES if reach >= min(1.0, max(ends, default=0.0)))


def _list_ends(row: MetricRow) -> tuple[float, ...]:
    """A difference between the ends of its interval; empty for one that is not of shares, or has no interval."""
    difference = row.difference
    if not difference or not can_have_smallest(row) or difference.low is None or difference.high is None:
        return ()
    return difference.low, difference.value, difference.high


def _draw_swing(row: MetricRow, reach: float) -> tuple[float, float, float] | None:
    """Where the interval begins, how wide it is and where the difference stands, in percent of a line around zero."""
    if not (ends := _list_ends(row)):
        return None
    low, value, high = (round(50 + 50 * max(-1.0, min(1.0, end / reach)), 2) for end in ends)
    return low, round(high - low, 2), value
