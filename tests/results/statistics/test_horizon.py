"""The horizon against readers whose horizon is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pytest_codereason.core.adaptive import Adaptive
from pytest_codereason.results.statistics.horizon import (
    Curve,
    RungCount,
    Rungs,
    average_horizons,
    average_lapses,
    find_middle,
    fit_curve,
)
from tests.results.statistics.readers import NEVER_SURE, PLACES, RULES, RUNGS, Reader, tell_apart, try_readers


def expect(reader: Reader, each: float = 100.0) -> Curve:
    """The curve of a reader of whom exactly the expected share is right at every place."""
    return fit_curve({place: RungCount(each * reader.chance(place), each) for place in PLACES})


@pytest.mark.parametrize("h50", [2.0, 16.0, 37.0, 512.0])
@pytest.mark.parametrize("slope", [1.0, 2.2])
@pytest.mark.parametrize("lapse", [0.0, 0.05])
def test_who_is_right_half_of_the_time_at_a_place_has_this_horizon(h50: float, slope: float, lapse: float) -> None:
    span = expect(Reader(h50, slope, lapse)).horizon(RUNGS)
    assert span.value == pytest.approx(h50, rel=0.1)
    assert span.low < h50 < span.high < 2 * span.low


def test_lapse_rate_and_slope_are_found_too() -> None:
    curve = expect(Reader(64, 1.5, 0.1))
    assert curve.lapse.value == pytest.approx(0.1, abs=0.02)
    assert curve.slope.value == pytest.approx(1.5, abs=0.3)
    assert curve.slope.low <= 1.5 <= curve.slope.high


def test_the_order_of_answers_does_not_matter() -> None:
    tallies = {4.0: RungCount(5, 6), 16.0: RungCount(4, 6), 64.0: RungCount(0, 6)}
    again = dict(reversed(tallies.items()))
    assert np.array_equal(fit_curve(tallies).weights, fit_curve(again).weights)


def test_without_answers_nothing_is_known() -> None:
    assert fit_curve({}).octaves > 15


def test_who_is_never_right_lies_below_the_rungs_and_counts_as_half_of_the_first() -> None:
    curve = fit_curve({1.0: RungCount(0, 8), 4.0: RungCount(0, 8)})
    assert curve.share_below(0.0) > 0.95
    assert curve.horizon(RUNGS).value == 0.5


def test_who_is_always_right_lies_above_the_rungs_and_counts_as_the_last() -> None:
    curve = fit_curve({place: RungCount(8, 8) for place in PLACES})
    assert 1 - curve.share_below(12.0) > 0.95
    assert curve.horizon(RUNGS).value == 4096


def test_a_wrong_answer_at_0_steps_is_a_lapse_and_not_impossible() -> None:
    curve = fit_curve({0.0: RungCount(5, 10), 8.0: RungCount(5, 10)})
    assert curve.lapse.value > 0.2
    assert np.isfinite(curve.weights).all()


def test_the_mean_over_cells_is_geometric() -> None:
    curves = [expect(Reader(8, 2.0)), expect(Reader(128, 2.0))]
    middle = find_middle(average_horizons(curves, RUNGS, [1, 2]))
    assert 2**middle.value == pytest.approx(32, rel=0.1)


def test_cells_about_the_same_programs_err_together_and_so_narrow_nothing() -> None:
    curve = fit_curve({4.0: RungCount(5, 6), 16.0: RungCount(4, 6), 64.0: RungCount(0, 6)})
    alone, together, apart = (
        find_middle(average_horizons([curve] * len(groups), RUNGS, groups)) for groups in ([1], [1, 1], [1, 2])
    )
    assert together == alone
    assert apart.high - apart.low < 0.85 * (alone.high - alone.low)


def test_lapse_rates_are_averaged_too() -> None:
    curves = [expect(Reader(64, lapse=lapse)) for lapse in (0.0, 0.2)]
    assert find_middle(average_lapses(curves, [1, 2])).value == pytest.approx(0.1, abs=0.02)


def test_the_band_of_a_curve_holds_it_and_falls() -> None:
    reader = Reader(64)
    curve = expect(reader, 10)
    spans = [curve.chances(place) for place in PLACES]
    assert all(span.low <= reader.chance(place) <= span.high for place, span in zip(PLACES, spans, strict=True))
    values = [span.value for span in spans]
    assert values == sorted(values, reverse=True)


def test_any_axis_with_an_order_has_a_horizon() -> None:
    levels = Rungs(1, 8)
    curve = fit_curve({float(level): RungCount(25 if level < 5 else 2, 25) for level in range(1, 9)})
    assert 4 < curve.horizon(levels).value < 5.5


def find_noise(tries: int) -> float:
    """Three standard errors of a share of 5 %, or of 95 %."""
    return float(3 * (0.05 * 0.95 / tries) ** 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "most"),
    [(RULES, 52), (replace(RULES, precision=1.5), 60), (replace(RULES, batch=16), 56), (NEVER_SURE, 64)],
)
def test_intervals_hold_the_truth_and_gates_rarely_err(rules: Adaptive, most: int) -> None:
    trial = try_readers(rules, 250)
    print(rules, trial)
    assert trial.covered >= 0.95 - find_noise(250)
    assert max(trial.passed, trial.failed) <= 0.05 + find_noise(250)
    assert trial.error < 0.5
    assert trial.asked < most + 0.5


@pytest.mark.slow
@pytest.mark.parametrize(("slope", "cells"), [(2.2, 1), (1.5, 2), (1.5, 3)])
def test_readers_a_factor_of_two_apart_are_told_apart(slope: float, cells: int) -> None:
    assert tell_apart(2.0, 40, slope=slope, cells=cells) >= 0.8
    assert tell_apart(1.0, 40, slope=slope, cells=cells) <= 0.05 + find_noise(40)
