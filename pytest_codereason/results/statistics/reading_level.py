"""The reading level: the hardest level at which a model still answers at least half of the questions right.

Example: right answers of 25 at levels 1 to 4 are 25, 24, 20, 3. The reading level is 3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pytest_codereason.results.statistics.intervals import RESAMPLES, Floats


class ReadingLevel(NamedTuple):
    """A reading level with its 95 % interval: 0 if even the first level is too hard, at most the last level asked."""

    level: int
    low: int
    high: int


def find_reading_level(right: Floats, asked: Floats) -> ReadingLevel:
    """The last level whose accuracy is at least one half, after accuracies that rise again are evened out.

    ``right[i]`` of ``asked[i]`` > 0 programs are right at level ``i + 1``. Both have shape ``(levels,)``; a program
    that is asked several times counts with its share of right answers. Accuracies become the closest ones that never
    rise from a level to the next (isotonic regression, weighted by ``asked``). The interval holds the middle 95 % of
    the levels that result where each accuracy is drawn from Beta(right + 1/2, asked - right + 1/2) instead.

    Source: isotonic regression by pooling adjacent violators, Ayer et al. 1955, "An empirical distribution function for
    sampling with incomplete information"; the prior of the draws: Jeffreys 1946.
    """
    draws = np.random.default_rng(0).beta(right + 0.5, asked - right + 0.5, size=(RESAMPLES, len(right)))
    levels = np.sort([_count_readable(drawn, asked) for drawn in draws])
    tail = round(0.025 * RESAMPLES)
    level = _count_readable(right / asked, asked)
    return ReadingLevel(level, min(level, int(levels[tail])), max(level, int(levels[-1 - tail])))


def _count_readable(accuracies: Floats, weights: Floats) -> int:
    """How many of the first levels keep an accuracy of one half once accuracies never rise."""
    pools: list[tuple[float, float, int]] = []  # mean, weight, levels
    for accuracy, weight in zip(accuracies, weights, strict=True):
        mean, total, levels = float(accuracy), float(weight), 1
        while pools and pools[-1][0] < mean:
            before, other, more = pools.pop()
            mean = (mean * total + before * other) / (total + other)
            total, levels = total + other, levels + more
        pools.append((mean, total, levels))
    return sum(levels for mean, _, levels in pools if mean >= 0.5)
