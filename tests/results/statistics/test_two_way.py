"""Intervals of averages over models hold the truth about models, not about those that happened to be asked."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pytest_codereason.results.statistics.intervals import UNDEFINED, resample_families
from pytest_codereason.results.statistics.two_way import average_interval, find_student

RUNS, PROGRAMS = 150, 80
#: Three standard errors of a coverage of 95 %.
NOISE = 3 * np.sqrt(0.05 * 0.95 / RUNS)


def measure_coverage(models: int, spread: float) -> tuple[float, float]:
    """How often an interval holds the mean over all models, which is 0: this one, and one that counts programs alone.

    A value is the sum of what the model, the program, and both together make of it.
    """
    random = np.random.default_rng(models)
    two_way = alone = 0
    for _ in range(RUNS):
        values = spread * random.normal(size=models) + 0.3 * random.normal(size=(PROGRAMS, 1))
        values += 0.5 * random.normal(size=(PROGRAMS, models))
        drawn = resample_families(values)[:500] / PROGRAMS
        low, high = average_interval(values.mean(axis=0), drawn, PROGRAMS)
        assert low is not None
        assert high is not None
        two_way += low <= 0 <= high
        ends = np.percentile(drawn.mean(axis=1), [2.5, 97.5])
        alone += bool(ends[0] <= 0 <= ends[1])
    return two_way / RUNS, alone / RUNS


@pytest.mark.slow
@pytest.mark.parametrize("models", [3, 5, 12])
@pytest.mark.parametrize("spread", [0.0, 0.05, 0.3])
def test_the_interval_holds_the_truth_in_95_of_100_runs(models: int, spread: float) -> None:
    covered, alone = measure_coverage(models, spread)
    print(models, spread, covered, alone)
    assert covered >= 0.95 - NOISE
    assert alone < 0.6 or spread < 0.3, "programs alone say nothing of other models"


def test_few_models_that_differ_make_a_wider_interval_than_many() -> None:
    random = np.random.default_rng(0)
    values = np.concatenate([random.normal(size=(PROGRAMS, 12)) + random.normal(size=12)], axis=1)
    widths = []
    for models in (2, 4, 12):
        part = values[:, :models]
        interval = average_interval(part.mean(axis=0), resample_families(part) / PROGRAMS, PROGRAMS)
        assert interval.low is not None
        assert interval.high is not None
        widths.append(interval.high - interval.low)
    assert widths == sorted(widths, reverse=True)


def test_the_interval_stays_within_its_bounds_and_needs_two_models_that_vary() -> None:
    values = np.array([-0.9, 0.9])
    drawn = np.tile(values, (50, 1)) + np.linspace(-0.01, 0.01, 50)[:, None]
    assert average_interval(values, drawn, 20, (-1, 1)) == (-1, 1)
    assert average_interval(values[:1], drawn[:, :1], 20) == UNDEFINED
    assert average_interval(np.ones(3), np.ones((50, 3)), 20) == UNDEFINED


@pytest.mark.parametrize("freedom", [1, 1.5, 2, 3, 7.3, 30, 400])
def test_points_of_students_distribution(freedom: float) -> None:
    assert find_student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-4)


@pytest.mark.parametrize(
    ("values", "drawn", "families", "variance", "freedom"),
    [
        # Models vary by 2 / 2 = 1, programs by 2, and alike for both models: 1 + 2. Freedom 9 / (1 / 1 + 4 / 4).
        ([0, 2], [[0, 0], [2, 2]], 5, 3, 4.5),
        # Programs change the models in opposite ways, so nothing of their mean: 1 + 0 - 2, and never less than 1.
        ([0, 2], [[0, 2], [2, 0]], 5, 1, 1),
        # 9 / 3 = 3 and 2; one model's value varies by 3, so (3 - 2) / 2 stands in both. 20.25 / (9 / 2 + 4 / 8).
        ([0, 3, 6], [[0, 0, 0], [3, 3, 0]], 9, 4.5, 4.05),
        # Models that agree: the programs alone, of which there are so many that the distribution is normal.
        ([1, 1], [[0, 0], [2, 2]], 2_000_001, 2, 2_000_000),
        # Programs alone again, but three of them.
        ([1, 1], [[0, 0], [2, 2]], 3, 2, 2),
    ],
)
def test_the_interval_by_hand(
    values: list[float], drawn: list[list[float]], families: int, variance: float, freedom: float
) -> None:
    low, high = average_interval(np.array(values, float), np.array(drawn, float), families)
    reach = stats.t.ppf(0.975, freedom) * np.sqrt(variance)
    assert (low, high) == pytest.approx((np.mean(values) - reach, np.mean(values) + reach), rel=1e-3)


def test_one_draw_or_one_program_says_nothing_of_what_varies() -> None:
    values, drawn = np.array([0.0, 2.0]), np.array([[0.0, 0.0], [2.0, 2.0]])
    assert average_interval(values, drawn[:1], 5) == UNDEFINED
    assert average_interval(values, drawn, 1) == UNDEFINED
    assert average_interval(values, drawn, 2) != UNDEFINED
