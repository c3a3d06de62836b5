"""Which stages take part in a suite, and in which order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import get_args

from pytest_codereason import registry
from pytest_codereason.core import Axis, Stage, StagePlace, Task
from pytest_codereason.errors import PartError, UsageError

_PLACES: tuple[str, ...] = get_args(StagePlace)


def find_shipped() -> dict[str, type[Stage]]:
    """The stages of this package by name, in the order in which they happen."""
    return dict(sort_stages((name, registry.find(Stage, name)) for name in registry.list_shipped(Stage)))


def find_stages(tables: Collection[str], axes: Collection[str], own: Collection[str]) -> dict[str, type[Stage]]:
    """The stages that take part, in the order in which they happen, by the name of their table.

    A shipped stage, or a stage of an installed package, takes part if the suite has its table or one of its axes. Any
    other stage takes part if the suite has its table: ``["package.module:Name"]``.

    Args:
        tables: the keys of the suite file.
        axes: every axis that the suite sets, in its matrix or outside.
        own: axes of the suite's source and task, and of sampling.

    Raises:
        UsageError: a table names no stage, or two stages have an axis of the same name.
    """
    shipped = find_shipped()
    kinds = {name: kind for name, kind in shipped.items() if name in tables or not kind.axes.keys().isdisjoint(axes)}
    for name in tables:
        if ":" in name:
            kinds[name] = registry.find(Stage, name)
    broken: PartError | None = None
    unknown = set(axes).difference(own, *(kind.axes for kind in (*shipped.values(), *kinds.values())))
    for name in registry.list_names(Stage):
        if name not in shipped and (name in tables or unknown):
            try:
                kind: type[Stage] = registry.find(Stage, name)
            except (UsageError, PartError) as error:
                if name in tables:
                    raise
                broken = error if isinstance(error, PartError) else broken
                continue  # an installed package that the suite may have nothing to do with
            if name in tables or not kind.axes.keys().isdisjoint(unknown):
                kinds[name] = kind
    if broken and unknown.difference(*(kind.axes for kind in kinds.values())):
        raise broken  # whose axis it may be
    _refuse_shared_axes(kinds)
    return dict(sort_stages(kinds.items()))


def sort_stages(kinds: Iterable[tuple[str, type[Stage]]]) -> list[tuple[str, type[Stage]]]:
    """Stages in the order of their places. Stages of one place are sorted by name."""
    return sorted(kinds, key=lambda entry: (_PLACES.index(entry[1].place), entry[1].name))


def find_required(task: Task) -> Iterator[type[Stage]]:
    """The shipped stages of the axes that a task requires, in the order in which they happen."""
    return (kind for kind in find_shipped().values() if not kind.axes.keys().isdisjoint(task.requires))


def _refuse_shared_axes(kinds: Mapping[str, type[Stage]]) -> None:
    holders: dict[str, str] = {}
    for name, kind in kinds.items():
        for axis in kind.axes:
            if axis in holders:
                raise UsageError(f"the stages {holders[axis]} and {name} both have an axis {axis!r}: use one of them")
            holders[axis] = name


def list_settable(axes: Mapping[str, Axis]) -> list[str]:
    """The axes that a suite file may set: its own ``axes``, and the axes of stages that it does not use yet."""
    kinds = find_shipped().values()
    drawn = {name for kind in kinds if kind.values is not Stage.values for name in kind.axes}
    staged = [name for kind in kinds for name in kind.axes]
    return [name for name in dict.fromkeys([*axes, *staged]) if name not in drawn]
