"""Charts as files of their own, SVG, PDF or PNG, with a title, a legend and the colours of the page in daylight."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from textwrap import wrap
from typing import Any

from pytest_codereason.errors import UsageError, describe_file_error
from pytest_codereason.reports.charts import charts
from pytest_codereason.results.pictures import Panel, Picture

#: The ends of file names that say the form of a chart.
SUFFIXES = (".svg", ".pdf", ".png")
#: What stands for each colour of the page, see ``page.css``.
_COLOURS = {
    **{"var(--ink)": "#1d2129", "var(--muted)": "#5c6470", "var(--line)": "#e2e0da"},
    **{"var(--series-1)": "#0f6b8f", "var(--series-2)": "#b8501a", "var(--series-3)": "#5f7a1e"},
    **{"var(--series-4)": "#8a4fa3", "var(--series-5)": "#96700a", "var(--series-6)": "#4c5a9e"},
    **{"var(--series-7)": "#b02f62", "var(--series-8)": "#4d5a63"},
}
#: What artists of matplotlib may have a colour of.
_COLOURED = ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor")
_WIDTH, _SIDE_BY_SIDE = 5.0, 3  # inches of a panel; panels in a row
_MARKS = 10  # numbers that have room beneath a panel
_HEADING, _LEGEND_ROW = 0.45, 0.26  # inches
_LETTERS = 80  # of a title above one panel
#: A chart of a given width: points of its letters, millimetres that a panel needs, and how flat it may become.
_SMALL, _LEAST_WIDTH, _LEAST_SCALE, _INCH = 8, 60.0, 0.75, 25.4


def check_chart_file(path: Path) -> None:
    """Checks that a chart can be written into this file, before it is drawn.

    Raises:
        UsageError: the end of the name says no form, or matplotlib is not installed.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(
            f"-o {path}: the name ends with none of {', '.join(SUFFIXES)}, which say the form of the chart"
        )
    if not charts.can_draw():
        raise UsageError(
            "charts are drawn by matplotlib, which is not installed: pip install 'pytest-codereason[report]'"
        )


def write_chart(picture: Picture, path: Path, width: float | None = None) -> None:
    """Writes all panels of a picture into one file. The same picture gives the same bytes.

    Args:
        width: of the chart in millimetres, such as that of a column of a paper; letters then have eight points. By
            default each panel is five inches wide.

    Raises:
        UsageError: the file cannot be written.
    """
    import matplotlib

    # Letters stay letters in PDF and SVG, and a dollar sign in a name starts no formula.
    letters = {"svg.fonttype": "none", "pdf.fonttype": 42, "font.size": 11, "text.parse_math": False}
    narrow: dict[str, float] = {f"{name}.labelsize": _SMALL for name in ("axes", "xtick", "ytick")} if width else {}
    narrow |= {"font.size": _SMALL, "legend.fontsize": _SMALL, "lines.markersize": 3.0} if width else {}
    settings: Any = {**letters, **narrow, "svg.hashsalt": picture.name}
    with matplotlib.rc_context(settings):
        figure = _draw_figure(picture, width)
        _replace_colours(figure)
        unstamped = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix.lower())
        try:
            figure.savefig(path, format=path.suffix[1:].lower(), metadata=unstamped, dpi=200, facecolor="white")
        except OSError as error:
            raise UsageError(f"-o {path}: cannot be written: {describe_file_error(error)}") from error


def _draw_figure(picture: Picture, width: float | None) -> Any:
    from matplotlib.figure import Figure

    panels = [panel for panel in picture.panels if charts.has_points(panel)]
    looks = {
        label: place for place, label in enumerate(dict.fromkeys(label for p in picture.panels for label in p.lines))
    }
    published = charts.group_by_model(picture.published_lines)
    columns = min(len(panels), _SIDE_BY_SIDE if width is None else max(1, int(width / _LEAST_WIDTH)))
    rows = -(-len(panels) // columns)
    shown = len(looks) + len(published)
    beneath = _LEGEND_ROW * -(-shown // columns) if shown > 1 else 0.0
    height = rows * (max(map(charts.find_height, panels)) + _HEADING) + _HEADING + beneath
    scale = 1.0 if width is None else width / _INCH / (_WIDTH * columns)
    title = 12 if width is None else _SMALL + 1
    figure = Figure(figsize=(_WIDTH * columns * scale, height * max(scale, _LEAST_SCALE)), layout="constrained")
    grid = list(figure.subplots(rows, columns, squeeze=False).flat)
    limits = charts.find_limits(picture.panels, picture.published_lines)
    for axes, panel in zip(grid, panels, strict=False):
        charts.paint_panel(axes, panel, limits=limits, looks=looks, published=published)
        charts.finish_axes(axes)
        _mark_places(axes, panel)
        axes.set_ylabel(panel.y)
        if len(panels) > 1:
            axes.set_title(panel.title, fontsize=title - 1)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    figure.suptitle("\n".join(wrap(picture.title, int(_LETTERS * columns * scale))), fontsize=title)
    if shown > 1:
        _add_legend(figure, looks, published, columns)
    return figure


def _mark_places(axes: Any, panel: Panel) -> None:
    """Marks the few numbers at which a panel has points, unless their words would overlap."""
    places = sorted({point.x for points in panel.lines.values() for point in points})
    gaps = [right - left for left, right in pairwise(places)]
    if gaps and not panel.labels and min(gaps) * _MARKS >= places[-1] - places[0]:
        axes.set_xticks(places, [f"{place:g}" for place in places])


def _add_legend(figure: Any, looks: dict[str, int], published: Mapping[str, object], columns: int) -> None:
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], label=label, **charts.choose_sample(place)) for label, place in looks.items()]
    handles += [
        Line2D([], [], label=f"{model}, published", **charts.choose_sample(place, published=True))
        for place, model in enumerate(published)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=columns, frameon=False)


def _replace_colours(figure: Any) -> None:
    """Gives every artist the colour that its placeholder stands for, see ``charts.VARIABLES``."""
    from matplotlib.colors import to_hex, to_rgba, to_rgba_array

    figure.draw_without_rendering()  # makes the ticks
    for artist in figure.findobj():
        for name in _COLOURED:
            get, put = getattr(artist, f"get_{name}", None), getattr(artist, f"set_{name}", None)
            if get is None or put is None or (name == "color" and hasattr(artist, "get_facecolor")):
                continue
            colours = to_rgba_array(get())
            wanted = [_COLOURS.get(charts.VARIABLES.get(to_hex(each[:3]), "")) for each in colours]
            if any(wanted):
                new = [to_rgba(hexa, each[3]) if hexa else each for hexa, each in zip(wanted, colours, strict=True)]
                put(new[0] if len(new) == 1 else new)
