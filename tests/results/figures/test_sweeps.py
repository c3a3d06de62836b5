"""Answers by position: what is best and worst, and how far the others are from it, by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from scipy import stats

from pytest_codereason.core import Metric
from pytest_codereason.results.figures._sweeps import Sweep, count_programs, judge_courses, list_sweeps
from pytest_codereason.results.values import Why
from tests.results.figures.rows import data, record, run

EXACT = Metric(name="exact", title="Exact match")
PLACES = (0, 50, 100)
ONE: Mapping[str, list[Any]] = {"position": [*PLACES]}


def sweep(*right: int | str, places: Sequence[float] = PLACES) -> Sweep:
    """The answers about ten programs: so many are right at each place, or all have this outcome."""
    rows = [
        record("s", "m", program, {"position": place}, isinstance(many, int) and program < many)
        | ({"outcome": many, "metrics": {}} if isinstance(many, str) else {})
        for place, many in zip(places, right, strict=True)
        for program in range(10)
        if many != "unasked"
    ]
    (line,) = list_sweeps(data(rows, run({"s": ("output-prediction", {"position": [*places]})}, ["m"])))
    return line


def test_the_first_of_equal_positions_is_the_best_and_the_worst() -> None:
    assert sweep(2, 8, 8).find_extremes(EXACT) == (50, 0)
    assert sweep(8, 2, 2).find_extremes(EXACT) == (0, 50)
    assert sweep(5, 5, 5).find_extremes(EXACT) == (0, 0)


def test_every_position_is_compared_with_the_best_in_percent() -> None:
    line = sweep(2, 8, 6)
    points = line.compare_with_best(EXACT)
    assert [(point.x, point.value) for point in points] == [
        (0, pytest.approx(-75)),
        (50, 0),
        (100, pytest.approx(-25)),
    ]
    assert [point.n for point in points] == [10, 0, 10], "the best is compared with nothing"
    for point in (points[0], points[2]):
        assert point.value is not None
        assert point.low is not None
        assert point.high is not None
        assert -100 <= point.low < point.value < point.high <= 1
    assert line.compare_with_best(EXACT) is points, "it is measured once"
    assert [(point.x, point.value, point.n) for point in line.measure(EXACT)] == [
        (0, 0.2, 10),
        (50, 0.8, 10),
        (100, 0.6, 10),
    ]
    drop = line.find_largest_drop(EXACT)
    assert drop is not None
    assert (drop.value, drop.relative, drop.pairs) == pytest.approx((-0.6, -0.75, 10))


@pytest.mark.parametrize(
    ("right", "why"),
    [
        ((0, 0, 0), Why.NEVER_RIGHT),
        ((5, "unasked", "unasked"), Why.NOT_ELSEWHERE),
        (("error", "error", "error"), Why.UNANSWERED),
        (("skipped", "skipped", "unasked"), Why.SKIPPED),
        (("error", 0, "error"), Why.NOT_ELSEWHERE),
    ],
)
def test_without_a_best_position_it_is_said_why(right: tuple[int | str, ...], why: Why) -> None:
    line = sweep(*right)
    assert line.explain_missing(EXACT) is why
    assert (line.find_extremes(EXACT), line.find_largest_drop(EXACT)) == ((None, None), None)
    assert [point.value for point in line.compare_with_best(EXACT)] == [None] * 3
    for point, many in zip(line.compare_with_best(EXACT), right, strict=True):
        own = {"error": Why.UNANSWERED, "skipped": Why.SKIPPED, "unasked": Why.NOT_ASKED}
        assert point.why is (own[many] if isinstance(many, str) else why), "a place says first what is missing there"


def test_a_place_without_answers_is_undefined_beside_others() -> None:
    points = sweep(2, 8, "error").compare_with_best(EXACT)
    assert [point.value for point in points] == [pytest.approx(-75), 0, None]
    assert points[2].why is Why.UNANSWERED


def test_a_course_is_judged_over_all_places() -> None:
    """Six programs fall from the first place to the second: Cochran's Q is 6, with one degree of freedom."""
    line = sweep(8, 2, places=(0, 100))
    p = line.judge_course(EXACT)
    assert p == pytest.approx(stats.chi2.sf(6, 1), abs=0.002)
    assert judge_courses([line], EXACT) == {"m": p}
    assert judge_courses([sweep("error", "error", "error")], EXACT) == {}
    assert count_programs([line], EXACT) == {"m": 10}
    drops = line.draw_chance(EXACT)
    assert drops.shape[1] == 2
    # Of the six programs that differ k are right at the first place. The mean of |2 k - 6| / 10 is 1.875 / 10.
    assert drops[:, 0].mean() == pytest.approx(-0.1875, abs=0.03)


def list_names(
    axes: Mapping[str, list[Any]], *cells: Mapping[str, Any], languages: Sequence[str] = ("python",)
) -> list[Any]:
    rows = [
        record("s", model, 0, cell, True, language=language)
        for model in ("a", "b")
        for cell in cells
        for language in languages
    ]
    of = run({"s": ("output-prediction", {"language": [*languages], **axes}), "plain": ("output-prediction", {})}, "ab")
    return [(each.language, each.length, each.size, each.label) for each in list_sweeps(data(rows, of))]


def test_each_language_length_model_and_other_value_has_a_line() -> None:
    cells = [{"position": place} for place in PLACES]
    assert list_names(ONE, *cells, languages=("python", "php")) == [
        ("python", "one length", 0, "a"),
        ("python", "one length", 0, "b"),
        ("php", "one length", 0, "a"),
        ("php", "one length", 0, "b"),
    ]
    axes = {**ONE, "tokens": [0, 1000, 20000], "digits": [2, 6]}
    cells = [{"position": p, "tokens": t, "digits": d} for p in PLACES for t in (1000, 20000) for d in (2, 6)]
    assert list_names(axes, *cells) == [
        ("python", length, size, f"{model}, digits {digits}")
        for length, size in (("1,000 tokens", 1000), ("20,000 tokens", 20000))
        for model in "ab"
        for digits in (2, 6)
    ]


def test_a_suite_needs_two_positions_that_are_numbers() -> None:
    cells = [{"position": place} for place in PLACES]
    assert list_names({"position": [50]}, cells[1]) == []
    assert list_names({"position": ["random", 50]}, cells[1]) == []
    assert len(list_names({"position": ["random", 0, 50]}, *cells)) == 2
