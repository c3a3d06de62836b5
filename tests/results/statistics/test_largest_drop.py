"""The drop that chance alone gives, against independent coins and against programs that always answer alike."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_codereason.results.statistics.largest_drop import DRAWS, draw_largest_drops

POSITIONS, LENGTHS = 11, 4


@pytest.mark.slow
@pytest.mark.parametrize(("programs", "one", "all_lengths"), [(800, 0.106, 0.132), (100, 0.272, 0.333)])
def test_a_model_that_is_right_half_of_the_time(programs: int, one: float, all_lengths: float) -> None:
    random = np.random.default_rng(2)
    runs = [
        [draw_largest_drops(random.integers(0, 2, (programs, POSITIONS)).astype(float))[:, 1] for _ in range(LENGTHS)]
        for _ in range(4)
    ]
    assert -np.mean([each[0].mean() for each in runs]) == pytest.approx(one, rel=0.05)
    assert -np.mean([np.minimum.reduce(each).mean() for each in runs]) == pytest.approx(all_lengths, rel=0.05)


def test_programs_that_are_always_or_never_right_have_no_drop_by_chance() -> None:
    values = np.repeat([[1.0], [0.0]], [60, 40], axis=0) * np.ones(POSITIONS)
    assert not draw_largest_drops(values).any()


def test_an_effect_of_the_position_does_not_raise_what_chance_gives() -> None:
    """All are right at the first position alone. Without an effect each would be right somewhere."""
    values = np.tile(np.arange(POSITIONS) == 0, (400, 1)).astype(float)
    drops = draw_largest_drops(values)[:, 1]
    assert -0.6 < drops.mean() < -0.3
    assert (drops > -1).all()


@pytest.mark.slow
def test_programs_asked_at_some_positions_or_at_one_are_dealt_among_those() -> None:
    random = np.random.default_rng(0)
    some = np.where(random.random((300, POSITIONS)) < 0.5, random.integers(0, 2, (300, POSITIONS)), np.nan)
    one = np.full((330, 3), np.nan)
    one[np.arange(330), np.arange(330) % 3] = random.integers(0, 2, 330)
    for values in (some, one):
        drops = draw_largest_drops(values)
        assert drops.shape == (DRAWS, 2)
        assert -0.4 < drops[:, 1].mean() < -0.02


def test_the_same_answers_give_the_same_draws() -> None:
    values = np.random.default_rng(1).integers(0, 2, (30, 3)).astype(float)
    assert np.array_equal(draw_largest_drops(values), draw_largest_drops(values.copy()))


def test_two_programs_by_hand() -> None:
    """Each is right at one of two places: in half of all orders both are so at the same place, so all is lost there."""
    drops = draw_largest_drops(np.array([[1.0, 0.0], [1.0, 0.0]]))
    assert {tuple(drop) for drop in drops.tolist()} == {(-1.0, -1.0), (0.0, 0.0)}
    assert drops[:, 0].mean() == pytest.approx(-0.5, abs=0.1)


def test_what_is_never_right_has_no_drop() -> None:
    assert draw_largest_drops(np.zeros((4, 3))).tolist() == [[0.0, 0.0]] * DRAWS


def test_a_place_and_a_program_without_answers_are_none() -> None:
    values = np.random.default_rng(4).integers(0, 2, (30, 3)).astype(float)
    more = np.full((35, 4), np.nan)
    more[:30, [0, 1, 3]] = values
    drops = draw_largest_drops(more)
    assert np.isfinite(drops).all()
    assert drops.mean() == pytest.approx(draw_largest_drops(values).mean(), abs=0.03)


@pytest.mark.parametrize(("once", "vary"), [(5, False), (6, True)])
def test_answers_are_dealt_together_where_most_programs_were_asked_once(once: int, vary: bool) -> None:
    """Of ten programs some were asked once, right at the first place and wrong at the second; others at both, right."""
    values = np.ones((10, 2))
    for program in range(once):
        values[program] = [1, np.nan] if program % 2 else [np.nan, 0]
    drops = draw_largest_drops(values)[:, 0]
    assert (np.ptp(drops) > 0) is np.bool_(vary)
