"""The sentence beneath the chart of an axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_codereason.core import Metric
from pytest_codereason.reporters.formatting import (
    format_axis_value,
    format_delta,
    format_delta_interval,
    format_number,
)
from pytest_codereason.results.axes import find_reference
from pytest_codereason.results.summary import AxisEntry
from pytest_codereason.results.values import Delta
from pytest_codereason.text import wording

_MODELS_NAMED = 2  # more clauses than this make no sentence


def describe_axis(axis: str, entries: Mapping[str, Sequence[AxisEntry]], metric: Metric) -> str:
    """How the headline ``metric`` changes along ``axis``: the largest change of each model against the reference.

    ``entries`` maps a model to its axis values in the suite's order. With more than two models only the one that
    changes most is named.
    """
    changes = {model: largest for model, values in entries.items() if (largest := _find_largest_change(values, metric))}
    if not changes:
        return f"There is nothing to compare along {axis}: no two values have scored answers."
    if len(changes) > _MODELS_NAMED:
        model, (entry, delta) = max(changes.items(), key=lambda item: abs(item[1][1].value))
        clause = _describe_change(axis, entries[model], entry, delta, metric)
        if not any(each.is_significant for _, each in changes.values()):
            return f"No model changes significantly with {axis}. Largest: {wording.visible(model)}, {clause}."
        return f"Of {len(changes)} models, {wording.visible(model)} changes most with {axis}: {clause}."
    clauses = {
        model: _describe_change(axis, entries[model], entry, delta, metric) for model, (entry, delta) in changes.items()
    }
    if len(entries) == 1:
        (text,) = clauses.values()
    else:
        text = "; ".join(f"on {wording.visible(model)}, {clause}" for model, clause in clauses.items())
    return text[0].upper() + text[1:] + "."


def find_worst_value(axes: Mapping[str, Sequence[AxisEntry]], metric: Metric) -> tuple[str, AxisEntry] | None:
    """The axis value with the poorest figure among axes with several values; ``None`` if there is none."""
    sign = 1 if metric.higher_is_better else -1
    figures = [
        (sign * value, axis, entry)
        for axis, values in axes.items()
        for entry in values
        if len(values) > 1 and (value := entry.metrics[metric.name].value) is not None
    ]
    if not figures:
        return None
    _, axis, entry = min(figures, key=lambda figure: figure[0])
    return axis, entry


def _find_largest_change(values: Sequence[AxisEntry], metric: Metric) -> tuple[AxisEntry, Delta] | None:
    """The axis value that differs most from the reference, ``None`` if nothing can be compared."""
    compared = [(entry, delta) for entry in values if (delta := entry.deltas[metric.name])]
    return max(compared, key=lambda pair: abs(pair[1].value), default=None)


def _describe_change(axis: str, values: Sequence[AxisEntry], entry: AxisEntry, delta: Delta, metric: Metric) -> str:
    name = metric.name
    reference = find_reference([each.value for each in values])
    before = next(each for each in values if each.value == reference)
    first, value = format_axis_value(reference), format_axis_value(entry.value)
    if delta.value == 0 and not delta.is_significant:
        text = f"{name} is the same at every value of {axis}: no change {format_delta_interval(delta)}"
    elif not delta.is_significant:
        text = (
            f"{name} does not change significantly with {axis}; the largest change is {format_delta(delta)} at {value}"
        )
    else:
        verb = "rises" if delta.value > 0 else "falls"
        start, end = (format_number(each.metrics[name].value) for each in (before, entry))
        text = f"{name} {verb} from {start} at {axis} {first} to {end} at {value}: {format_delta(delta)}"
    if delta.pairs:
        text += f" over {wording.plural(delta.pairs, 'pair')}"
    missing = before.counts.unanswered + entry.counts.unanswered
    return text + (f" ({wording.count(missing)} unanswered)" if missing else "")
