"""Where one model is clearly worse than another: at which values of which axes.

Example: two releases are level over all answers. Where names are changed, the new one loses 25 pairs and wins none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import pandas as pd

from pytest_codereason.core import AxisValue, Metric
from pytest_codereason.results.measures.pairing import compare, judge_difference
from pytest_codereason.results.records.axes import select_condition
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.statistics.chance import find_clear
from pytest_codereason.results.values import Delta

#: Of more models nobody reads where each is worse than each other.
MOST_MODELS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Setback:
    """One value of an axis at which a model is clearly worse than another."""

    axis: str
    value: AxisValue
    worse: str
    better: str
    delta: Delta  #: the mean of the worse model minus that of the better one, over the pairs that both answered
    compared: int  #: pairs of models and values that were judged together


def find_setbacks(data: RunData, suite: SuiteInfo, rows: pd.DataFrame) -> tuple[Setback, ...]:
    """Where models of a suite differ clearly, the largest difference first. Baselines are left out.

    All pairs of models at all values of all axes are judged together. A suite of more than :data:`MOST_MODELS` models
    has none.

    Args:
        rows: those of the suite, numbered across models by :func:`number_pairs`.
    """
    scales = data.scales
    parts = {label: part for label, part in data.by_subject(rows) if label not in scales and len(part)}
    if not 2 <= len(parts) <= MOST_MODELS:
        return ()
    places = [(axis, value) for axis in suite.varying_axes(list(suite.axes)) for value in suite.axes[axis]]
    pairs = [_Pair(axis, value, models) for axis, value in places for models in combinations(parts, 2)]
    # The answers at a value are selected anew for each pair: all of them at once are several copies of the records.
    judged = [judge_difference(*pair.select(parts), suite.headline) for pair in pairs]
    clear = find_clear([each and each.p for each in judged])
    compared = sum(each is not None for each in judged)
    found = [
        _measure(pair, pair.select(parts), suite.headline, compared)
        for pair, is_clear in zip(pairs, clear, strict=True)
        if is_clear
    ]
    return tuple(sorted(filter(None, found), key=lambda each: -abs(each.delta.value)))


class _Pair(NamedTuple):
    """Two models at one value of an axis."""

    axis: str
    value: AxisValue
    models: tuple[str, str]

    def select(self, parts: Mapping[str, pd.DataFrame]) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The answers of each model there; ``parts`` has all answers of each."""
        first, second = (select_condition(parts[label], {self.axis: self.value}) for label in self.models)
        return first, second


def _measure(pair: _Pair, sides: tuple[pd.DataFrame, pd.DataFrame], metric: Metric, compared: int) -> Setback | None:
    """A difference that is clear; ``None`` if its interval or truncated answers leave it open."""
    (better, worse), (before, after) = pair.models, sides
    delta = compare(before, after, [metric])[metric.name]
    if isinstance(delta, Delta) and (delta.value > 0) is metric.higher_is_better:
        better, worse = worse, better
        delta = compare(after, before, [metric])[metric.name]
    if not isinstance(delta, Delta) or not delta.value or not delta.is_significant or delta.may_vanish:
        return None
    return Setback(axis=pair.axis, value=pair.value, worse=worse, better=better, delta=delta, compared=compared)


def leave_out_led(setbacks: Sequence[Setback], led: Sequence[tuple[str, str]]) -> list[Setback]:
    """The setbacks that no lead says already. ``led`` has each best model with a model clearly behind it."""
    return [each for each in setbacks if (each.better, each.worse) not in led]
