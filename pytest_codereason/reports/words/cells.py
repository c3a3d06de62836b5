"""The cells of tables as readers see them, the same in terminal, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from pytest_codereason.core.text import wording
from pytest_codereason.reports.words.formatting import (
    format_bounds,
    format_change_bounds,
    format_difference,
    format_estimate,
    format_growth,
    format_number,
    format_share,
    format_signed,
    format_value,
)
from pytest_codereason.results.pictures import Aspect
from pytest_codereason.results.values import (
    AxisPlace,
    Cell,
    Count,
    Delta,
    Estimate,
    Flips,
    Label,
    MasteredLevel,
    Number,
    Range,
    Share,
    Times,
    Trend,
    Undefined,
    Why,
)

_FEW = 10  # from here on a ratio has no decimals


def format_cell(cell: Cell, aspect: Aspect = "value") -> str:
    """A cell of a table in the column that shows this aspect of it."""
    return ", ".join(filter(None, (format_unbounded(cell, aspect), format_cell_bounds(cell, aspect))))


def format_unbounded(cell: Cell, aspect: Aspect = "value") -> str:
    """As :func:`format_cell`, without what truncated answers could make of the number."""
    return _CELL_FORMATS[type(cell)](cell, aspect)


def format_cell_bounds(cell: Cell, aspect: Aspect = "value") -> str:
    """``0.620 to 0.665 with 9 truncated answers``; empty for a cell that truncated answers cannot change."""
    if isinstance(cell, Delta):
        return format_change_bounds(cell, aspect)
    if type(cell) is Estimate and cell.value is not None and (cell.unit != "tokens" or aspect == "percent"):
        return format_bounds(cell, aspect)
    return ""


def _format_estimate_cell(estimate: Estimate, aspect: Aspect) -> str:
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None:
        return format_value(estimate)
    if aspect == "percent":
        interval = "" if low is None or high is None else f" [{100 * low:.1f}, {100 * high:.1f}]"
        return wording.write_minus(f"{100 * value:.2f}{interval}")
    if estimate.unit == "tokens":
        interval = "" if low is None or high is None else f" [{low:,.0f}, {high:,.0f}]"
        return f"{value:,.0f}{interval}"
    return format_estimate(estimate)


def _format_level_cell(level: MasteredLevel, _aspect: Aspect) -> str:
    """``4 [3, 4]``. Beyond the levels that were asked: ``below 4``, ``4 or more``."""

    def name_level(value: float) -> str:
        if value < level.lowest > 1:
            return f"below {level.lowest}"
        return f"{value:.0f} or more" if value == level.highest and not level.is_last else f"{value:.0f}"

    if level.value is None or level.low is None or level.high is None:
        return format_value(level)
    return f"{name_level(level.value)} [{name_level(level.low)}, {name_level(level.high)}]"


def _format_place_cell(place: AxisPlace, _aspect: Aspect) -> str:
    """``37 [29, 48]``, ``< 1 [< 1, 2.3]``."""
    return format_estimate(place)


def _format_times_cell(times: Times, _aspect: Aspect) -> str:
    """``2.1 times as far [1.4, 3.2]``."""
    if times.value is None or times.low is None or times.high is None:
        return format_value(times)
    value, low, high = (
        f"{each:,.0f}" if each >= _FEW else f"{each:.1f}" for each in (times.value, times.low, times.high)
    )
    return f"{'at least ' if times.is_open else ''}{value} times as far [{low}, {high}]"


def _format_delta_cell(delta: Delta, aspect: Aspect) -> str:
    if aspect == "relative":
        return Why.ZERO_BEFORE if delta.relative is None else f"{format_signed(100 * delta.relative, 1)} %"
    return format_growth(delta) if aspect == "relative_interval" else format_difference(delta)


def format_published(cell: Decimal | str, aspect: Aspect = "value") -> str:
    """A cell that a paper gives, with as many digits as the paper: ``44.62``, ``−92.73 %``."""
    if isinstance(cell, str):
        return cell
    if aspect == "value":
        return wording.write_minus(f"{cell:f}")
    percent = cell.scaleb(2)
    return f"{percent:f}" if aspect == "percent" else wording.write_minus(f"{percent:+f}") + " %"


_CELL_FORMATS: Mapping[type, Callable[[Any, Aspect], str]] = {
    Estimate: _format_estimate_cell,
    MasteredLevel: _format_level_cell,
    AxisPlace: _format_place_cell,
    Times: _format_times_cell,
    Delta: _format_delta_cell,
    Flips: lambda cell, aspect: f"{cell.lost if aspect == 'lost' else cell.won:,} of {cell.pairs:,}",
    Share: lambda cell, _: format_share(cell),
    Count: lambda cell, _: wording.count(cell.value),
    Number: lambda cell, _: format_number(cell.value, cell.decimals),
    Range: lambda cell, _: f"{cell.low:.3f} to {cell.high:.3f}",
    Trend: lambda cell, _: f"{cell.start:.3f} · exp(−{cell.rate:.4f} x)",
    Label: lambda cell, _: cell.text,
    Undefined: lambda cell, _: cell.reason,
}
