"""One-sided limits: those of textbooks where there are some, and never a claim by luck."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pytest_codereason.results.statistics.intervals import UNDEFINED, Floats, Interval
from pytest_codereason.results.statistics.limits import DRAWS, Contrast

CLOSE = 0.02  # the noise of 5,000 draws


def make_share(right: int, of: int, left: int | None = None) -> Contrast:
    answers = np.array([1.0] * right + [0.0] * (of - right))
    return Contrast(np.stack([answers, np.ones(of)], axis=1), [1], left=left)


@pytest.mark.parametrize(("right", "of"), [(0, 5), (3, 3), (2, 4), (1, 3), (7, 20), (99, 100), (200, 400)])
@pytest.mark.parametrize("level", [0.05, 0.01])
def test_limits_of_a_share_are_those_of_clopper_and_pearson(right: int, of: int, level: float) -> None:
    limits = make_share(right, of).find_limits(level, level)
    expected = (
        stats.beta.ppf(level, right, of - right + 1) if right else 0.0,
        stats.beta.isf(level, right + 1, of - right) if right < of else 1.0,
    )
    assert limits == pytest.approx(expected, abs=CLOSE)


def test_limits_of_a_finite_population_are_those_of_the_hypergeometric_distribution() -> None:
    population, asked, right = 400, 200, 70
    limits = make_share(right, asked, left=population - asked).find_limits(0.05, 0.05)
    whole = np.arange(population + 1)
    low = whole[stats.hypergeom.sf(right - 1, population, whole, asked) > 0.05][0] / population
    high = whole[stats.hypergeom.cdf(right, population, whole, asked) > 0.05][-1] / population
    assert limits == pytest.approx((low, high), abs=CLOSE)


def test_where_every_family_was_asked_the_value_is_known() -> None:
    assert make_share(7, 20, left=0).find_limits(0.05, 0.05) == (0.35, 0.35)


def test_one_family_that_was_not_asked_may_be_all_right_or_all_wrong() -> None:
    assert make_share(7, 20, left=1).find_limits(0.05, 0.05) == pytest.approx((7 / 21, 8 / 21))


@pytest.mark.parametrize("families", [3, 1_000])
def test_limits_rest_on_so_many_draws_in_blocks_of_any_size(families: int) -> None:
    values = np.random.default_rng(2).random(families)
    contrast = Contrast(np.stack([values, np.ones(families)], axis=1), [1])
    blocks = [lows for lows, _ in contrast._draw()]
    assert sum(map(len, blocks)) == DRAWS
    assert (len(blocks) > 1) is (families == 1_000)


def test_pairs_that_never_differ_may_differ_yet() -> None:
    """One loss among F pairs that nobody has seen: 1 - 0.05 ** (1 / F) of pairs at most."""
    right = np.array([1.0, 0.0] * 50)
    columns = np.stack([right, np.ones(100)] * 2, axis=1)
    limit = 1 - 0.05 ** (1 / 100)
    assert Contrast(columns, [1, -1]).find_limits(0.05, 0.05) == pytest.approx((-limit, limit), abs=0.003)


def test_the_order_of_families_means_nothing_and_the_size_of_a_family_counts() -> None:
    random = np.random.default_rng(1)
    counts = random.integers(1, 9, 60).astype(np.float64)
    columns = np.stack([random.binomial(counts.astype(int), 0.7).astype(np.float64), counts], axis=1)
    limits = Contrast(columns, [1]).find_limits(0.05, 0.05)
    assert Contrast(columns[::-1], [1]).find_limits(0.05, 0.05) == limits
    assert Contrast(columns, [1]).value == pytest.approx(columns[:, 0].sum() / counts.sum())


def test_an_unknown_end_is_the_most_extreme_family() -> None:
    def find(values: list[float]) -> Interval:
        columns = np.stack([np.array(values), np.ones(len(values))], axis=1)
        return Contrast(columns, [1], ends=None).find_limits(0.05, 0.05)

    assert find([3.0] * 40) == UNDEFINED
    low, high = find([3.0, 7.0] * 20)
    assert low is not None
    assert high is not None
    assert 4 < low < 5 < high < 6


def draw_families(random: np.random.Generator, families: int, spread: float) -> Floats:
    """Four answers about each of some programs, whose difficulty varies; the mean of their logits is 1.5."""
    shares = 1 / (1 + np.exp(-random.normal(1.5, spread, families)))
    return np.stack([random.binomial(4, shares).astype(np.float64), np.full(families, 4.0)], axis=1)


@pytest.mark.slow
@pytest.mark.parametrize(("families", "spread"), [(8, 0.0), (20, 1.5), (100, 1.5)])
def test_limits_err_at_most_at_their_level(families: int, spread: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_codereason.results.statistics.limits.DRAWS", 1_000)
    random, runs = np.random.default_rng(7), 1_000
    truth = float(draw_families(random, 1_000_000, spread).sum(axis=0)[0] / 4_000_000)
    limits = [Contrast(draw_families(random, families, spread), [1]).find_limits(0.05, 0.05) for _ in range(runs)]
    most = runs * 0.05 + 3 * np.sqrt(runs * 0.05 * 0.95)
    assert sum(low > truth for low, _ in limits if low is not None) <= most
    assert sum(high < truth for _, high in limits if high is not None) <= most
