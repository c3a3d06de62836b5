"""Axes of a suite in the records: their columns, their values, and the rows at each value."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from pytest_codereason.core import AxisValue

if TYPE_CHECKING:
    import pandas as pd

PERTURBATION, DEFENCE, POSITION = "perturbation", "defence", "position"
#: Axes that say how long a context is.
LENGTHS = ("distractors", "tokens")
#: Ways of asking. Figures show them side by side and never pool them.
WAYS = ("prompting", DEFENCE, "reasoning_effort")
#: Axes that take a question away from its plain form. Only the plain form has a headline.
_DEPARTURES = (PERTURBATION, DEFENCE)
#: Axes along which nothing is pooled.
KEPT_APART = tuple(dict.fromkeys((*_DEPARTURES, *WAYS)))
#: Axis values that leave a program as it is, the more telling one first.
UNCHANGED = ("vanilla", "none")


def axis_column(axis: str) -> str:
    """The column of an axis: ``axes.digits``; ``language`` has a column of its own."""
    return axis if axis == "language" else f"axes.{axis}"


def find_reference(values: Sequence[AxisValue]) -> AxisValue:
    """The axis value with which the others are compared: the one that changes nothing, else the first."""
    return next((value for value in UNCHANGED if value in values), values[0])


def axis_values(rows: pd.DataFrame, axis: str) -> pd.Series[Any]:
    """The value of an axis in each row; missing in every row where no record has the axis."""
    import pandas as pd

    column = axis_column(axis)
    return rows[column] if column in rows else pd.Series(pd.Categorical([None] * len(rows)), index=rows.index)


def select_value(rows: pd.DataFrame, axis: str, value: AxisValue) -> pd.DataFrame:
    """The rows at one value of an axis."""
    return rows[axis_values(rows, axis) == value]


def split_by_axes(
    rows: pd.DataFrame, names: Sequence[str], axes: Mapping[str, Sequence[AxisValue]]
) -> Iterator[tuple[tuple[str, ...], pd.DataFrame]]:
    """The rows at each combination of values of the axes ``names``, in the suite's order; empty ones are left out."""
    parts: list[tuple[tuple[str, ...], pd.DataFrame]] = [((), rows)]
    for axis in names:
        parts = [
            ((*before, str(value)), select_value(part, axis, value)) for before, part in parts for value in axes[axis]
        ]
    yield from (part for part in parts if len(part[1]))


def list_conditions(
    axes: Mapping[str, Sequence[AxisValue]], along: str = "", pools: Collection[str] = ()
) -> list[dict[str, AxisValue]]:
    """The conditions that are never pooled: the plain question in each way of prompting.

    Example: ``[{"perturbation": "vanilla", "prompting": "direct"}, {"perturbation": "vanilla", "prompting": "cot"}]``.
    The axis ``along`` is left free, because a table or chart shows its values side by side, and so are the axes
    ``pools`` (see ``Metric.pools``). A suite in which nothing has to be kept apart has one condition without any value.
    """
    free = {along, *pools}
    varying = [axis for axis in KEPT_APART if axis not in free and len(axes.get(axis, ())) > 1]
    choices = [[find_reference(axes[axis])] if axis in _DEPARTURES else list(axes[axis]) for axis in varying]
    return [dict(zip(varying, values, strict=True)) for values in product(*choices)]


def is_kept_apart(axis: str) -> bool:
    """Whether no number pools several values of this axis, such as ``perturbation`` or ``prompting``."""
    return axis in _DEPARTURES or axis in WAYS


def list_departures(axes: Collection[str]) -> list[str]:
    """Those of these axes along which a question departs from the plain one, such as ``perturbation``."""
    return [axis for axis in axes if axis in _DEPARTURES]


def select_condition(rows: pd.DataFrame, where: Mapping[str, AxisValue]) -> pd.DataFrame:
    """The rows at all these values of axes."""
    for axis, value in where.items():
        rows = select_value(rows, axis, value)
    return rows
