"""The reading level against curves whose level is known, and evened-out accuracies against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.results.statistics.reading_level import find_reading_level

ASKED = 25.0
counts = st.lists(st.integers(0, 25), min_size=2, max_size=8)


@pytest.mark.parametrize("last", range(9))
def test_who_reads_up_to_a_level_gets_this_level(last: int) -> None:
    right = np.array([ASKED] * last + [0.0] * (8 - last))
    assert find_reading_level(right, np.full(8, ASKED)) == (last, last, last)


def test_a_level_between_two_has_both_in_its_interval() -> None:
    place = find_reading_level(np.array([25.0, 25, 13, 2]), np.full(4, ASKED))
    assert (place.level, place.low, place.high) == (3, 2, 3)


def test_one_lucky_level_above_does_not_count() -> None:
    assert find_reading_level(np.array([25.0, 2, 2, 14, 0]), np.full(5, ASKED)).level == 1


@given(counts)
def test_agrees_with_scipy(right: list[int]) -> None:
    from scipy.optimize import isotonic_regression

    shares = np.array(right, dtype=float) / ASKED
    fitted = isotonic_regression(shares, increasing=False).x
    place = find_reading_level(np.array(right, dtype=float), np.full(len(right), ASKED))
    if np.abs(fitted - 0.5).min() > 1e-9:  # a mean of exactly one half rounds either way
        assert place.level == int((fitted >= 0.5).sum())
    assert 0 <= place.low <= place.level <= place.high <= len(right)


def test_exactly_one_half_can_still_be_read() -> None:
    assert find_reading_level(np.array([20.0, 10, 9]), np.full(3, 20.0)).level == 2
    assert find_reading_level(np.array([20.0, 8, 12, 0]), np.full(4, 20.0)).level == 3, "8 and 12 even out to 10"


def test_levels_count_by_the_programs_that_were_asked() -> None:
    """3 of 10 and then 30 of 40 even out to 33 of 50; 30 of 100 and then 6 of 10 to 36 of 110."""
    assert find_reading_level(np.array([3.0, 30]), np.array([10.0, 40])).level == 2
    assert find_reading_level(np.array([30.0, 6]), np.array([100.0, 10])).level == 0


def test_the_interval_is_that_of_draws_from_jeffreys_prior() -> None:
    """One level, 12 of 25 right: it is read where a draw from Beta(12.5, 13.5) is at least one half, in 42 %."""
    from scipy import stats

    assert 0.025 < stats.beta(12.5, 13.5).sf(0.5) < 0.975
    assert find_reading_level(np.array([12.0]), np.array([25.0])) == (0, 0, 1)
    assert stats.beta(19.5, 6.5).cdf(0.5) < 0.025
    assert find_reading_level(np.array([19.0]), np.array([25.0])) == (1, 1, 1)
