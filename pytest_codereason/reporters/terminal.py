"""The table at the end of a session: lines of text, each with its markup for pytest's terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pytest_codereason.results.frame import OUTCOMES, reference
from pytest_codereason.results.gates import partial_because
from pytest_codereason.text import wording as words

if TYPE_CHECKING:
    from pytest_codereason.results.gates import GateResult

Line = tuple[str, dict[str, bool]]

_ASCII = str.maketrans({"−": "-", "…": "~", "\xa0": " "})
_NO_BREAK = "\xa0"
_FIGURE = 20  # "0.812 [0.796, 0.827]"
_DELTA = 23  # "−0.101 [−0.162, −0.040]"
_RELATIVE = 9  # "−16.5 %", "undefined"
_LABEL = 22  # room for an axis and its value
_ROW = 2 + 1 + 9 + 2 + _FIGURE  # a row without its label


def lines(
    summary: Mapping[str, Any],
    run: Mapping[str, Any],
    gates: Sequence[GateResult],
    width: int = 80,
    *,
    ascii: bool = False,
) -> list[Line]:
    """The summary as lines of at most ``width`` (80 or more) characters.

    For each suite one row a model, its outcomes beneath, then one row an axis value with the difference to
    the value that changes nothing, or else comes first; notes and gates last. The markup names what pytest's
    ``TerminalWriter`` knows.
    """
    width = max(80, width)
    found: list[Line] = []
    for name, suite in summary["suites"].items():
        found += [(words.one_line(f"{name} ({suite['task']})", width), {"bold": True})]
        found += _models(suite, width)
        found += [line for model in suite["models"] for line in _axes(suite, model, width)]
        found += [("", {})]
    found += [line for told in _told(summary, width) for line in told]
    found += _notes(summary, run, width)
    for gate in gates:
        markup = {"green": True} if gate.passed else {"red": True, "bold": True}
        found += _wrapped(f"{'PASS' if gate.passed else 'FAIL'}  {words.visible(gate.sentence)}", width, markup)
    if found and not found[-1][0]:
        found.pop()
    return [(text.translate(_ASCII), markup) for text, markup in found] if ascii else found


def _models(suite: Mapping[str, Any], width: int) -> Iterator[Line]:
    headline, *others = (metric["name"] for metric in suite["metrics"])
    label = min(max(map(len, [*suite["models"], "model"])), width - _ROW)
    room = width - _ROW - label
    columns: list[str] = []
    for name in others:  # as many as fit; the rest stands in the line beneath
        if room >= (needed := max(9, len(name)) + 2):
            columns.append(name)
            room -= needed
    yield _row("model", label, None, f"{headline}, 95 % interval", *(f"{name:>9}" for name in columns)), {}
    for model, found in suite["models"].items():
        metrics, counts = found["metrics"], found["counts"]
        figures = [f"{words.number(metrics[name]['value']):>{max(9, len(name))}}" for name in columns]
        yield (
            _row(model, label, {**found, **metrics[headline]}, words.estimate(metrics[headline]), *figures),
            {"bold": True},
        )
        rest = [f"{name} {words.number(metrics[name]['value'])}" for name in others if name not in columns]
        rest += [f"{words.outcome(outcome)} {words.count(counts[outcome])}" for outcome in OUTCOMES if counts[outcome]]
        if not counts["records"]:
            rest = ["no records"]
        beneath = ", ".join(part.replace(" ", _NO_BREAK) for part in rest)
        yield from _wrapped(beneath, width, {"yellow": True} if counts["error"] else {}, indent=4)


def _axes(suite: Mapping[str, Any], model: str, width: int) -> Iterator[Line]:
    metric, *others = (metric["name"] for metric in suite["metrics"])
    axes = {axis: values for axis, values in suite["models"][model]["axes"].items() if len(values) > 1}
    if not axes:
        return
    fixed = _ROW + 2 + _DELTA
    relative = width - fixed >= 2 + _RELATIVE + _LABEL
    room = width - fixed - (2 + _RELATIVE) * relative
    columns: list[str] = []
    for name in others:  # as many as leave labels their room
        if relative and room >= _LABEL + (needed := max(9, len(name)) + 2):
            columns.append(name)
            room -= needed
    indent = max(map(len, axes)) + 2
    longest = max(len(words.axis_value(entry["value"])) for values in axes.values() for entry in values)
    beside = indent + longest <= room  # else the axis stands on a line of its own
    label = min(room, max((indent if beside else 2) + longest, len(model)))
    yield "", {}
    titles = [metric, "change".ljust(_DELTA), *["relative".ljust(_RELATIVE)] * relative]
    yield _row(model, label, None, *titles, *(f"{name:>9}" for name in columns)), {}
    for axis, values in axes.items():
        if not beside:
            yield f"  {_fit(axis, width - 2).rstrip()}", {}
        unchanged = reference([entry["value"] for entry in values])
        for i, entry in enumerate(values):
            found = entry["metrics"][metric]
            start = ("" if i else axis).ljust(indent) if beside else "  "
            cells = [words.estimate(found)]
            if entry["value"] == unchanged:
                cells += ["reference".ljust(_DELTA), *[" " * _RELATIVE] * relative]
            elif delta := found["delta"]:
                cells.append(f"{words.signed(delta['value'])} {words.signed_interval(delta)}".ljust(_DELTA))
                cells += [words.percent(delta["relative"]).ljust(_RELATIVE)] * relative
            else:
                cells += [" " * _DELTA, *[" " * _RELATIVE] * relative]
            cells += [f"{words.number(entry['metrics'][other]['value']):>{max(9, len(other))}}" for other in columns]
            name = start + _fit(words.axis_value(entry["value"]), label - len(start))
            yield _row(name, label, {**entry, **found}, *cells), {"yellow": True} if entry["counts"]["error"] else {}


def _told(summary: Mapping[str, Any], width: int) -> Iterator[Iterator[Line]]:
    """What the figures of the studies show, in a sentence each; a blank line ends them."""
    pictures = [picture for picture in summary.get("figures", ()) if picture["told"]]
    for picture in pictures:
        yield _wrapped(words.one_line(f"{picture['title']}. {picture['sentence']}", 600), width, {})
    if pictures:
        yield iter([("", {})])


def _row(name: str, label: int, found: Mapping[str, Any] | None, first: str, *cells: str) -> str:
    """One row; ``found`` gives the denominator and whether questions went unanswered (a star)."""
    n = "n " if found is None else words.count(found["n"]) + ("*" if found["counts"]["error"] else " ")
    return "  ".join([f"  {_fit(name, label)} {n:>9}", first.ljust(_FIGURE), *cells]).rstrip()


def _notes(summary: Mapping[str, Any], run: Mapping[str, Any], width: int) -> Iterator[Line]:
    if because := partial_because(run):
        yield from _wrapped(f"PARTIAL  {words.one_line(because, 400)}", width, {"yellow": True, "bold": True})
    for name, suite in summary["suites"].items():
        for model, found in suite["models"].items():
            if missing := words.unanswered(found["counts"]):
                why = ", ".join(words.one_line(reason) for reason, _ in found["reasons"].get("error", []))
                text = f"* {name}, {model}: {missing}, left out of every figure" + (f" ({why})" if why else "")
                yield from _wrapped(words.one_line(text, 400), width, {"yellow": True})
            if ran_away := words.collapsed(found["collapsed"]):
                text = f"{name}, {model}: {ran_away} answers ended in the same words over and over"
                yield from _wrapped(words.one_line(text, 400), width, {"yellow": True})
    if wrote := words.hints(run.get("hints", {})):
        yield from _wrapped(f"hints: {words.one_line(wrote, 400)}", width, {})
    if run.get("reused"):
        age = run.get("reused_oldest_s")
        old = "" if age is None else f", the oldest {words.duration(age)} old"
        yield from _wrapped(f"{words.plural(run['reused'], 'answer')} reused from the store{old}", width, {})
    damaged = summary["damaged"]
    if damaged["count"]:
        text = f"{words.plural(damaged['count'], 'damaged record')} left out, first: {damaged['lines'][0]}"
        yield from _wrapped(words.one_line(text, 400), width, {"yellow": True})


def _fit(text: str, width: int) -> str:
    """``text`` in exactly ``width`` characters; a long one loses its middle."""
    text = words.visible(text)
    if len(text) <= width:
        return text.ljust(width)
    tail = (width - 1) // 2
    return f"{text[: width - 1 - tail]}…{text[len(text) - tail :]}"


def _wrapped(text: str, width: int, markup: dict[str, bool], indent: int = 0) -> Iterator[Line]:
    first, later = " " * indent, " " * (indent or 6)
    for line in textwrap.wrap(text, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False):
        yield line.replace(_NO_BREAK, " "), markup
