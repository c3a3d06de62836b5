"""The conditions under which a suite asks: the values of its axes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from pytest_codereason.core import EMPTY, AxisValue, Spec
from pytest_codereason.core.programs import Cell


@dataclass(frozen=True, kw_only=True)
class SuiteConditions:
    """The values of the axes of a suite. A *way* is a value of the axis ``prompting``; empty if there is no such axis.

    ``SuiteConditions(matrix={"digits": (2, 4)}, fixed={"prompting": "direct"})`` has two conditions.
    """

    matrix: Mapping[str, tuple[AxisValue, ...]]
    #: the axes outside the matrix, at their one value; of the axes of sampling only those that are set
    fixed: Mapping[str, AxisValue]
    #: axes that have another value in a way of prompting, by that way
    prompted: Mapping[str, Mapping[str, AxisValue]] = field(default_factory=dict)

    def spread(self, axis: str, values: tuple[AxisValue, ...]) -> SuiteConditions:
        """These conditions, each at several values of one more axis, which comes last."""
        fixed = {name: value for name, value in self.fixed.items() if name != axis}
        return replace(self, matrix={**self.matrix, axis: values}, fixed=fixed)

    def list_cells(self) -> Iterator[Cell]:
        """The product of the matrix."""
        product = itertools.product(*self.matrix.values())
        return (tuple(zip(self.matrix, values, strict=True)) for values in product)

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways of prompting; one empty way if there are none."""
        return tuple(str(way) for way in self.matrix.get("prompting", (self.fixed.get("prompting", ""),)))

    def find_way(self, spec: Spec) -> str:
        """The way of prompting of a question, empty if there is only one."""
        return str(dict(spec.axes).get("prompting", self.fixed.get("prompting", "")))

    def list_axes(self, spec: Spec) -> dict[str, AxisValue]:
        """Every axis of a question with its value."""
        return {**self.fixed, **self.prompted.get(self.find_way(spec), EMPTY), **dict(spec.axes)}

    def list_values(self, axis: str) -> set[AxisValue]:
        """The values at which an axis is asked about."""
        alone = [values[axis] for values in (self.fixed, *self.prompted.values()) if axis in values]
        return {*self.matrix.get(axis, ()), *alone}
