"""Charts as SVG to stand inside a page: its fonts, its colours, its dark mode."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from importlib import import_module
from typing import Any

from pytest_codereason.core import AxisValue
from pytest_codereason.reports.words.formatting import format_axis_value
from pytest_codereason.results.pictures import Panel, Point, PublishedLine
from pytest_codereason.results.values import Estimate

#: Colours are drawn as these and then replaced, so that the page's style sheet decides.
VARIABLES = {
    "#00000a": "var(--ink)",
    "#00000b": "var(--muted)",
    "#00000c": "var(--line)",
    "#000010": "var(--series-1)",
    "#000011": "var(--series-2)",
    "#000012": "var(--series-3)",
    "#000013": "var(--series-4)",
    "#000014": "var(--series-5)",
    "#000015": "var(--series-6)",
    "#000016": "var(--series-7)",
    "#000017": "var(--series-8)",
}
_INK, _MUTED, _LINE, *_SERIES = VARIABLES
_MARKERS = "os^DvP*X"
_DASHES: Sequence[Any] = (
    "-",
    (0, (5, 2)),
    (0, (1, 1.6)),
    (0, (5, 2, 1, 2)),
    (0, (8, 3)),
    (0, (3, 3)),
    (0, (9, 2, 2, 2)),
    (0, (2, 2)),
)
_STACK = 0.022  # between answers at one place
_LETTERS = 46  # that stand beneath an axis side by side
_WIDTH = 4.7  # inches of 72 units: as wide as a phone, so that letters keep their size there

GLYPHS = "●■▲◆▼✚★✖"  #: the markers as text, for legends
PUBLISHED_GLYPHS = "○□△◇▽✚☆✖"  #: the same, hollow: figures that a run has not measured
COLOURS = len(_SERIES)

Estimates = Sequence[Estimate]


def can_draw() -> bool:
    """Whether matplotlib is installed, so that charts can be drawn."""
    try:
        import_module("matplotlib.figure")
    except ImportError:
        return False
    return True


def choose_colour(place: int) -> int:
    """The number of the colour of a model, from 0. Where markers come round again, each has another colour."""
    return (place + place // COLOURS) % COLOURS


def draw_axis(
    values: Sequence[AxisValue], models: Mapping[str, Estimates], *, name: str, title: str, description: str
) -> str:
    """An ``<svg>`` of estimates (with intervals) of each model along the ``values`` of an axis.

    ``models`` maps a label to one estimate a value. Numbers stand on a horizontal axis and are joined by a
    line; other values are listed downwards. ``name`` makes ids unique within a page; ``title`` and
    ``description`` are what a screen reader says.
    """
    numeric = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
    height = 2.7 if numeric else 0.75 + len(values) * max(0.42, 0.2 * len(models) + 0.14)
    labels = [format_axis_value(value) for value in values]
    draw = _draw_upright if numeric else _draw_flat
    return _render_svg(height, lambda axes: draw(axes, labels, models), name=name, title=title, description=description)


def has_points(panel: Panel) -> bool:
    """Whether a panel has anything to draw: any point of it is defined."""
    return any(point.value is not None for point in _list_points([panel]))


def draw_panel(
    panel: Panel,
    *,
    limits: tuple[float, float],
    looks: Mapping[str, int],
    name: str,
    description: str,
    published: Mapping[str, Sequence[PublishedLine]],
) -> str:
    """An ``<svg>`` of one panel of a picture (see :class:`~pytest_codereason.results.pictures.Panel`).

    ``limits`` bound the vertical axis, ``looks`` gives each label its place among colours and markers. ``published``
    holds lines of papers by model, for every panel of the picture: dashed and hollow, in the colour of no model.
    """
    return _render_svg(
        find_height(panel),
        lambda axes: paint_panel(axes, panel, limits=limits, looks=looks, published=published),
        name=name,
        title=panel.title,
        description=description,
    )


def find_height(panel: Panel) -> float:
    """How high a panel is drawn, in inches: long words beneath it stand upright."""
    return 3.0 + _is_crowded(panel) * 0.07 * max((len(_clip_label(label)) for label in panel.labels), default=0)


def _is_crowded(panel: Panel) -> bool:
    return sum(len(_clip_label(label)) + 2 for label in panel.labels) > _LETTERS


def paint_panel(
    axes: Any,
    panel: Panel,
    *,
    limits: tuple[float, float],
    looks: Mapping[str, int],
    published: Mapping[str, Sequence[PublishedLine]],
) -> None:
    """Draws a panel on axes of matplotlib, as :func:`draw_panel` does."""
    zero = _find_zero(panel) if panel.log else 0.0
    if panel.log:
        panel = _spread_zero(panel, zero)
        axes.set_xscale("log", base=2)
    for place, (label, answers) in enumerate(panel.answers.items()):
        _draw_answers(axes, answers, _choose_look(looks[label])["color"], place)
    for label, points in panel.curves.items():
        colour = _choose_look(looks[label])["color"]
        xs = [point.x for point in points]
        if points:
            axes.fill_between(
                xs, [point.low for point in points], [point.high for point in points], color=colour, alpha=0.16
            )
            axes.plot(xs, [point.value for point in points], color=colour, linewidth=1.6)
    offsets = _spread_offsets(len(panel.lines), 0.14) if panel.labels else [0.0] * len(panel.lines)
    for offset, (label, points) in zip(offsets, panel.lines.items(), strict=True):
        beside = [replace(point, x=point.x + offset) for point in points]
        _draw_line(axes, beside, looks[label], joined=not (panel.curves.get(label) or panel.labels))
    axes.set_ylim(*limits)
    xs = [point.x for points in panel.lines.values() for point in points]
    for place, lines in enumerate(published.values()):
        for line in lines:
            if line.panel == panel.title:
                _draw_published(axes, line, place, xs)
                xs += [x for x, _ in line.points]
    if panel.labels:
        labels = [_clip_label(label) for label in panel.labels]
        axes.set_xlim(-0.5, len(labels) - 0.5)
        turned = {"rotation": 60, "ha": "right", "rotation_mode": "anchor"} if _is_crowded(panel) else {}
        axes.set_xticks(range(len(labels)), labels, **turned)
    elif panel.log:
        _mark_octaves(axes, xs, zero)
    else:
        axes.set_xlim(*_widen(min(xs, default=0), max(xs, default=1)))
    axes.set_xlabel(panel.x, color=_MUTED)
    axes.grid(axis="y", color=_LINE, linewidth=0.8)
    axes.set_axisbelow(True)


def _find_zero(panel: Panel) -> float:
    """Where 0 stands on an axis that doubles: at half of the first place above it."""
    return min((point.x for points in panel.lines.values() for point in points if point.x > 0), default=1.0) / 2


def _spread_zero(panel: Panel, zero: float) -> Panel:
    """A panel whose places can be drawn on an axis that doubles."""
    return replace(
        panel,
        lines={label: [replace(point, x=point.x or zero) for point in points] for label, points in panel.lines.items()},
        answers={
            label: [(place or zero, right, wrong) for place, right, wrong in answers]
            for label, answers in panel.answers.items()
        },
    )


def _mark_octaves(axes: Any, xs: Sequence[float], zero: float) -> None:
    """Marks some of the octaves. What stands at ``zero`` is 0."""
    low, high = min(xs, default=1.0), max(xs, default=2.0)
    marks = [2.0**k for k in range(20) if max(low, 1.5 * zero) <= 2.0**k <= high]
    marks = [*([zero] if low == zero else []), *marks[:: max(1, len(marks) // 6)]]
    axes.set_xticks(marks, ["0" if mark == zero else f"{mark:,.0f}" for mark in marks])
    axes.minorticks_off()
    axes.set_xlim(low / 1.3, high * 1.3)


def _draw_answers(axes: Any, answers: Sequence[tuple[float, float, float]], colour: str, place: int) -> None:
    """Every answer as a point: right ones hang from the top, wrong ones stand on the bottom."""
    xs, ys = [], []
    for x, right, wrong in answers:
        beside = x * 2 ** (0.12 * place)
        ys += [*(1 - _STACK * k for k in range(round(right))), *(_STACK * k for k in range(round(wrong)))]
        xs += [beside] * (round(right) + round(wrong))
    axes.plot(xs, ys, linestyle="none", marker="o", markersize=2.6, color=colour, alpha=0.55)


def choose_sample(place: int, *, published: bool = False) -> dict[str, Any]:
    """How a legend shows the line at this place: colour, marker and dashes, as keywords of matplotlib."""
    if published:
        hollow = {"color": _MUTED, "markerfacecolor": "none", "linestyle": _DASHES[1 + place % (COLOURS - 1)]}
        return {**hollow, "marker": _MARKERS[place % COLOURS]}
    look = _choose_look(place)
    return {"color": look["color"], "marker": look["fmt"], "linestyle": _DASHES[place % COLOURS]}


def finish_axes(axes: Any) -> None:
    """Gives axes the colours of the page and no frame."""
    axes.tick_params(colors=_MUTED, length=0, pad=6, labelcolor=_INK)
    axes.spines[:].set_visible(False)


def _draw_line(axes: Any, points: Sequence[Point], place: int, *, joined: bool) -> None:
    known = [(point.x, point.value, point.low, point.high) for point in points if point.value is not None]
    if not known:
        return
    look = _choose_look(place)
    xs, ys = [x for x, *_ in known], [y for _, y, *_ in known]
    below = [_reach(low, y) for _, y, low, _ in known]
    above = [_reach(y, high) for _, y, _, high in known]
    if joined:
        axes.plot(xs, ys, linestyle=_DASHES[place % COLOURS], linewidth=1.6, color=look["color"])
    axes.errorbar(xs, ys, yerr=[below, above], **{**look, "markersize": 5, "elinewidth": 1.4})


def _draw_published(axes: Any, line: PublishedLine, place: int, xs: Sequence[float]) -> None:
    """A dashed line with hollow markers; a level reaches over the whole panel."""
    ends = (min(xs, default=0.0), max(xs, default=1.0))
    points = [(x, line.level) for x in ends] if line.level is not None else line.points
    axes.plot(
        [x for x, _ in points],
        [y for _, y in points],
        linestyle=_DASHES[1 + place % (COLOURS - 1)],
        linewidth=1.2,
        color=_MUTED,
        marker=_MARKERS[place % COLOURS],
        markersize=6,
        markerfacecolor="none",
    )


def _reach(low: float | None, high: float | None) -> float:
    """How far an interval reaches from ``low`` to ``high``; 0 where an end is undefined."""
    return 0.0 if low is None or high is None else max(0.0, high - low)


def find_limits(panels: Sequence[Panel], published: Sequence[PublishedLine]) -> tuple[float, float]:
    """The ends of the vertical axis that all panels of a picture share, with the lines of papers."""
    ends = [end for point in _list_points(panels) for end in (point.value, point.low, point.high)]
    ends += [y for line in published for y in (line.level, *(y for _, y in line.points))]
    known = [end for end in ends if end is not None]
    bottom, top = (-10.0, 5.0) if any(panel.percent for panel in panels) else (0.0, 1.0)
    return _widen(min([bottom, *known]), max([top, *known]))


def group_by_model(lines: Iterable[PublishedLine]) -> dict[str, list[PublishedLine]]:
    """The lines of papers by model, as :func:`draw_panel` and :func:`paint_panel` take them."""
    groups: dict[str, list[PublishedLine]] = {}
    for line in lines:
        groups.setdefault(line.model, []).append(line)
    return groups


def _list_points(panels: Sequence[Panel]) -> list[Point]:
    return [
        point for panel in panels for lines in (panel.lines, panel.curves) for line in lines.values() for point in line
    ]


def _widen(low: float, high: float) -> tuple[float, float]:
    """Limits with a little room at both ends."""
    margin = 0.03 * (high - low or 1)
    return low - margin, high + margin


def _render_svg(height: float, draw: Callable[[Any], None], *, name: str, title: str, description: str) -> str:
    import matplotlib
    from matplotlib.figure import Figure

    # Text stays text, ids stay the same in every process, and a dollar sign in a value starts no formula.
    with matplotlib.rc_context(
        {"svg.fonttype": "none", "svg.hashsalt": name, "font.size": 12, "text.parse_math": False}
    ):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        draw(axes)
        finish_axes(axes)
        page = io.StringIO()
        unstamped = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(page, format="svg", transparent=True, metadata=unstamped)
    return _adapt_to_page(page.getvalue(), name, title, description)


def _draw_upright(axes: Any, labels: Sequence[str], models: Mapping[str, Estimates]) -> None:
    for i, (offset, estimates) in enumerate(zip(_spread_offsets(len(models), 0.08), models.values(), strict=True)):
        places, centres, below, above = _locate_estimates(estimates, offset)
        look = _choose_look(i)
        axes.plot(places, centres, linestyle=_DASHES[i % COLOURS], linewidth=1.6, color=look["color"])
        axes.errorbar(places, centres, yerr=[below, above], **look)
    axes.set_xticks(range(len(labels)), labels)
    axes.set_xlim(-0.4, len(labels) - 0.6)
    axes.set_ylim(*_find_axis_limits(models))
    axes.grid(axis="y", color=_LINE, linewidth=0.8)
    axes.set_axisbelow(True)


def _draw_flat(axes: Any, labels: Sequence[str], models: Mapping[str, Estimates]) -> None:
    for i, (offset, estimates) in enumerate(zip(_spread_offsets(len(models), 0.22), models.values(), strict=True)):
        places, centres, below, above = _locate_estimates(estimates, offset)
        axes.errorbar(centres, places, xerr=[below, above], **_choose_look(i))
    axes.set_yticks(range(len(labels)), list(map(_clip_label, labels)))
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlim(*_find_axis_limits(models))
    axes.grid(axis="x", color=_LINE, linewidth=0.8)
    axes.set_axisbelow(True)


def _clip_label(label: str) -> str:
    return label if len(label) <= 22 else f"{label[:21]}…"


def _choose_look(i: int) -> dict[str, Any]:
    return {
        "fmt": _MARKERS[i % COLOURS],
        "color": _SERIES[choose_colour(i)],
        "markersize": 6.5,
        "elinewidth": 2.2,
        "capsize": 0,
    }


def _spread_offsets(models: int, step: float) -> list[float]:
    """Where each model stands beside an axis value, so that intervals do not cover each other."""
    step = min(step, 0.7 / max(models, 1))
    return [(i - (models - 1) / 2) * step for i in range(models)]


def _locate_estimates(estimates: Estimates, offset: float) -> tuple[list[float], list[float], list[float], list[float]]:
    """Places, values, and how far each interval reaches below and above; undefined estimates are left out."""
    known = [
        (i + offset, estimate.value, estimate.low, estimate.high)
        for i, estimate in enumerate(estimates)
        if estimate.value is not None
    ]
    return (
        [place for place, *_ in known],
        [value for _, value, *_ in known],
        [_reach(low, value) for _, value, low, _ in known],
        [_reach(value, high) for _, value, _, high in known],
    )


def _find_axis_limits(models: Mapping[str, Estimates]) -> tuple[float, float]:
    """Shares are drawn from 0 to 1, so that charts can be compared; other figures as far as they go."""
    ends = [end for estimates in models.values() for each in estimates for end in (each.value, each.low, each.high)]
    known = [0.0, 1.0, *(end for end in ends if end is not None)]
    return _widen(min(known), max(known))


def _adapt_to_page(page: str, name: str, title: str, description: str) -> str:
    svg = page[page.index("<svg") :]
    # The family is the page's; versions of matplotlib write it in one property or in two.
    svg = re.sub(r"\bfont: [^;\"]*?(\d+(?:\.\d+)?px)[^;\"]*", r"font-size: \1", svg)
    svg = re.sub(r"\bfont-family: [^;\"]*;? ?", "", svg)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\1{name}-", svg)
    for colour, variable in VARIABLES.items():
        svg = svg.replace(colour, variable)
    opening = svg.index(">") + 1
    head = re.sub(r' (?:width|height|version|xmlns(?::xlink)?)="[^"]*"', "", svg[: opening - 1])
    spoken = f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
    return f'{head} role="img" aria-labelledby="{name}-title {name}-desc">{spoken}{svg[opening:].strip()}'
