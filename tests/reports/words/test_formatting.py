from __future__ import annotations

import pytest

from pytest_codereason.reports.words import formatting
from pytest_codereason.results.measures.summary import Counts, Total
from pytest_codereason.results.values import (
    AxisPlace,
    Bounds,
    Undefined,
    Why,
)
from pytest_codereason.results.verdicts.verdict import Decision, GateVerdict
from tests.reports.words.changes import DELTA, FROM_ZERO


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


def test_bounds_of_a_place_are_places() -> None:
    bounds = Bounds(all_wrong=0.5, all_right=12.345, truncated=2)
    place = AxisPlace(value=1.85, low=1.2, high=64, lowest=1, highest=64, bounds=bounds)
    assert formatting.format_estimate(place) == "1.9 [1.2, > 64]"
    assert formatting.format_bounds(place) == "< 1 to 12 with 2 truncated answers"


def test_a_difference_of_groups_is_marked() -> None:
    assert formatting.format_delta(DELTA) == "−0.100 [−0.162, −0.040], −16.5\xa0%"
    assert formatting.format_delta(FROM_ZERO) == "+0.100, 0 before, unpaired"
    assert formatting.format_delta(Undefined(Why.SKIPPED, "reference")) == "reference skipped"


@pytest.mark.parametrize(
    ("decisions", "text"),
    [
        ("PASS PASS", "2 of 2 gates passed"),
        ("PASS", "The gate passed"),
        ("FAIL", "The gate failed"),
        ("UNDECIDED", "The gate is undecided"),
        ("UNMEASURED", "The gate is unmeasured"),
        ("FAIL FAIL", "2 of 2 gates failed"),
        ("UNDECIDED FAIL", "1 of 2 gates failed, 1 undecided"),
        ("UNDECIDED UNMEASURED", "1 of 2 gates is undecided, 1 unmeasured"),
        ("UNDECIDED UNDECIDED", "2 of 2 gates are undecided"),
        ("UNDECIDED FAIL PASS UNDECIDED", "1 of 4 gates passed, 1 failed, 2 undecided"),
    ],
)
def test_gates_are_counted_by_what_they_say(decisions: str, text: str) -> None:
    made = [
        GateVerdict(gate="g", model="m", verdict=Decision(each), passed=each == "PASS", claim="suite", sentence="")
        for each in decisions.split()
    ]
    assert formatting.count_verdicts(made) == text


def test_a_gate_that_the_user_lets_pass_has_passed() -> None:
    let = GateVerdict(gate="g", model="m", verdict=Decision.UNDECIDED, passed=True, claim="suite", sentence="")
    assert formatting.count_verdicts([let]) == "The gate passed"
