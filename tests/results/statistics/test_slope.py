"""The slope of a mean over a number: by hand, against numpy, and with an interval over families."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_codereason.results.statistics.intervals import UNDEFINED, Floats
from pytest_codereason.results.statistics.slope import fit_slope


def sum_up(x: Floats, y: Floats, families: Floats, w: Floats | None = None) -> Floats:
    """The sums of each family."""
    w = np.ones(len(x)) if w is None else w
    parts = np.stack([w, w * x, w * x**2, y, x * y], axis=1)
    return np.stack([parts[families == each].sum(axis=0) for each in np.unique(families)])


def test_a_line_is_found_exactly() -> None:
    x = np.tile([1.0, 2.0, 4.0], 5)
    slope = fit_slope(sum_up(x, 0.9 - 0.1 * x, np.repeat(np.arange(5.0), 3)))
    assert slope is not None
    assert slope.value == pytest.approx(-0.1)
    assert slope.interval == UNDEFINED, "all families agree, and nothing says how others may differ"


def test_the_slope_is_that_of_least_squares_and_its_interval_of_families() -> None:
    random = np.random.default_rng(2)
    x, families = random.integers(0, 5, 300).astype(float), np.repeat(np.arange(100.0), 3)
    y = (random.random(300) < 0.9 - 0.15 * x).astype(float)
    slope = fit_slope(sum_up(x, y, families))
    assert slope is not None
    assert slope.value == pytest.approx(np.polyfit(x, y, 1)[0])
    residuals = y - np.polyval(np.polyfit(x, y, 1), x)
    error = np.sqrt((residuals**2).sum() / 298 / ((x - x.mean()) ** 2).sum())
    low, high = slope.interval
    assert low == pytest.approx(slope.value - 1.96 * error, abs=0.012)
    assert high == pytest.approx(slope.value + 1.96 * error, abs=0.012)


def test_a_weight_counts_as_so_many_answers() -> None:
    """At 0 one of one, at 1 one of three: the ratio falls by two thirds."""
    slope = fit_slope(sum_up(np.array([0.0, 1.0]), np.array([1.0, 1.0]), np.array([0.0, 1.0]), np.array([1.0, 3.0])))
    assert slope is not None
    assert slope.value == pytest.approx(-2 / 3)


def test_there_is_no_slope_without_two_places() -> None:
    same = sum_up(np.array([2.0, 2.0]), np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    assert fit_slope(same) is None
    assert fit_slope(same[:0]) is None
    assert fit_slope(np.zeros((3, 5))) is None
    far = sum_up(np.array([1e6, 1e6]), np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    assert fit_slope(far) is None


def test_draws_that_have_one_place_alone_give_no_slope() -> None:
    """Each of two families stands at one place. Half of the draws hold one family, and leave both others."""
    columns = sum_up(np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    slope = fit_slope(columns)
    assert slope is not None
    assert slope.value == -1
    assert slope.interval == UNDEFINED
