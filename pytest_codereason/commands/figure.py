"""``codereason figure``: a chart of the report as a file of its own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_codereason.commands._evidence import tell_changes
from pytest_codereason.commands._own_parts import add_part_options
from pytest_codereason.core.display import visible
from pytest_codereason.errors import UsageError

#: The widths that a chart may have, in millimetres.
_LEAST, _MOST = 60, 500


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "figure",
        help="write a chart of the report as SVG, PDF or PNG",
        description="Writes a figure of the report of a run as a file, and prints its caption. Without a NAME, lists "
        "the figures of the run.",
    )
    parser.add_argument(
        "folder", type=Path, metavar="RUN", help="a run folder, such as reports/latest, or a log of another tool"
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="the name of the figure")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="the file; it ends with .svg, .pdf or .png (default: NAME.svg)",
    )
    parser.add_argument(
        "--width",
        type=float,
        metavar="MM",
        help="how wide the chart is, in millimetres; 85 fits a column of most papers (default: 127 a panel)",
    )
    add_part_options(parser, reporters=False)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the chart and prints its caption, or lists the figures."""
    from pytest_codereason.commands._outputs import check_outside
    from pytest_codereason.commands._pictures import find_picture, list_pictures, shows_chart
    from pytest_codereason.core.text import wording
    from pytest_codereason.reports.charts.chart_files import check_chart_file, write_chart
    from pytest_codereason.reports.words.worded import word_picture

    tell_changes([args.folder])
    if args.name is None:
        if args.output is not None:
            raise UsageError(f"-o has no effect: name the figure, as in codereason figure {args.folder} NAME -o FILE")
        for picture in list_pictures(args, [args.folder]):
            if shows_chart(picture):
                print(f"{picture.name}  {wording.one_line(picture.title)}")
        return 0
    if args.width is not None and not _LEAST <= args.width <= _MOST:
        raise UsageError(f"--width {args.width:g}: give {_LEAST} to {_MOST} millimetres")
    path = args.output or Path(f"{args.name}.svg")
    check_chart_file(path)
    check_outside(path, [args.folder])
    picture = find_picture(args, [args.folder], args.name, has_table=False)
    write_chart(picture, path, args.width)
    print(visible(word_picture(picture).sentence))
    print(path)
    return 0
