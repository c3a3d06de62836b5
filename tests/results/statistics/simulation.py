"""Made-up runs with a known truth: how often intervals hold it, tests find what is not there, and gates stop early.

``python -m tests.results.statistics.simulation`` prints the tables of ``docs/measurements.md``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pytest_codereason.results.statistics import intervals
from pytest_codereason.results.statistics.betting import exceeds
from pytest_codereason.results.statistics.chance import LEVEL, correct_together, judge_pairs
from pytest_codereason.results.statistics.intervals import Floats, Interval
from pytest_codereason.results.statistics.limits import Contrast

RUNS = 2_000
ANSWERS = 4  #: about each program
DROP = 0.2  #: the share of right answers that the later run loses
GATES = (0.1, 0.2, 0.5, 0.8, 0.9)


class Run(NamedTuple):
    """The answers about each program, right ones as sums of shape ``(families,)``; programs differ in difficulty."""

    right: Floats
    graded: Floats
    again: Floats  #: right answers of the same model, asked once more
    later: Floats  #: right answers of a model that is worse by ``DROP``


def make_run(random: np.random.Generator, families: int, share: float) -> Run:
    """One run over programs whose chance of a right answer is drawn around ``share``."""
    ease = random.beta(2 * share, 2 * (1 - share), families)[:, None]
    size = (families, ANSWERS)
    right, again, later = (random.random(size) < part * ease for part in (1.0, 1.0, 1 - DROP))
    graded = random.random(size) * ease
    return Run(*(table.sum(axis=1).astype(np.float64) for table in (right, graded, again, later)))


def measure_coverage(families: int, share: float, runs: int = RUNS) -> dict[str, float]:
    """The share of runs in which each interval holds the truth, and in which the paired test sees a change in none."""
    random = np.random.default_rng(families)
    counts = np.full(families, float(ANSWERS))
    hits = dict.fromkeys(("share", "naive share", "mean", "difference", "paired test"), 0)
    for _ in range(runs):
        run = make_run(random, families, share)
        columns = np.stack([run.right, counts, run.later, counts], axis=1)
        difference = intervals.change_of_means(columns, intervals.resample_families(columns)).interval
        total = float(run.right.sum() / counts.sum())
        hits["share"] += _holds(intervals.share_interval(run.right, counts), share)
        hits["naive share"] += _holds(intervals.wilson_interval(total, float(counts.sum())), share)
        hits["mean"] += _holds(intervals.mean_interval(run.graded, counts), share / 2)
        hits["difference"] += _holds(difference, -DROP * share)
        hits["paired test"] += judge_pairs(run.again - run.right) <= 0.05
    return {name: count / runs for name, count in hits.items()}


def _holds(interval: Interval, truth: float) -> bool:
    return interval.low is not None and interval.high is not None and interval.low <= truth <= interval.high


class Stops(NamedTuple):
    """What becomes of gates ``>=`` that are looked at after every family."""

    above: float  #: the share of runs that say "above the gate"
    below: float
    saved: float  #: the mean share of families that need not be asked


def simulate_stops(truth: float, gate: float, *, families: int = 400, of_suite: bool = True, runs: int = RUNS) -> Stops:
    """How runs of ``families`` programs with one answer each end whose figure is ``truth``.

    ``of_suite`` says that the suite has exactly this figure and is asked in a random order. Otherwise every answer is
    an independent draw, and the claim is about what it is drawn from.
    """
    random = np.random.default_rng(round(1000 * (truth + 10 * gate)))
    if of_suite:
        suite = np.arange(families) < round(truth * families)
        values = random.permuted(np.tile(suite.astype(np.float64), (runs, 1)), axis=1)
    else:
        values = (random.random((runs, families)) < truth).astype(np.float64)
    return _stop(values, gate, families if of_suite else None)


def _stop(values: Floats, gate: float, population: int | None) -> Stops:
    families = values.shape[1]
    above, below = exceeds(values, gate, population), exceeds(1 - values, 1 - gate, population)
    asked = np.minimum((~above).sum(axis=1) + 1, (~below).sum(axis=1) + 1)
    saved = 1 - np.minimum(asked, families) / families
    return Stops(float(above[:, -1].mean()), float(below[:, -1].mean()), float(saved.mean()))


def simulate_differences(lost: float, won: float, margin: float, *, families: int = 400, runs: int = RUNS) -> Stops:
    """How runs end that may be worse than a baseline by ``margin``, if a share of answers was lost and another won."""
    random = np.random.default_rng(round(1000 * (lost + 10 * won + 100 * margin)))
    changes = np.zeros(families)
    changes[: round(lost * families)] = -1
    changes[families - round(won * families) :] = 1
    values = (random.permuted(np.tile(changes, (runs, 1)), axis=1) + 1) / 2
    gate = (1 - margin) / 2
    return _stop(values, gate, families)


class Part(NamedTuple):
    """The limits of a whole suite's figure, from a random part of its programs."""

    wrong: float  #: the share of runs in which the figure lies beyond one of the limits, the worse of both
    width: float  #: between the limits, the mean
    unaware: float  #: the same for limits that know no end of the suite


def simulate_parts(programs: int, asked: int, share: float = 0.7, *, runs: int = 400) -> Part:
    """Asks so many questions of a suite with four a program, the last program perhaps not whole."""
    random = np.random.default_rng(asked)
    whole, rest = divmod(asked, ANSWERS)
    wrong, width, unaware = np.zeros(2), 0.0, 0.0
    for _ in range(runs):
        ease = random.beta(2 * share, 2 * (1 - share), programs)[:, None]
        suite = (random.random((programs, ANSWERS)) < ease).astype(np.float64)
        counts = np.array([ANSWERS] * whole + [rest] * bool(rest), dtype=np.float64)
        sums = [suite[place, : int(count)].sum() for place, count in enumerate(counts)]
        known = Contrast(np.stack([sums, counts], axis=1), [1.0], left=programs - whole)
        low, high = known.find_limits(LEVEL, LEVEL)
        endless_low, endless_high = replace(known, left=None).find_limits(LEVEL, LEVEL)
        assert low is not None
        assert high is not None
        assert endless_low is not None
        assert endless_high is not None
        wrong += suite.mean() < low - 1e-9, suite.mean() > high + 1e-9
        width, unaware = width + high - low, unaware + endless_high - endless_low
    return Part(float(wrong.max()) / runs, width / runs, unaware / runs)


class Told(NamedTuple):
    """How often two samples of one model are told apart in any row of a comparison."""

    corrected: float  #: as ``codereason compare`` tells them apart
    alone: float  #: as somebody would who looked at each row for itself


def simulate_samples(families: int = 100, share: float = 0.7, *, rows: int = 9, runs: int = RUNS) -> Told:
    """Compares two samples of one model in ``rows`` conditions, each program asked once in each condition.

    A program that is hard is hard in every condition, so the rows of one comparison resemble each other.
    """
    random = np.random.default_rng(families)
    counts = np.ones(families)
    told, alone = 0, 0
    for _ in range(runs):
        ease = random.beta(2 * share, 2 * (1 - share), families)[:, None]
        before, after = ((random.random((families, rows)) < ease).astype(np.float64) for _ in range(2))
        p_values = [judge_pairs(after[:, row] - before[:, row]) for row in range(rows)]
        alone += min(p_values) <= LEVEL
        for row, p in enumerate(correct_together(p_values)):
            if p is not None and p <= LEVEL:
                columns = np.stack([before[:, row], counts, after[:, row], counts], axis=1)
                low, high = intervals.change_of_means(columns, intervals.resample_families(columns)).interval
                if low is not None and high is not None and (low > 0 or high < 0):
                    told += 1
                    break
    return Told(told / runs, alone / runs)


def main() -> None:
    """Prints the tables."""
    print("| programs | right | share | share, naive | mean | paired difference | paired test |")
    for families, share in ((20, 0.6), (40, 0.6), (100, 0.6), (200, 0.6), (100, 0.2), (100, 0.9)):
        row = measure_coverage(families, share)
        print(f"| {families} | {share} | " + " | ".join(f"{100 * value:.1f} %" for value in row.values()) + " |")
    print("| gate | figure | saved, this suite | saved, programs like these | wrong, this suite | wrong, like these |")
    for gate in GATES:
        for truth in (round(gate + step, 1) for step in (-0.1, 0.0, 0.1)):
            suite, generator = (simulate_stops(truth, gate, of_suite=of_suite) for of_suite in (True, False))
            wrong = [
                max(stops.above if truth <= gate else 0, stops.below if truth >= gate else 0)
                for stops in (suite, generator)
            ]
            print(
                f"| {gate} | {truth:.1f} | {100 * suite.saved:.0f} % | {100 * generator.saved:.0f} % |"
                f" {100 * wrong[0]:.1f} % | {100 * wrong[1]:.1f} % |"
            )
    print("| lost | won | margin | saved | passes | fails |")
    for lost, won in ((0.0, 0.0), (0.02, 0.02), (0.05, 0.05), (0.12, 0.02), (0.25, 0.05)):
        for margin in (0.02, 0.05, 0.1):
            stops = simulate_differences(lost, won, margin)
            shares = (lost, won, margin, stops.saved, stops.above, stops.below)
            print("| " + " | ".join(f"{100 * value:.0f} %" for value in shares) + " |")
    print("| questions asked of 160 | wrong | between the limits | without the end of the suite |")
    for asked in (40, 100, 102, 150):
        part = simulate_parts(40, asked)
        print(f"| {asked} | {100 * part.wrong:.1f} % | {part.width:.3f} | {part.unaware:.3f} |")
    print("| programs | right | told apart | without the correction |")
    for families, share in ((40, 0.7), (100, 0.7), (400, 0.7), (100, 0.95)):
        told = simulate_samples(families, share)
        print(f"| {families} | {share} | {100 * told.corrected:.1f} % | {100 * told.alone:.1f} % |")


if __name__ == "__main__":
    main()
