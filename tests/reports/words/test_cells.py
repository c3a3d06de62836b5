"""Cells as readers see them."""

from __future__ import annotations

import pytest

from pytest_codereason.reports.words import cells
from pytest_codereason.results.pictures import Aspect
from pytest_codereason.results.values import (
    Bounds,
    Cell,
    Count,
    Estimate,
    Flips,
    Label,
    Number,
    Range,
    Share,
    Trend,
    Undefined,
    Why,
)
from tests.reports.words.changes import DELTA, FROM_ZERO


@pytest.mark.parametrize(
    ("cell", "aspect", "text"),
    [
        (Estimate(value=0.5, low=0.4, high=0.6), "value", "0.500 [0.400, 0.600]"),
        (Estimate(value=0.5, low=0.4, high=0.6), "percent", "50.00 [40.0, 60.0]"),
        (Estimate(value=1234.4, low=1000, high=2000, unit="tokens"), "value", "1,234 [1,000, 2,000]"),
        (Estimate(value=1234.4, unit="tokens"), "value", "1,234"),
        (Estimate(value=None, why=Why.UNANSWERED), "percent", "unanswered"),
        (DELTA, "value", "−0.100 [−0.162, −0.040]"),
        (DELTA, "relative", "−16.5 %"),
        (DELTA, "relative_interval", "−16.5 [−20.0, +1.0] %"),
        (FROM_ZERO, "value", "+0.100"),
        (FROM_ZERO, "relative", "0 before"),
        (FROM_ZERO, "relative_interval", "0 before"),
        (Flips(lost=5, won=1, pairs=1200), "lost", "5 of 1,200"),
        (Flips(lost=5, won=1, pairs=1200), "won", "1 of 1,200"),
        (Share(12, 800), "value", "12 of 800 (1.5 %)"),
        (Share(0, 0), "value", "none to count"),
        (Count(1200), "value", "1,200"),
        (Number(0.12345, decimals=4), "value", "0.1235"),
        (Range(0.25, 0.5), "value", "0.250 to 0.500"),
        (Trend(0.8, 0.03, 0.5), "value", "0.800 · exp(−0.0300 x)"),
        (Label("php"), "value", "php"),
        (Undefined(Why.NOT_ASKED, "level 3"), "value", "level 3 not asked"),
    ],
)
def test_each_cell_in_the_column_of_its_aspect(cell: Cell, aspect: Aspect, text: str) -> None:
    assert cells.format_cell(cell, aspect) == text


@pytest.mark.parametrize(
    ("aspect", "text"),
    [
        ("value", "0.620 [0.550, 0.690], 0.620 to 0.665 with 9 truncated answers"),
        ("percent", "62.00 [55.0, 69.0], 62.00 to 66.50 with 9 truncated answers"),
    ],
)
def test_a_cell_says_what_its_score_would_be_without_the_token_limit(aspect: Aspect, text: str) -> None:
    bounds = Bounds(all_wrong=0.62, all_right=0.665, truncated=9)
    assert cells.format_cell(Estimate(value=0.62, low=0.55, high=0.69, bounds=bounds), aspect) == text


def test_bounds_stand_beside_a_cell_or_behind_a_mark() -> None:
    """A page shows a mark in place of the words; text shows both together."""
    bounds = Bounds(all_wrong=0.62, all_right=0.665, truncated=9)
    cell = Estimate(value=0.62, low=0.55, high=0.69, bounds=bounds)
    assert cells.format_unbounded(cell) == "0.620 [0.550, 0.690]"
    assert cells.format_cell_bounds(cell) == "0.620 to 0.665 with 9 truncated answers"
    tokens = Estimate(value=62.0, low=None, high=None, bounds=bounds, unit="tokens")
    assert cells.format_cell_bounds(tokens) == "", "they are about right answers"
    assert cells.format_cell_bounds(Count(3)) == ""
    assert cells.format_cell_bounds(Estimate(value=None, bounds=bounds, why=Why.SKIPPED)) == ""
