"""Averages over models: their values, and how often their intervals hold the truth."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_codereason.results.statistics.over_models import average_models, pool_models


def columns(*models: list[tuple[float, float]]) -> np.ndarray:
    return np.array(models, dtype=float)


def test_each_model_counts_alike_or_each_answer() -> None:
    three = columns([(1, 10), (0, 0)], [(2, 10), (2, 10)], [(1, 1), (0, 0)])
    assert average_models(three)[0] == pytest.approx((0.1 + 0.2 + 1) / 3)
    assert pool_models(three)[0] == pytest.approx(6 / 31)


def test_models_that_differ_widen_the_interval() -> None:
    programs = 400
    alike = np.tile([[0.5, 1.0]], (2, programs, 1))
    apart = alike.copy()
    apart[0, :, 0], apart[1, :, 0] = 0, 1
    for find in (average_models, pool_models):
        low, high = find(apart)[1]
        assert (low, high) == (0, 1), "either model may be the next"
        low, high = find(alike)[1]
        assert low is not None
        assert high is not None
        assert high - low < 0.02


def test_a_mean_that_is_no_share_is_not_cut_at_1() -> None:
    words = np.random.default_rng(1).normal(1.3, 0.05, (3, 40, 1)) * [1.0, 0.0] + [0.0, 1.0]
    value, (low, high) = average_models(words)
    assert low is not None
    assert high is not None
    assert 1.2 < low < value < high < 1.4
    pooled, (low, high) = pool_models(words)
    assert pooled == pytest.approx(value)
    assert low is not None
    assert low > 1.2


def test_the_same_answers_give_the_same_interval() -> None:
    some = np.random.default_rng(3).random((3, 20, 1)).round() * [1.0, 0.0] + [0.0, 1.0]
    assert average_models(some) == average_models(some.copy())


def test_the_interval_holds_the_mean_of_all_models_and_programs() -> None:
    """Models and programs are drawn: in about 95 of 100 cases the interval holds what all of them would give."""
    held = 0
    for seed in range(120):
        random = np.random.default_rng(seed)
        chance = np.clip(0.5 + random.normal(0, 0.1, (20, 1)) + random.normal(0, 0.15, (1, 60)), 0, 1)
        right = (random.random(chance.shape) < chance).astype(float)
        low, high = average_models(np.stack([right, np.ones_like(right)], axis=2))[1]
        assert low is not None
        assert high is not None
        held += low <= 0.5 <= high
    assert 105 <= held <= 120


def test_a_model_that_was_asked_about_one_program_leaves_an_interval() -> None:
    """Draws without this program say nothing of the model, and are left out."""
    some = columns([(1, 1), (0, 1), (1, 1)], [(1, 1), (0, 0), (0, 0)])
    for find, value in ((average_models, (2 / 3 + 1) / 2), (pool_models, 3 / 4)):
        found, (low, high) = find(some)
        assert found == pytest.approx(value)
        assert low is not None
        assert high is not None
        assert 0 <= low <= found <= high <= 1
