from __future__ import annotations

import pytest

from pytest_codereason.reports.words import formatting
from pytest_codereason.results.measures.summary import Counts, Total
from pytest_codereason.results.pictures import Aspect
from pytest_codereason.results.values import (
    AxisPlace,
    Bounds,
    Cell,
    Count,
    Delta,
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

DELTA = Delta(
    value=-0.1,
    low=-0.162,
    high=-0.04,
    relative=-0.165,
    relative_low=-0.2,
    relative_high=0.01,
    pairs=40,
    families=10,
    flips=Flips(lost=5, won=1, pairs=40),
)
FROM_ZERO = Delta(
    value=0.1, low=None, high=None, relative=None, relative_low=None, relative_high=None, pairs=0, families=10
)


def test_a_number_of_each_answer_is_a_mean_beside_its_total() -> None:
    assert formatting.format_total(Total(19_200.0, 192)) == "100 on average, 19,200 in all"
    assert formatting.format_total(Total(None, 0)) == "unknown"
    assert formatting.format_total_cost(Total(1.2, 900)) == "$0.0013 on average, $1.20 in all"
    assert formatting.format_total_cost(Total(0.0, 900)) == "$0.00"
    assert formatting.format_total_cost(Total(None, 0)) == "unknown"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (formatting.format_number(0.8125), "0.812"),
        (formatting.format_number(None), "undefined"),
        (formatting.format_signed(-0.0004), "0.000"),
        (formatting.format_signed(0.0004), "0.000"),
        (formatting.format_signed(0.1), "+0.100"),
        (formatting.format_signed(-0.1), "−0.100"),
        (formatting.format_percent(-0.2994), "−29.9\xa0%"),
        (formatting.format_percent(None), "0 before"),
        (formatting.format_duration(0.843), "0.84 s"),
        (formatting.format_duration(59.6), "60 s"),
        (formatting.format_duration(192), "3 min 12 s"),
        (formatting.format_duration(93_600), "26 h"),
        (formatting.format_duration(259_200), "3 days"),
        (formatting.format_duration(None), "unknown"),
        (formatting.format_dollars(0.41), "$0.41"),
        (formatting.format_dollars(0.00123), "$0.0012"),
        (formatting.format_dollars(0.0), "$0.00"),
        (formatting.format_dollars(None), "unknown"),
        (formatting.format_moment("2026-11-21T10:00:00+00:00"), "2026-11-21 10:00"),
        (formatting.format_moment(None), "unknown"),
        (formatting.format_axis_value(True), "true"),
        (formatting.format_unanswered(Counts(9, 9, {"error": 0})), ""),
        (formatting.format_unanswered(Counts(9, 9, {"error": 1200})), "1,200 unanswered"),
    ],
)
def test_how_numbers_are_written(text: str, expected: str) -> None:
    assert text == expected


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
    assert formatting.format_cell(cell, aspect) == text


@pytest.mark.parametrize(
    ("aspect", "text"),
    [
        ("value", "0.620 [0.550, 0.690], 0.620 to 0.665 with 9 truncated answers"),
        ("percent", "62.00 [55.0, 69.0], 62.00 to 66.50 with 9 truncated answers"),
    ],
)
def test_a_cell_says_what_its_score_would_be_without_the_token_limit(aspect: Aspect, text: str) -> None:
    bounds = Bounds(all_wrong=0.62, all_right=0.665, truncated=9)
    assert formatting.format_cell(Estimate(value=0.62, low=0.55, high=0.69, bounds=bounds), aspect) == text


def test_bounds_stand_beside_a_cell_or_behind_a_mark() -> None:
    """A page shows a mark in place of the words; text shows both together."""
    bounds = Bounds(all_wrong=0.62, all_right=0.665, truncated=9)
    cell = Estimate(value=0.62, low=0.55, high=0.69, bounds=bounds)
    assert formatting.format_unbounded(cell) == "0.620 [0.550, 0.690]"
    assert formatting.format_cell_bounds(cell) == "0.620 to 0.665 with 9 truncated answers"
    tokens = Estimate(value=62.0, low=None, high=None, bounds=bounds, unit="tokens")
    assert formatting.format_cell_bounds(tokens) == "", "they are about right answers"
    assert formatting.format_cell_bounds(Count(3)) == ""
    assert formatting.format_cell_bounds(Estimate(value=None, bounds=bounds, why=Why.SKIPPED)) == ""


def test_bounds_of_a_place_are_places() -> None:
    bounds = Bounds(all_wrong=0.5, all_right=12.345, truncated=2)
    place = AxisPlace(value=1.85, low=1.2, high=64, lowest=1, highest=64, bounds=bounds)
    assert formatting.format_estimate(place) == "1.9 [1.2, > 64]"
    assert formatting.format_bounds(place) == "< 1 to 12 with 2 truncated answers"


def test_a_difference_of_groups_is_marked() -> None:
    assert formatting.format_delta(DELTA) == "−0.100 [−0.162, −0.040], −16.5\xa0%"
    assert formatting.format_delta(FROM_ZERO) == "+0.100, 0 before, unpaired"
    assert formatting.format_delta(Undefined(Why.SKIPPED, "reference")) == "reference skipped"
