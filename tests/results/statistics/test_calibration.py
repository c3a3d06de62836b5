"""What the numbers claim of themselves holds over 600 made-up runs with a known truth."""

from __future__ import annotations

import numpy as np
import pytest

from tests.results.statistics.simulation import (
    GATES,
    measure_coverage,
    simulate_differences,
    simulate_parts,
    simulate_samples,
    simulate_stops,
)

pytestmark = pytest.mark.slow
#: Made-up runs of what takes long.
RUNS = 600
#: Three standard errors of a share of 5 % over the simulated runs.
_NOISE = 3 * np.sqrt(0.05 * 0.95 / RUNS)


def test_intervals_hold_the_truth_in_95_of_100_runs_of_clustered_questions() -> None:
    coverage = measure_coverage(40, 0.6, RUNS)
    print(coverage)
    for name in ("share", "mean", "difference"):
        assert 0.95 - _NOISE <= coverage[name] <= 0.95 + _NOISE, name
    assert coverage["naive share"] < 0.9  # what one would claim without families
    assert 0.01 < coverage["paired test"] <= 0.05 + _NOISE


@pytest.mark.parametrize("of_suite", [True, False], ids=["suite", "generator"])
@pytest.mark.parametrize("gate", GATES)
def test_a_gate_that_is_looked_at_all_the_time_errs_at_most_at_its_level(gate: float, of_suite: bool) -> None:
    stops = simulate_stops(gate, gate, of_suite=of_suite, runs=RUNS)
    print(gate, stops)
    assert max(stops.above, stops.below) <= 0.05 + _NOISE


@pytest.mark.parametrize("gate", GATES)
def test_a_gate_10_points_away_saves_65_of_100_families(gate: float) -> None:
    for truth in (gate - 0.1, gate + 0.1):
        stops = simulate_stops(truth, gate, runs=RUNS)
        print(f"{gate} {truth:.1f} {stops}")
        assert stops.saved >= 0.65
        assert (stops.above if truth < gate else stops.below) <= 0.05 + _NOISE
        assert (stops.above if truth > gate else stops.below) >= 0.95


def test_a_gate_against_a_baseline_errs_at_most_at_its_level_and_saves() -> None:
    at_the_margin = simulate_differences(0.12, 0.02, 0.1, runs=RUNS)
    assert max(at_the_margin.above, at_the_margin.below) <= 0.05 + _NOISE
    unchanged = simulate_differences(0.02, 0.02, 0.05, runs=RUNS)
    print(at_the_margin, unchanged)
    assert unchanged.above >= 0.95
    assert unchanged.saved >= 0.6


def test_limits_of_a_random_part_of_a_suite_hold_its_figure_and_are_narrower() -> None:
    part = simulate_parts(40, 102, runs=150)
    print(part)
    assert part.wrong <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)
    assert part.width < 0.7 * part.unaware


@pytest.mark.parametrize("families", [40, 400])
def test_two_samples_of_one_model_are_told_apart_no_more_often_than_the_level(families: int) -> None:
    told = simulate_samples(families, runs=RUNS)
    print(families, told)
    assert told.corrected <= 0.05
    assert told.alone > 0.1, "nine rows, each looked at for itself"
