"""Reads the table ``[adaptive]`` of a suite file: which axis is chosen question by question, and until when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_codereason.core import Axis
from pytest_codereason.core.adaptive import Adaptive, list_first, list_rungs
from pytest_codereason.core.programs import is_whole
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.questions.suites.tables import SuiteTables

TABLE = "adaptive"
_KEYS = ("over", "top", "precision", "budget", "batch", "asking")
_WAYS = ("adaptive", "grid")
MOST_TOP = 1 << 17
#: A curve needs so many places.
FEWEST = 3


def read_adaptive(tables: SuiteTables, axes: Mapping[str, Axis]) -> Adaptive | None:
    """What the table says; ``None`` if the file has no such table.

    Raises:
        UsageError: a key is unknown, or its value cannot be.
    """
    if TABLE not in tables.table:
        return None
    table = tables.read_table(TABLE)
    for key in table:
        if key not in _KEYS:
            raise tables.fail(f"unknown key {key!r}{suggest_name(key, _KEYS)}: it takes {', '.join(_KEYS)}", TABLE, key)
    axis = _read_axis(tables, table, axes)
    rungs = _read_rungs(tables, table, axis)
    budget = _read_whole(tables, table, "budget", 64, 1, 100_000)
    batch = _read_whole(tables, table, "batch", 8, 1, 1_000)
    precision, asking = table.get("precision", 2.0), table.get("asking", _WAYS[0])
    if isinstance(precision, bool) or not isinstance(precision, (int, float)) or not 0 < precision <= 16:
        raise tables.fail(f"'precision' must be a number of octaves up to 16, not {precision!r}", TABLE, "precision")
    if asking not in _WAYS:
        raise tables.fail(f"'asking' cannot be {asking!r}: it takes {', '.join(_WAYS)}", TABLE, "asking")
    least = max(batch, len(list_first(rungs)))
    if budget < least:
        where = (TABLE, "budget") if "budget" in table else (TABLE,)
        raise tables.fail(f"'budget' is below one round: {budget}, and a round asks {least} questions", *where)
    return Adaptive(
        over=axis.name,
        rungs=tuple(rungs),
        precision=float(precision),
        budget=budget,
        batch=batch,
        asking=asking,
    )


def _read_axis(tables: SuiteTables, table: Mapping[str, object], axes: Mapping[str, Axis]) -> Axis:
    name = table.get("over")
    if not isinstance(name, str) or name not in axes:
        known = [axis.name for axis in axes.values() if axis.falls] or list(axes)
        if name is None:
            raise tables.fail(f"the key 'over' is missing: which axis is chosen? There is {', '.join(known)}", TABLE)
        hint = suggest_name(name, axes) if isinstance(name, str) else ""
        raise tables.fail(f"unknown axis {name!r}{hint}: choose from {', '.join(known)}", TABLE, "over")
    for where in ((name,), ("matrix", name)):
        if name in (tables.table if len(where) == 1 else tables.read_table("matrix")):
            raise tables.fail(f"{name!r} is chosen by [adaptive], so it may not stand here too: keep one", *where)
    return axes[name]


def _read_rungs(tables: SuiteTables, table: Mapping[str, object], axis: Axis) -> Sequence[int]:
    if "top" not in table:
        raise tables.fail(f"the key 'top' is missing: the highest value of {axis.name} that is asked", TABLE)
    top = _read_whole(tables, table, "top", 0, 1, MOST_TOP)
    if not axis.accepts(top):
        raise tables.fail(f"'top' cannot be {top}: {axis.name} takes {axis.allowed}", TABLE, "top")
    rungs = [rung for rung in list_rungs(top) if axis.accepts(rung)]
    if len(rungs) < FEWEST:
        raise tables.fail(f"{axis.name} has {len(rungs)} values up to {top}: a curve needs {FEWEST}", TABLE, "top")
    return rungs


def _read_whole(tables: SuiteTables, table: Mapping[str, Any], key: str, default: int, least: int, most: int) -> int:
    value = table.get(key, default)
    if not is_whole(value, least, most):
        raise tables.fail(f"{key!r} must be a whole number from {least} to {most:,}, not {value!r}", TABLE, key)
    return int(value)
