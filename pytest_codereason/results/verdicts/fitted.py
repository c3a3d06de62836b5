"""Judges gates on what is fitted over an axis: ``horizon.h50 >= 64``, ``horizon.h50 >= baseline * 0.8``.

Such a figure is no mean, so its limits are quantiles of a posterior. A gate passes if the 5 % quantile meets the
condition, and fails if the 95 % quantile does not. Replies that a token limit cut off may hide either, so a gate is
decided only if it is decided alike with all of them wrong and all of them right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytest_codereason.core.answers import H50
from pytest_codereason.results.measures.horizons import READINGS, HorizonRatio, SuiteHorizon, list_readings
from pytest_codereason.results.statistics.horizon import Credible
from pytest_codereason.results.statistics.intervals import Floats
from pytest_codereason.results.values import Bounds
from pytest_codereason.results.verdicts.gates import OPERATORS, Gate
from pytest_codereason.results.verdicts.verdict import Decision

_MOST_NEEDED = 1_000  # more questions a cell than anybody asks decide nothing


@dataclass(frozen=True)
class Fitted:
    """What a gate compares with its number: a fitted figure, or how it stands to that of the other side."""

    gate: Gate
    mine: SuiteHorizon
    theirs: SuiteHorizon | None = None  #: the same cells of the other side, if the gate compares two

    @property
    def is_horizon(self) -> bool:
        """Whether it is h50, whose draws are logarithms; else it is the lapse rate."""
        return self.gate.quantity.metric == H50

    @property
    def bound(self) -> float:
        """The number of the gate; the other side alone is the ratio 1."""
        bound = self.gate.bound
        return 1.0 if self.is_horizon and bound.is_relative and not bound.is_factor else bound.number

    @cached_property
    def figure(self) -> Credible:
        """The figure itself with its 95 % interval."""
        return self._measure(self.mine)

    @property
    def baseline(self) -> float | None:
        """The figure of the other side."""
        return None if self.theirs is None else self._measure(self.theirs).value

    @property
    def bounds(self) -> Bounds | None:
        """The figure if every reply that was cut off were wrong, or right; ``None`` if none was."""
        if not self.mine.cut:
            return None
        wrong, right = (self._scale(float(np.median(self._draw_one(self.mine, each)))) for each in READINGS[1:])
        return Bounds(all_wrong=wrong, all_right=right, truncated=self.mine.cut)

    @property
    def pair(self) -> HorizonRatio | None:
        """Both sides, if horizons are compared."""
        return None if self.theirs is None or not self.is_horizon else HorizonRatio(self.theirs, self.mine)

    def list_readings(self) -> tuple[str, ...]:
        """How replies that were cut off may be counted."""
        return list_readings(self.mine, *([self.theirs] if self.theirs else []))

    @property
    def middle(self) -> float:
        """The median of what is compared: of the figure, the ratio of two horizons, the difference of lapse rates."""
        return self._scale(float(np.median(self._draw(READINGS[0]))))

    def find_limits(self, misses: tuple[float, float], reading: str = READINGS[0]) -> tuple[float, float]:
        """What is compared lies surely between these. ``misses``: how often the lower and the upper may be wrong."""
        low, high = np.quantile(self._draw(reading), (misses[0], 1 - misses[1]))
        return self._scale(float(low)), self._scale(float(high))

    def _draw(self, reading: str) -> Floats:
        mine = self._draw_one(self.mine, reading, side=1)
        return mine if self.theirs is None else mine - self._draw_one(self.theirs, reading)

    def _draw_one(self, horizon: SuiteHorizon, reading: str, side: int = 0) -> Floats:
        return horizon.draw_horizons(reading, side) if self.is_horizon else horizon.draw_lapses(reading, side)

    def _scale(self, value: float) -> float:
        return float(2**value) if self.is_horizon else value

    def _measure(self, horizon: SuiteHorizon) -> Credible:
        return horizon.horizon if self.is_horizon else horizon.lapse

    def decide(self, misses: tuple[float, float]) -> Decision:
        """What the posterior says of the gate. ``misses``: how often the lower and the upper limit may be wrong."""
        decisions = {self._decide(*self.find_limits(misses, reading)) for reading in self.list_readings()}
        return decisions.pop() if len(decisions) == 1 else Decision.UNDECIDED

    def _decide(self, low: float, high: float) -> Decision:
        if self.gate.op == "==":
            return Decision.UNDECIDED if low <= self.bound <= high else Decision.FAIL
        worst, best = (low, high) if self.gate.op in (">", ">=") else (high, low)
        if self._holds(worst):
            return Decision.PASS
        return Decision.UNDECIDED if self._holds(best) else Decision.FAIL

    def _holds(self, value: float) -> bool:
        return OPERATORS[self.gate.op](value, self.bound)

    def count_needed(self, misses: tuple[float, float]) -> int | None:
        """About how many questions a cell would decide, if the figure stays; ``None`` if hardly any number would.

        A posterior narrows by the square root of the number of questions.
        """
        middle, (low, high) = self.middle, self.find_limits(misses)
        is_lower = (self.gate.op in (">", ">=")) is self._holds(middle)
        limit, aim = low if is_lower else high, self.bound
        if self.is_horizon:
            middle, limit, aim = (math.log2(max(value, 1e-9)) for value in (middle, limit, aim))
        if abs(middle - aim) < 1e-9:
            return None
        many = self.mine.asked / len(self.mine.cells) * ((middle - limit) / (middle - aim)) ** 2
        return math.ceil(many / 10) * 10 if many < _MOST_NEEDED else None
