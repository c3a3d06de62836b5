"""The exponential trend: it finds what made the points, and its band follows whole families."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.results.statistics.decay import Decay, fit_decay


@given(st.floats(0.2, 1), st.floats(0.001, 0.2))
def test_the_trend_finds_what_made_the_points(start: float, rate: float) -> None:
    x = np.tile(np.linspace(0, 100, 11), 5)
    decay = fit_decay(x, start * np.exp(-rate * x), np.repeat(np.arange(5), 11))
    assert decay is not None
    assert decay.rate == pytest.approx(rate, rel=0.06)
    assert decay.start == pytest.approx(start, rel=0.03)
    middle, low, high = decay.evaluate(np.array([0.0, 50.0]))
    assert (low <= middle + 1e-9).all()
    assert (middle <= high + 1e-9).all()


def test_the_band_is_the_same_in_every_process_and_widens_with_noise() -> None:
    random = np.random.default_rng(1)
    x = np.tile(np.linspace(0, 100, 11), 40)
    families = np.repeat(np.arange(40), 11)
    clean = np.exp(-0.03 * x)
    noisy = (random.random(len(x)) < clean).astype(float)
    widths = []
    for y in (clean, noisy):
        first, again = (fit_decay(x, y, families) for _ in range(2))
        assert first is not None
        assert again is not None
        assert np.array_equal(first.starts, again.starts)
        _, low, high = first.evaluate(np.array([20.0]))
        widths.append(float(high[0] - low[0]))
    assert widths[0] < 1e-6 < widths[1]


@pytest.mark.parametrize(("x", "y"), [([0.0, 0.0], [1.0, 0.0]), ([0.0, 50.0], [0.0, 0.0])])
def test_no_trend_without_something_to_fit(x: list[float], y: list[float]) -> None:
    assert fit_decay(np.array(x), np.array(y), np.array([0, 1])) is None


def test_a_trend_is_evaluated_by_hand() -> None:
    """0.8 · exp(-0.02 · 50) is left of 0.8 at half of the axis: 1 - 1 / e is lost."""
    decay = Decay(0.8, 0.02, np.linspace(0.6, 1.0, 41), np.full(41, 0.02))
    middle, low, high = decay.evaluate(np.array([0.0, 50.0]))
    assert middle == pytest.approx([0.8, 0.8 / np.e])
    assert low == pytest.approx([0.61, 0.61 / np.e])
    assert high == pytest.approx([0.99, 0.99 / np.e])
    assert decay.loss(0.5) == pytest.approx(1 - 1 / np.e)
    assert decay.loss(0.0) == 0


def test_points_count_by_their_number_and_a_rise_is_no_decay() -> None:
    """At 0 all of four answers are right, at 100 one of the others: with 1 of 2 less is lost than with 1 of 8."""
    rates = []
    for others in (2, 8):
        x = np.array([0.0] * 4 + [100.0] * others)
        y = np.array([1.0] * 5 + [0.0] * (others - 1))
        decay = fit_decay(x, y, np.arange(len(x)))
        assert decay is not None
        rates.append(decay.rate)
        assert 1 - decay.loss(1.0) == pytest.approx(1 / others, rel=0.05), "the trend meets both means"
    assert rates[0] < rates[1]
    rising = fit_decay(np.array([0.0, 100.0]), np.array([0.0, 1.0]), np.array([0, 1]))
    assert rising is not None
    assert (rising.rate, rising.start) == (0, 0.5)


def test_families_are_drawn_whole() -> None:
    """Two families of ten equal answers vary as two answers do: some draws have one of them alone."""
    x, families = np.tile([0.0, 100.0], 10), np.repeat([0, 1], 10)
    decay = fit_decay(x, (families == 0).astype(float), families)
    assert decay is not None
    assert len(decay.starts) == len(decay.rates) == 200
    assert {*decay.starts.round(9)} == {0.0, 0.5, 1.0}
    assert 0.15 < np.mean(decay.starts == 0) < 0.35


def test_models_are_drawn_as_well_as_programs() -> None:
    """One of two models is always right and one never. Both, either or neither of these may be drawn."""
    x = np.tile([0.0, 50.0], 2 * 10)
    families = np.tile(np.repeat(np.arange(10), 2), 2)
    models = np.repeat(["a", "b"], 20)
    y = (models == "a").astype(float)
    alone, both = fit_decay(x, y, families), fit_decay(x, y, families, models)
    assert alone is not None
    assert both is not None
    assert (alone.start, both.start) == pytest.approx((0.5, 0.5))
    assert alone.starts == pytest.approx(np.full(len(alone.starts), 0.5))
    assert {round(start, 6) for start in both.starts.tolist()} == {0.0, 0.5, 1.0}
    assert both.rates == pytest.approx(np.zeros(len(both.rates)))
