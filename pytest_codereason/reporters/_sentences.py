"""What the figures along an axis say, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_codereason.results.frame import reference
from pytest_codereason.text import wording as words

Entry = Mapping[str, Any]  #: one axis value of one model, as ``summary.json`` has it

_MODELS_NAMED = 2  # more clauses than this make no sentence


def along(axis: str, entries: Mapping[str, Sequence[Entry]], metric: Mapping[str, Any]) -> str:
    """How the headline goes along ``axis``: for each model its largest change against the reference.

    ``entries`` maps a model to its axis values in the suite's order. With more than two models only the
    one that changes most is named.
    """
    changes = {model: found for model, values in entries.items() if (found := largest(values, metric["name"]))}
    if not changes:
        return f"There is nothing to compare along {axis}: no two values have scored answers."
    if len(changes) > _MODELS_NAMED:
        model = max(changes, key=lambda m: abs(_delta(changes[m], metric)["value"]))
        opening = f"Of {len(changes)} models, {words.visible(model)} changes most with {axis}: "
        return opening + _clause(axis, entries[model], changes[model], metric) + "."
    clauses = [(model, _clause(axis, entries[model], found, metric)) for model, found in changes.items()]
    if len(entries) == 1:
        text = clauses[0][1]
    else:
        text = "; ".join(f"on {words.visible(model)}, {clause}" for model, clause in clauses)
    return text[0].upper() + text[1:] + "."


def largest(values: Sequence[Entry], metric: str) -> Entry | None:
    """The axis value that differs most from the reference, ``None`` where nothing can be compared."""
    compared = [entry for entry in values if entry["metrics"][metric]["delta"]]
    return max(compared, key=lambda entry: abs(entry["metrics"][metric]["delta"]["value"]), default=None)


def worst(axes: Mapping[str, Sequence[Entry]], metric: Mapping[str, Any]) -> tuple[str, Entry] | None:
    """The axis value with the poorest figure, among axes with several; ``None`` where there is none."""
    sign = 1 if metric["higher_is_better"] else -1
    found = [
        (axis, entry)
        for axis, values in axes.items()
        for entry in values
        if len(values) > 1 and entry["metrics"][metric["name"]]["value"] is not None
    ]
    return min(found, key=lambda pair: sign * pair[1]["metrics"][metric["name"]]["value"], default=None)


def _delta(entry: Entry, metric: Mapping[str, Any]) -> Mapping[str, Any]:
    delta: Mapping[str, Any] = entry["metrics"][metric["name"]]["delta"]
    return delta


def _clause(axis: str, values: Sequence[Entry], entry: Entry, metric: Mapping[str, Any]) -> str:
    name, delta = metric["name"], _delta(entry, metric)
    unchanged = reference([e["value"] for e in values])
    before = next(e for e in values if e["value"] == unchanged)
    first, value = words.axis_value(unchanged), words.axis_value(entry["value"])
    if delta["value"] == 0 and not words.clear(delta):
        text = f"{name} is the same at every value of {axis}: no change {words.signed_interval(delta)}"
    elif not words.clear(delta):
        text = f"{name} shows no clear change with {axis}: the largest is {words.change(delta)} at {value}"
    else:
        verb = "rises" if delta["value"] > 0 else "falls"
        start, end = (words.number(e["metrics"][name]["value"]) for e in (before, entry))
        text = f"{name} {verb} from {start} at {axis} {first} to {end} at {value}: {words.change(delta)}"
    if delta["pairs"]:
        text += f" over {words.plural(delta['pairs'], 'pair')}"
    missing = sum(e["counts"]["error"] for e in (before, entry))
    return text + (f" ({words.count(missing)} unanswered)" if missing else "")
