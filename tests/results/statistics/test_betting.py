"""Bets against a bound: fair for every population, as a plain implementation makes them, and right at their level."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.results.statistics.betting import FRACTIONS, exceeds, limit_mean, measure_evidence

QUARTERS = st.integers(0, 4).map(lambda quarter: quarter / 4)


def bet_plainly(values: list[float], bound: float, population: int | None) -> list[float]:
    """The wealth after each value, one gambler and one value at a time."""
    purses = [1.0 / len(FRACTIONS)] * len(FRACTIONS)
    wealth, total = [], 0.0
    for place, value in enumerate(values):
        fair = bound if population is None else (population * bound - total) / (population - place)
        total += value
        for gambler, fraction in enumerate(FRACTIONS):
            if fair > 1e-9:
                purses[gambler] *= 1 + fraction / fair * (value - fair)
        beyond = population is not None and total > population * bound + 1e-7
        wealth.append(math.inf if beyond else sum(purses))
    return wealth


@given(st.lists(QUARTERS, min_size=1, max_size=5), st.sampled_from([0.0, 0.1, 0.3]))
def test_wealth_is_fair_over_all_orders_of_a_population_at_or_below_the_bound(values: list[float], gap: float) -> None:
    orders = np.array(list(itertools.permutations(values)))
    bound = min(1.0, float(np.mean(values)) + gap)
    means = np.exp(measure_evidence(orders, bound, len(values))).mean(axis=0)
    assert (means <= 1 + 1e-9).all()
    if gap == 0 and bound > 0:
        assert means == pytest.approx(np.ones(len(values)))  # a martingale, so nothing is given away


@pytest.mark.parametrize("bound", [0.2, 0.5, 0.9])
def test_wealth_is_fair_over_all_sequences_of_independent_draws(bound: float) -> None:
    sequences = np.array(list(itertools.product([0.0, 1.0], repeat=8)))
    chances = np.prod(np.where(sequences == 1, bound, 1 - bound), axis=1)
    assert chances @ np.exp(measure_evidence(sequences, bound)) == pytest.approx(np.ones(8))


@given(st.lists(QUARTERS, min_size=1, max_size=30), st.floats(0, 1), st.none() | st.integers(0, 20))
def test_wealth_is_that_of_gamblers_who_bet_one_by_one(values: list[float], bound: float, left: int | None) -> None:
    population = None if left is None else len(values) + left
    wealth = np.exp(measure_evidence(np.array(values), bound, population))
    assert wealth == pytest.approx(np.array(bet_plainly(values, bound, population)), rel=1e-6)


def test_a_claim_by_hand() -> None:
    """Of 4 values two are 1: the mean is at least 1/2, so above 0.4 for certain, and unknown against 0.5."""
    values = np.array([1.0, 1.0])
    assert exceeds(values, 0.4, 4).tolist() == [False, True]
    assert exceeds(values, 0.5, 4).tolist() == [False, False]
    assert limit_mean(values, 4) == pytest.approx((0.5, 1.0))
    assert limit_mean(np.array([1.0, 1.0, 0.0, 0.0]), 4) == pytest.approx((0.5, 0.5))
    with pytest.raises(ValueError, match="5 values of a population of 4"):
        exceeds(np.ones(5), 0.5, 4)


@pytest.mark.parametrize("left", [0, 3, 60, None])
def test_limits_agree_with_the_test_of_every_bound(left: int | None) -> None:
    values = np.random.default_rng(1).integers(0, 5, 30) / 4
    population = None if left is None else len(values) + left
    low, high = limit_mean(values, population)
    for bound in np.linspace(0.013, 0.993, 50):
        assert bool(exceeds(values, bound, population)[-1]) == (bound < low)
        assert bool(exceeds(1 - values, 1 - bound, population)[-1]) == (bound > high)


def test_what_is_known_stays_known() -> None:
    values = np.array([1.0] * 10 + [0.0] * 10)
    known = exceeds(values, 0.5)
    assert known[9]
    assert measure_evidence(values, 0.5)[-1] < math.log(20)
    assert known[-1]


def test_nothing_is_known_before_the_first_value() -> None:
    assert limit_mean(np.array([])) == (0.0, 1.0)
    assert limit_mean(np.array([]), 40) == (0.0, 1.0)


def test_what_was_not_measured_moves_no_limit() -> None:
    """Half of each value is missing, and counts as the mean whatever that is. So the bets are half as high."""
    values = np.array([1.0, 0.0, 1.0, 1.0] * 10)
    assert limit_mean(values / 2, padding=0.5) == pytest.approx(limit_mean(values), abs=0.005)
    assert limit_mean(np.zeros(40), padding=1.0) == pytest.approx((0.0, 1.0))
    low, high = limit_mean(np.full(40, 0.5), 40, padding=0.5)
    assert (low, high) == pytest.approx((1.0, 1.0)), "every measured half is right"


@pytest.mark.parametrize(("below", "above"), [(0.05, 0.001), (0.001, 0.05)])
def test_each_side_has_a_level_of_its_own(below: float, above: float) -> None:
    values = np.array([1.0, 0.0] * 40)
    usual, own = limit_mean(values), limit_mean(values, below=below, above=above)
    assert (own[0] == usual[0]) is (below == 0.05)
    assert (own[1] == usual[1]) is (above == 0.05)
    assert own[0] <= usual[0]
    assert own[1] >= usual[1]


def test_several_runs_are_judged_each_by_its_own_values() -> None:
    runs = np.array([[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 1.0, 1.0]])
    together = exceeds(runs, 0.4, 4)
    assert together.tolist() == [exceeds(run, 0.4, 4).tolist() for run in runs]
    assert together.tolist() == [[False, True, True, True], [False] * 4, [False, False, True, True]]
    evidence = measure_evidence(runs.astype(int), 0.4)
    assert evidence == pytest.approx(np.array([measure_evidence(run, 0.4) for run in runs]))
