"""The charts of axes as pictures, so that they can be written as files like those of figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_codereason.core import AxisValue
from pytest_codereason.reports.words.axis_sentences import describe_axis
from pytest_codereason.reports.words.formatting import format_axis_value, format_condition
from pytest_codereason.results.measures.summary import SuiteSummary, Summary
from pytest_codereason.results.pictures import Panel, Picture, Point

_STEP = 0.08  # between models at a word, so that their intervals stand side by side


def list_axis_pictures(summary: Summary) -> Iterator[Picture]:
    """A picture for each axis with several values of each suite, in each condition: ``semtrace-digits``."""
    for name, suite in summary.suites.items():
        sweeps = [sweep for model in suite.models.values() for sweep in model.shown_sweeps]
        for axis, where in dict.fromkeys((sweep.axis, tuple(sweep.where.items())) for sweep in sweeps):
            yield _show_axis(name, suite, axis, dict(where))


def _show_axis(name: str, suite: SuiteSummary, axis: str, where: Mapping[str, AxisValue]) -> Picture:
    sweeps = suite.find_sweeps(axis, where)
    asked = {entry.value for sweep in sweeps.values() for entry in sweep.asked}
    values = [value for value in suite.axes[axis] if value in asked]
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    is_numeric = len(numbers) == len(values)
    places = dict(zip(values, numbers if is_numeric else range(len(values)), strict=True))
    middle = (len(sweeps) - 1) / 2
    lines = {
        label: [
            Point.at(
                places[entry.value] + (0 if is_numeric else _STEP * (number - middle)),
                entry.metrics[suite.headline.name],
            )
            for entry in sweep.asked
            if entry.value in places
        ]
        for number, (label, sweep) in enumerate(sweeps.items())
    }
    of = format_condition(where)
    judged = suite.leave_out_unspoken(sweeps)
    return Picture(
        name="-".join(filter(None, [name, axis, *map(str, where.values())])).replace(" ", "-"),
        kind="axis",
        title=f"{suite.headline.title} by {axis}: {name}" + (f" ({of})" if of else ""),
        panels=[
            Panel(
                title=axis,
                x=axis,
                y=suite.headline.title,
                lines=lines,
                labels=() if is_numeric else [format_axis_value(value) for value in values],
            )
        ],
        of={"suite": name},
        sentence=describe_axis(axis, judged, suite.headline, suite.claims),
    )
