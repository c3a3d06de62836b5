"""Sentences about the values of an axis: what a chart shows, and where a model is weakest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pytest_codereason.core import Metric
from pytest_codereason.reporters.formatting import (
    format_axis_value,
    format_delta,
    format_estimate,
    format_number,
    format_percent,
    format_unanswered,
)
from pytest_codereason.results.axes import find_reference
from pytest_codereason.results.claims import describe_too_few, select_clear
from pytest_codereason.results.summary import AxisEntry, AxisSweep, Headline, ModelSummary
from pytest_codereason.results.values import Delta, Undefined, Why
from pytest_codereason.statistics.chance import find_clear
from pytest_codereason.text import wording

_MODELS_NAMED = 2  # more clauses than this make no sentence


def describe_axis(axis: str, sweeps: Mapping[str, AxisSweep], metric: Metric) -> str:
    """How the headline ``metric`` changes along ``axis``: the largest clear change of each model.

    ``sweeps`` maps a model to its values of the axis. All changes of all models are judged together, and with them the
    course of each model over all values, so that nothing is called clear only because much was looked at. Where no
    single change is clear, a course still can be.
    """
    entries = {model: sweep.entries for model, sweep in sweeps.items()}
    changes = [
        ((model, entry), delta)
        for model, values in entries.items()
        for entry in values
        if (delta := entry.deltas[metric.name])
    ]
    if all(entry.deltas[metric.name] == Undefined(Why.POOLED) for values in entries.values() for entry in values):
        return f"{metric.title}: each value of {axis} is compared with the unchanged program by itself."
    if not changes:
        return f"There is nothing to compare along {axis}: no two values have scored answers."
    among = f"{len(changes)} changes looked at together" if len(changes) > 1 else "1 change"
    missing = sum(entry.counts.unanswered for values in entries.values() for entry in values)
    note = f" ({wording.count(missing)} unanswered)" if missing else ""
    p_values = [sweep.p for sweep in sweeps.values()]
    clear = select_clear(changes, beside=p_values)
    if not clear:
        if not any(delta.value for _, delta in changes):
            return f"{_describe_sameness(axis, entries.values(), metric)}{note}."
        courses = find_clear([*p_values, *(delta.p for _, delta in changes)])
        varying = [wording.visible(model) for model, is_clear in zip(sweeps, courses, strict=False) if is_clear]
        if varying:
            on = f"On {' and '.join(varying)}, {metric.name}" if len(sweeps) > 1 else wording.capitalise(metric.name)
            return f"{on} changes clearly with {axis}, but no single change is clear ({among}){note}."
        few = describe_too_few([delta for _, delta in changes], len(changes) + sum(p is not None for p in p_values))
        unclear = f"{wording.capitalise(metric.name)} does not change clearly with {axis} ({among}){note}."
        return f"{unclear} {few}" if few else unclear
    largest: dict[str, tuple[AxisEntry, Delta]] = {}
    for (model, entry), delta in clear:
        if model not in largest or abs(delta.value) > abs(largest[model][1].value):
            largest[model] = entry, delta
    if len(largest) > _MODELS_NAMED:
        name = wording.capitalise(metric.name)
        return f"{name} changes clearly with {axis} on {len(largest)} of {len(entries)} models{note}."
    clauses = {
        model: _describe_change(axis, entries[model], entry, delta, metric) for model, (entry, delta) in largest.items()
    }
    if len(entries) == 1:
        (text,) = clauses.values()
    else:
        text = "; ".join(f"on {wording.visible(model)}, {clause}" for model, clause in clauses.items())
    return f"{wording.capitalise(text)}{' (largest clear change)' if len(changes) > 1 else ''}{note}."


def _describe_sameness(axis: str, courses: Iterable[Sequence[AxisEntry]], metric: Metric) -> str:
    """What can be said where no change differs from zero: changes are of the programs that two values share."""
    name, courses = wording.capitalise(metric.name), list(courses)
    shown = [{estimate.value for entry in course if (estimate := entry.metrics[metric.name])} for course in courses]
    if all(values == {0.0} for values in shown):
        return f"{name} is 0 at every value of {axis}, so nothing can fall"
    if all(len(values) == 1 for values in shown):
        return f"{name} is the same at every value of {axis}"
    return f"{name} does not change over the programs that values of {axis} share; a value of its own may have others"


def find_weakest(sweeps: Sequence[AxisSweep], metric: Metric) -> tuple[AxisSweep, AxisEntry, Delta] | None:
    """The axis value with the largest change for the worse that is clear of chance; ``None`` if there is none.

    All changes along all axes are judged together.
    """
    sign = 1 if metric.higher_is_better else -1
    changes = [((sweep, entry), entry.deltas[metric.name]) for sweep in sweeps for entry in sweep.entries]
    worse = [(sweep, entry, delta) for (sweep, entry), delta in select_clear(changes) if sign * delta.value < 0]
    return min(worse, key=lambda each: sign * each[2].value, default=None)


def describe_weakest(model: ModelSummary, headline: Headline, metric: Metric) -> str:
    """The largest clear change for the worse among the axes that this headline is the plain point of.

    Example: ``level 8: 0.125 [0.052, 0.272] (−83.3 %)``. Empty if the headline is no point of an axis.
    """
    sweeps = [sweep for sweep in model.shown_sweeps if sweep.where.items() <= headline.where.items()]
    if not sweeps:
        return ""
    worst = find_weakest(sweeps, metric)
    if worst is None:
        return "none is clear"
    sweep, entry, delta = worst
    text = f"{sweep.axis} {format_axis_value(entry.value)}: {format_estimate(entry.metrics[metric.name])}"
    missing = format_unanswered(entry.counts)
    return f"{text} ({format_percent(delta.relative)})" + (f", {missing}" if missing else "")


def _describe_change(axis: str, values: Sequence[AxisEntry], entry: AxisEntry, delta: Delta, metric: Metric) -> str:
    name = metric.name
    reference = find_reference([each.value for each in values])
    before = next(each for each in values if each.value == reference)
    first, value = format_axis_value(reference), format_axis_value(entry.value)
    verb = "rises" if delta.value > 0 else "falls"
    start, end = (format_number(each.metrics[name].value) for each in (before, entry))
    text = f"{name} {verb} from {start} at {axis} {first} to {end} at {value}: {format_delta(delta)}"
    return text + (f" over {wording.plural(delta.pairs, 'pair')}" if delta.pairs else "")
