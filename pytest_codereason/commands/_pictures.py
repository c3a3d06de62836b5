"""Finds a figure of a stored run by its name."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_codereason.commands._own_parts import check_own_parts
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError

if TYPE_CHECKING:
    from pytest_codereason.results.pictures import Picture


def list_pictures(args: argparse.Namespace, folders: Sequence[Path]) -> list[Picture]:
    """Every figure of a run, as its report shows them: first the charts of axes, then the figures of the studies.

    Raises:
        UsageError: there are several runs, the run cannot be read, or a figure that the user names is none.
    """
    from pytest_codereason.reports.charts.axis_pictures import list_axis_pictures
    from pytest_codereason.reports.conclusion import draw_pictures
    from pytest_codereason.results.measures.summary import summarise
    from pytest_codereason.results.runs.stored_runs import read_stored
    from pytest_codereason.results.studies.published import add_published

    if len(folders) > 1:
        raise UsageError("a figure is of one run; name one")
    data = read_stored(folders[0])
    check_own_parts(args, [replace(data.run, reporters=())])
    summary = summarise(data)
    pictures, _ = draw_pictures(data, summary, args.eval_figure)
    pictures = list(add_published(pictures, data.run.published)[0])
    return [*list_axis_pictures(summary), *pictures]


def shows_table(picture: Picture) -> bool:
    """Whether the figure has a table with rows."""
    return bool(picture.table and picture.table.rows)


def shows_chart(picture: Picture) -> bool:
    """Whether the figure has a chart with points."""
    from pytest_codereason.reports.charts.charts import has_points

    return any(map(has_points, picture.panels))


def find_picture(args: argparse.Namespace, folders: Sequence[Path], name: str, *, has_table: bool) -> Picture:
    """The figure of that name with a table, or else with a chart.

    Raises:
        UsageError: the run has no such figure; lists those that it has.
    """

    shows = shows_table if has_table else shows_chart
    every = list_pictures(args, folders)
    pictures = [picture for picture in every if shows(picture)]
    for picture in pictures:
        if picture.name == name:
            return picture
    what = "table" if has_table else "chart"
    if not pictures:
        raise UsageError(f"{folders[0]}: this run has no figure with a {what}")
    lines = "".join(f"\n    {picture.name}  {picture.title}" for picture in pictures)
    if any(picture.name == name for picture in every):
        raise UsageError(f"{folders[0]}: the figure {name!r} has no {what}; these have one:{lines}")
    suggestion = suggest_name(name, [picture.name for picture in pictures])
    raise UsageError(f"{folders[0]} has no figure {name!r} with a {what}{suggestion}; it has{lines}")
