"""The horizon of a model on a suite: the place on an axis at which half of its answers are right, cell by cell.

Example: a suite asks about the states ``int`` and ``list``, each at 1 to 4,096 executed steps. Each state is a *cell*
with a curve of its own. The horizon of the suite is the geometric mean over both: of 16 and 64 it is 32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from pytest_codereason.core import AxisValue
from pytest_codereason.core.adaptive import CUT_OUTCOMES, READ_OUTCOMES
from pytest_codereason.core.answers import H50, LAPSE
from pytest_codereason.results.measures.measures import mark_outcomes
from pytest_codereason.results.records.axes import axis_column, axis_values
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.statistics.horizon import (
    Credible,
    Curve,
    RungCount,
    Rungs,
    average_horizons,
    average_lapses,
    find_middle,
    fit_curve,
)
from pytest_codereason.results.statistics.intervals import Floats
from pytest_codereason.results.values import AxisPlace, Bounds, Estimate, Why

#: How the curve counts answers that are cut off: not at all, all as wrong, all as right.
READINGS = ("left out", "all wrong", "all right")
_OTHER_SIDE = 1 << 20  # groups of a second model; no suite has so many cells


@dataclass(frozen=True)
class CellHorizon:
    """The curve of one model in one cell of a suite."""

    where: Mapping[str, AxisValue]  #: the value of every axis but the one of the curve
    axis: str
    rungs: Rungs
    tallies: Mapping[float, RungCount]  #: the questions at each place whose answers say something about reading
    cut: Mapping[float, float]  #: the questions at each place whose answers are cut off
    group: int  #: cells with the same number ask about the same programs

    @cached_property
    def curve(self) -> Curve:
        """The curve through the answers."""
        return fit_curve(self.tallies)

    def read(self, reading: str) -> Curve:
        """The curve if answers that are cut off are counted by one of :data:`READINGS`."""
        if reading == READINGS[0] or not any(self.cut.values()):
            return self.curve
        tallies = dict(self.tallies)
        for place, cut in self.cut.items():
            right, asked = tallies.get(place, RungCount(0, 0))
            tallies[place] = RungCount(right + (cut if reading == READINGS[2] else 0), asked + cut)
        return fit_curve(tallies)

    @cached_property
    def horizon(self) -> Credible:
        """The horizon with its interval, none beyond the rungs."""
        return self.curve.horizon(self.rungs)

    @property
    def end(self) -> str:
        """``below`` or ``above`` if the horizon lies beyond the rungs, else empty."""
        return "below" if self.horizon.value < self.rungs.bottom else "above" if self.is_above else ""

    @property
    def is_above(self) -> bool:
        """Whether the horizon lies at or above the last rung."""
        return self.horizon.value >= self.rungs.top

    @property
    def asked(self) -> int:
        """How many questions are in the curve."""
        return round(sum(tally.asked for tally in self.tallies.values()))


@dataclass(frozen=True)
class SuiteHorizon:
    """The curves of one model in all cells of a suite that were asked, and their means."""

    cells: tuple[CellHorizon, ...]

    def draw_horizons(self, reading: str = READINGS[0], side: int = 0) -> Floats:
        """Draws of the mean log2 h50. Two sides of a comparison take different numbers, as they err independently."""
        curves = [cell.read(reading) for cell in self.cells]
        return average_horizons(curves, self.cells[0].rungs, self._list_groups(side))

    def draw_lapses(self, reading: str = READINGS[0], side: int = 0) -> Floats:
        """Draws of the mean lapse rate."""
        return average_lapses([cell.read(reading) for cell in self.cells], self._list_groups(side))

    def _list_groups(self, side: int) -> list[int]:
        return [cell.group + side * _OTHER_SIDE for cell in self.cells]

    @cached_property
    def horizon(self) -> Credible:
        """The geometric mean of the horizons, with its interval."""
        if len(self.cells) == 1:
            return self.cells[0].horizon
        return Credible(*(float(2**log) for log in find_middle(self.draw_horizons())))

    @cached_property
    def lapse(self) -> Credible:
        """The mean of the lapse rates, with its interval."""
        if len(self.cells) == 1:
            return self.cells[0].curve.lapse
        draws = self.draw_lapses()
        return find_middle(draws)._replace(value=float(np.mean(draws)))

    @property
    def axis(self) -> str:
        """The axis of the curves."""
        return self.cells[0].axis

    @property
    def rungs(self) -> Rungs:
        """The first and the last place above 0."""
        return self.cells[0].rungs

    @property
    def asked(self) -> int:
        """How many questions are in the curves."""
        return sum(cell.asked for cell in self.cells)

    @property
    def cut(self) -> int:
        """How many questions have answers that are cut off."""
        return round(sum(sum(cell.cut.values()) for cell in self.cells))


def list_readings(*sides: SuiteHorizon) -> tuple[str, ...]:
    """How replies that were cut off may be counted; one way if there are none."""
    return READINGS if any(side.cut for side in sides) else READINGS[:1]


def find_rungs(suite: SuiteInfo) -> Rungs | None:
    """The first and the last place above 0 on the axis of a suite's curve; ``None`` if it has none."""
    places = [float(value) for value in suite.axes[suite.curve] if not isinstance(value, str) and value > 0]
    return Rungs(min(places), max(places)) if places else None


def measure_horizon(rows: pd.DataFrame, suite: SuiteInfo) -> SuiteHorizon | None:
    """The curves of one model by its answers ``rows`` to a suite; ``None`` if no answer says anything about reading.

    A question with several samples counts once, by its share of right answers.
    """
    axis, rungs = suite.curve, find_rungs(suite)
    if rungs is None:
        return None
    others = [name for name in suite.axes if name != axis]
    table = _tabulate(rows, axis)
    families = rows["family"].astype(str)
    cells: list[CellHorizon] = []
    seen: list[set[str]] = []
    for where in _list_places(rows.loc[table.index], others, suite):
        chosen = np.ones(len(table), dtype=np.bool_)
        for name, value in where.items():
            chosen &= (axis_values(rows, name).loc[table.index] == value).to_numpy()
        part = table[chosen]
        if part["read"].any():
            own = set(families.loc[part.index])
            group = next((number for number, other in enumerate(seen) if own & other), len(seen))
            seen.append(own)
            tallies, cut = _count(part)
            number = cells[group].group if group < len(cells) else group
            cells.append(CellHorizon(where, axis, rungs, tallies, cut, number))
    return SuiteHorizon(tuple(cells)) if cells else None


def estimate_fitted(rows: pd.DataFrame, suite: SuiteInfo) -> dict[str, Estimate]:
    """The horizon and the lapse rate by these rows, by the names of their metrics."""
    horizon = measure_horizon(rows, suite)
    if horizon is None:
        why = Why.NOT_ASKED if rows.empty else Why.NONE_COUNTS
        return {name: Estimate(value=None, why=why) for name in (H50, LAPSE)}
    programs = int(rows["family"].nunique())
    bounds = None
    if horizon.cut:
        wrong, right = (float(2 ** np.median(horizon.draw_horizons(reading))) for reading in READINGS[1:])
        bounds = Bounds(all_wrong=wrong, all_right=right, truncated=horizon.cut)
    return {
        H50: make_place(horizon.horizon, horizon.rungs, horizon.asked, programs, bounds),
        LAPSE: Estimate(**horizon.lapse._asdict(), n=horizon.asked, families=programs),
    }


def map_headlines(suites: Mapping[str, SuiteInfo]) -> dict[str, SuiteInfo]:
    """The suites with the metrics that people are shown.

    About half of the questions that a suite chooses are right, whatever the model is. So its headline is the horizon.
    """
    return {
        name: replace(suite, metrics=suite.fitted) if suite.chosen_axis else suite for name, suite in suites.items()
    }


def make_place(span: Credible, rungs: Rungs, asked: int, families: int, bounds: Bounds | None = None) -> AxisPlace:
    """A horizon as a value of results."""
    return AxisPlace(
        **span._asdict(),
        n=asked,
        families=families,
        unit="place",
        bounds=bounds,
        lowest=rungs.bottom,
        highest=rungs.top,
    )


def _list_places(rows: pd.DataFrame, axes: Sequence[str], suite: SuiteInfo) -> list[dict[str, AxisValue]]:
    """The combinations of values that the rows have, in the order of the suite."""
    columns = [axis_column(axis) for axis in axes]
    known = rows[[column for column in columns if column in rows]].drop_duplicates()
    found = [
        {
            axis: row[column]
            for axis, column in zip(axes, columns, strict=True)
            if column in row and pd.notna(row[column])
        }
        for row in known.to_dict("records")
    ]
    order = {axis: {value: place for place, value in enumerate(suite.axes[axis])} for axis in axes}
    return sorted(found, key=lambda where: [order[axis].get(where.get(axis), -1) for axis in axes])  # type: ignore[arg-type]


def _tabulate(rows: pd.DataFrame, axis: str) -> pd.DataFrame:
    """The answers that count or are cut off: question, place, and whether each is right, read, cut off."""
    table = pd.DataFrame(
        {
            "id": rows["id"].astype(str),
            "place": pd.to_numeric(axis_values(rows, axis).astype(object), errors="coerce").astype(np.float64),
            "right": mark_outcomes(rows, ("correct",)),
            "read": mark_outcomes(rows, READ_OUTCOMES),
            "cut": mark_outcomes(rows, CUT_OUTCOMES),
        }
    )
    return table[table["read"] | table["cut"]]


def count_places(rows: pd.DataFrame, axis: str) -> tuple[dict[float, RungCount], dict[float, float]]:
    """The questions at each place whose answers say something about reading, and those whose answers are cut off."""
    return _count(_tabulate(rows, axis))


def _count(part: pd.DataFrame) -> tuple[dict[float, RungCount], dict[float, float]]:
    numbers, counts = np.unique(part["id"], return_inverse=True, return_counts=True)[1:]
    weights = 1 / counts[numbers]  # a question counts once, whatever its samples
    places, codes = np.unique(part["place"], return_inverse=True)
    right, read, cut = (
        np.bincount(codes, weights=weights * part[column], minlength=len(places)) for column in ("right", "read", "cut")
    )
    return (
        {float(place): RungCount(float(right[i]), float(read[i])) for i, place in enumerate(places)},
        {float(place): float(cut[i]) for i, place in enumerate(places)},
    )


@dataclass(frozen=True)
class HorizonRatio:
    """How many times as far the second of two models reads as the first, over the cells that both have."""

    first: SuiteHorizon
    second: SuiteHorizon

    def draw(self, reading: str = READINGS[0]) -> Floats:
        """Draws of the logarithm (base 2) of the ratio."""
        drawn: Floats = self.second.draw_horizons(reading, side=1) - self.first.draw_horizons(reading)
        return drawn

    @cached_property
    def ratio(self) -> Credible:
        """The ratio with its interval: ``2.1 [1.4, 3.2]``."""
        return Credible(*(float(2**log) for log in find_middle(self.draw())))

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out 1, so that one of the two surely reads farther."""
        return self.ratio.low > 1 or self.ratio.high < 1

    @property
    def readings(self) -> tuple[str, ...]:
        """How replies that were cut off may be counted."""
        return list_readings(self.first, self.second)

    def p(self, reading: str = READINGS[0]) -> float:
        """How likely it is that the nearer one reads farther, on both sides."""
        draws = self.draw(reading)
        return min(1.0, 2 * float(min(np.mean(draws <= 0), np.mean(draws >= 0))))

    @cached_property
    def equal_ends(self) -> list[Mapping[str, AxisValue]]:
        """The cells in which both lie beyond the same end of the rungs. They count as equal."""
        return [cell.where for cell, one, other in self._list_ends() if one and one == other]

    @cached_property
    def is_open(self) -> bool:
        """Whether one side alone lies beyond an end, so that the true ratio is at least so far from 1."""
        return any(one != other for _, one, other in self._list_ends())

    def _list_ends(self) -> list[tuple[CellHorizon, str, str]]:
        return [(one, one.end, other.end) for one, other in zip(self.first.cells, self.second.cells, strict=True)]


def compare_horizons(first: SuiteHorizon, second: SuiteHorizon) -> HorizonRatio | None:
    """The ratio of the horizons of two models; ``None`` if they share no cell."""
    others = {tuple(cell.where.items()): cell for cell in second.cells}
    common = [cell for cell in first.cells if tuple(cell.where.items()) in others]
    if not common:
        return None
    return HorizonRatio(
        SuiteHorizon(tuple(common)), SuiteHorizon(tuple(others[tuple(cell.where.items())] for cell in common))
    )
