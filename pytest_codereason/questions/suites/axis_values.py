"""Reads what a suite file says of axes, and of how answers are drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from pytest_codereason.core import Axis, AxisValue, Sampling, Task
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import BadSetting
from pytest_codereason.questions.suites.conditions import SuiteConditions
from pytest_codereason.questions.suites.keys import explain_setting, list_places
from pytest_codereason.questions.suites.sampling import SAMPLING_AXES, Drawing, check_sampling
from pytest_codereason.questions.suites.stages import list_settable
from pytest_codereason.questions.suites.tables import SuiteTables


class AxisReader:
    """Reads the values of axes out of the tables of a suite file.

    Args:
        stages: the names of the stages that take part. The table of a stage may have the name of an axis.
    """

    def __init__(self, tables: SuiteTables, task: Task, axes: Mapping[str, Axis], stages: Collection[str]) -> None:
        self.tables, self.task, self.axes, self.stages = tables, task, axes, stages
        self.places = list_places(task)

    def read_conditions(self, source: Mapping[str, Any]) -> SuiteConditions:
        """The values of all axes; ``source`` is the table of the source, which may set some."""
        matrix = {name: self._read_values(name, raw) for name, raw in self.tables.read_table("matrix").items()}
        if both := {name for name in self.tables.table if name in matrix and not self._is_settings(name)}:
            raise self.tables.fail(f"{min(both)!r} is set twice, here and in [matrix]: keep one", min(both))
        alone = {name for name in self.tables.table if not self._is_settings(name)}
        single = [name for name in self.axes if name in alone and not self._differs_by_prompting(name)]
        fixed = {name: self._read_value(self.axes[name], self.tables.table[name], name) for name in single}
        defaults = {n: a.default for n, a in self.axes.items() if n not in matrix and n not in SAMPLING_AXES}
        settings = {k: v for k, v in source.items() if k in self.axes and k not in matrix}
        return SuiteConditions(
            matrix=matrix,
            fixed={**defaults, **settings, **fixed, **self.task.requires},
            prompted=self._read_prompted(),
        )

    def _is_settings(self, key: str) -> bool:
        """Whether a key is the table ``[fault]`` of a stage that has an axis of its own name."""
        return key in self.stages and self.tables.is_table(key)

    def _read_values(self, name: str, raw: object) -> tuple[AxisValue, ...]:
        if name not in self.axes and name in self.places:
            raise self.tables.fail(f"{name!r} is no axis: write it {self.places[name]}", "matrix", name)
        if name not in self.axes:
            hint = suggest_name(name, list_settable(self.axes))
            raise self.tables.fail(
                f"unknown axis {name!r}{hint}: choose from {', '.join(list_settable(self.axes))}", "matrix", name
            )
        expand = self.axes[name].expand
        spread = expand(raw) if expand else None
        listed: list[Any] = raw if isinstance(raw, list) else list(spread or ()) or [raw]
        if not listed:
            raise self.tables.fail(
                f"{name!r} has no value: give at least one of {self.axes[name].allowed}", "matrix", name
            )
        values = tuple(self._read_value(self.axes[name], value, "matrix", name) for value in listed)
        if len(set(values)) < len(values):
            raise self.tables.fail(f"{name!r} names a value twice", "matrix", name)
        return values

    def _read_value(self, axis: Axis, value: object, *where: str) -> AxisValue:
        try:
            if isinstance(value, (str, int, float, bool)) and axis.accepts(value):
                return value
        except BadSetting as error:  # says more than that it cannot be
            raise self.tables.fail(str(error), *where) from error
        if isinstance(value, list) and "matrix" not in where:
            raise self.tables.fail(
                f"{axis.name!r} takes one value here, not {value!r}: write a list of values into [matrix]", *where
            )
        hint = suggest_name(value, axis.allowed.split(", ")) if isinstance(value, str) else ""
        raise self.tables.fail(f"{axis.name!r} cannot be {value!r}{hint}: it takes {axis.allowed}", *where)

    def _differs_by_prompting(self, name: str) -> bool:
        """Whether the values of an axis depend on the way of prompting: ``shots = {direct = 2, cot = 1}``."""
        return name in self.task.axes and name != "prompting" and isinstance(self.tables.table[name], dict)

    def _read_prompted(self) -> dict[str, dict[str, AxisValue]]:
        """The axes with another value for a way of prompting, by way."""
        prompted: dict[str, dict[str, AxisValue]] = {}
        for name in self.axes:
            if name in self.tables.table and self._differs_by_prompting(name):
                for way, value in self.tables.read_table(name).items():
                    self._check_prompting(name, way)
                    prompted.setdefault(way, {})[name] = self._read_value(self.axes[name], value, name)
        return prompted

    def _check_prompting(self, table: str, way: str) -> None:
        if "prompting" not in self.axes or not self.axes["prompting"].accepts(way):
            known = self.axes["prompting"].allowed if "prompting" in self.axes else "none"
            where = (table, way) if self.tables.file.find_line((table, way)) else (table,)  # written inline
            hint = suggest_name(way, known.split(", "))
            raise self.tables.fail(f"[{table}.{way}] names no way of prompting{hint}: there is {known}", *where)

    def read_drawing(self, overrides: Mapping[str, Any]) -> Drawing:
        """How answers are drawn. ``overrides`` are settings that take the place of the file's."""
        table = dict(self.tables.read_table("sampling"))
        per_prompting = {k: table.pop(k) for k in [k for k, v in table.items() if isinstance(v, dict)]}
        samples = {"": self._take_samples(table, "sampling")}
        settings = {"": self._change_sampling(Sampling(), table, "sampling")}
        for name, own in per_prompting.items():
            self._check_prompting("sampling", name)
            override = dict(own)
            if "samples" in override:
                samples[name] = self._take_samples(override, "sampling", name)
            settings[name] = self._change_sampling(settings[""], override, "sampling", name)
        return Drawing({name: replace(s, **overrides) for name, s in settings.items()}, samples)

    def _take_samples(self, table: dict[str, object], *where: str) -> int:
        """Removes ``samples`` from a table of sampling and returns it."""
        samples = table.pop("samples", 1)
        if not isinstance(samples, int) or isinstance(samples, bool) or not 1 <= samples <= 1000:
            raise self.tables.fail(
                f"'samples' must be a whole number from 1 to 1000, not {samples!r}", *where, "samples"
            )
        return samples

    def _change_sampling(self, base: Sampling, table: Mapping[str, Any], *where: str) -> Sampling:
        for key, value in table.items():
            try:
                base = replace(base, **{key: check_sampling(key, value)})
            except BadSetting as error:
                raise self.tables.fail(explain_setting(error, self.places), *where, key) from error
        return base
