"""Sentences about the values of an axis: what a chart shows, and where a model is weakest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pytest_codereason.core import Metric
from pytest_codereason.core.display import visible
from pytest_codereason.core.text import wording
from pytest_codereason.reports.words.formatting import (
    describe_truncated,
    format_axis_value,
    format_change_bounds,
    format_difference,
    format_estimate,
    format_number,
    format_percent,
    format_unanswered,
)
from pytest_codereason.results.measures.claims import Claim, Reach, SuiteClaims
from pytest_codereason.results.measures.summary import AxisEntry, AxisSweep, Headline, SuiteSummary
from pytest_codereason.results.records.axes import find_reference
from pytest_codereason.results.values import Delta, Undefined, Why

_MODELS_NAMED = 2  # more clauses than this make no sentence


def describe_axis(axis: str, sweeps: Mapping[str, AxisSweep], metric: Metric, claims: SuiteClaims) -> str:
    """How the headline ``metric`` changes along ``axis``: the largest clear change of each model.

    ``sweeps`` maps a model to its values of the axis. ``claims`` says what is clear: all changes along all axes of the
    suite are judged together, and with them the course of each model over all values. So nothing is called clear only
    because much was looked at. Where no single change is clear, a course still can be.
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
    missing = sum(entry.counts.unanswered for values in entries.values() for entry in values)
    note = f" ({wording.count(missing)} unanswered)" if missing else ""
    clear = [
        ((model, entry), delta)
        for (model, entry), delta in changes
        if Claim.about(model, axis, sweeps[model].where, entry.value) in claims.clear
    ]
    if not clear:
        return _describe_unclear(axis, sweeps, metric, [delta for _, delta in changes], claims, note)
    largest: dict[str, tuple[AxisEntry, Delta]] = {}
    for (model, entry), delta in clear:
        if model not in largest or abs(delta.value) > abs(largest[model][1].value):
            largest[model] = entry, delta
    if len(largest) > _MODELS_NAMED:
        name = wording.capitalise(metric.name)
        doubtful = sum(delta.may_vanish for _, delta in largest.values())
        doubt = f" Truncated answers alone may make the change on {doubtful} of them." if doubtful else ""
        return f"{name} changes clearly with {axis} on {len(largest)} of {len(entries)} models{note}.{doubt}"
    clauses = {
        model: _describe_change(axis, entries[model], entry, delta, metric) for model, (entry, delta) in largest.items()
    }
    if len(entries) == 1:
        (text,) = clauses.values()
    else:
        text = "; ".join(f"on {visible(model)}, {clause}" for model, clause in clauses.items())
    sentence = f"{wording.capitalise(text)}{' (largest clear change)' if claims.changes > 1 else ''}{note}."
    of = {model: f" on {visible(model)}" if len(entries) > 1 else "" for model in largest}
    truncated = [describe_truncated(delta.bounds, of[model]) for model, (_, delta) in largest.items()]
    return " ".join(filter(None, (sentence, *truncated)))


def _describe_unclear(
    axis: str,
    sweeps: Mapping[str, AxisSweep],
    metric: Metric,
    changes: Sequence[Delta],
    claims: SuiteClaims,
    note: str,
) -> str:
    """What can be said where no single change is clear: whether a course is, and whether the programs are too few."""
    if not any(delta.value for delta in changes):
        return f"{_describe_sameness(axis, [sweep.entries for sweep in sweeps.values()], metric)}{note}."
    among = claims.among
    varying = [visible(model) for model, sweep in sweeps.items() if _has_clear_course(model, sweep, claims)]
    if varying:
        on = f"On {' and '.join(varying)}, {metric.name}" if len(sweeps) > 1 else wording.capitalise(metric.name)
        return f"{on} changes clearly with {axis}, but no single change is clear ({among}){note}."
    denial = f"{wording.capitalise(metric.name)} does not change clearly with {axis}"
    reach = Reach.of_changes(changes, claims.still_open)
    return reach.deny(denial, f"{metric.name} changes with {axis}", f"{among}{note.replace(' (', ', ').rstrip(')')}")


def _has_clear_course(model: str, sweep: AxisSweep, claims: SuiteClaims) -> bool:
    return Claim.about(model, sweep.axis, sweep.where) in claims.clear


def _describe_sameness(axis: str, courses: Iterable[Sequence[AxisEntry]], metric: Metric) -> str:
    """What can be said where no change differs from zero: changes are of the programs that two values share."""
    name, courses = wording.capitalise(metric.name), list(courses)
    shown = [{estimate.value for entry in course if (estimate := entry.metrics[metric.name])} for course in courses]
    if all(values == {0.0} for values in shown):
        return f"{name} is 0 at every value of {axis}, so nothing can fall"
    if all(len(values) == 1 for values in shown):
        return f"{name} is the same at every value of {axis}"
    return f"{name} does not change over the programs that values of {axis} share; a value of its own may have others"


def find_weakest(
    label: str, sweeps: Sequence[AxisSweep], metric: Metric, claims: SuiteClaims
) -> tuple[AxisSweep, AxisEntry, Delta] | None:
    """The axis value with the largest change of a model for the worse that is clear; ``None`` if there is none."""
    sign = 1 if metric.higher_is_better else -1
    worse = [
        (sweep, entry, delta)
        for sweep in sweeps
        for entry in sweep.entries
        if (delta := entry.deltas[metric.name])
        and sign * delta.value < 0
        and Claim.about(label, sweep.axis, sweep.where, entry.value) in claims.clear
    ]
    return min(worse, key=lambda each: sign * each[2].value, default=None)


def describe_weakest(label: str, headline: Headline, suite: SuiteSummary) -> str:
    """The largest clear change of a model for the worse among the axes that this headline is the plain point of.

    Example: ``level 8: 0.125 [0.052, 0.272] (−83.3 %)``. ``changes with level, no single value is clear`` if only the
    course is clear, ``5 programs are too few to tell: it takes at least 7`` if nothing could be. Empty if the headline
    is no point of an axis, and for a scale.
    """
    metric, claims = suite.headline, suite.claims
    shown = suite.models[label].shown_sweeps
    sweeps = [sweep for sweep in shown if sweep.where.items() <= headline.where.items()]
    if not sweeps or suite.models[label].unspoken:
        return ""
    worst = find_weakest(label, sweeps, metric, claims)
    if worst is None:
        courses = [sweep.axis for sweep in sweeps if _has_clear_course(label, sweep, claims)]
        if courses:
            return f"changes with {' and '.join(courses)}, no single value is clear"
        changes = [delta for sweep in sweeps for entry in sweep.entries if (delta := entry.deltas[metric.name])]
        return Reach.of_changes(changes, claims.still_open).deny("none is clear").rstrip(".")
    sweep, entry, delta = worst
    text = f"{sweep.axis} {format_axis_value(entry.value)}: {format_estimate(entry.metrics[metric.name])}"
    parts = [f"{text} ({format_percent(delta.relative)})", format_change_bounds(delta, "relative")]
    parts += ["not certain"] if delta.may_vanish else []
    return ", ".join(filter(None, (*parts, format_unanswered(entry.counts))))


def _describe_change(axis: str, values: Sequence[AxisEntry], entry: AxisEntry, delta: Delta, metric: Metric) -> str:
    name = metric.name
    reference = find_reference([each.value for each in values])
    before = next(each for each in values if each.value == reference)
    first, value = format_axis_value(reference), format_axis_value(entry.value)
    verb = "rises" if delta.value > 0 else "falls"
    start, end = (format_number(each.metrics[name].value) for each in (before, entry))
    change = f"{format_difference(delta)}, {format_percent(delta.relative)}{'' if delta.pairs else ', unpaired'}"
    text = f"{name} {verb} from {start} at {axis} {first} to {end} at {value}: {change}"
    return text + (f" over {wording.plural(delta.pairs, 'pair')}" if delta.pairs else "")
