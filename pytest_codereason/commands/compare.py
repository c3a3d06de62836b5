"""``codereason compare``: whether one run is worse than another, by how much, and on which questions."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

from pytest_codereason.commands._command_line import read_whole
from pytest_codereason.commands._evidence import add_evidence_options, require_evidence


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "compare",
        help="say whether a run is worse than another, by how much, and on which questions",
        description="Compares runs, or the models of one run, on the questions that they share, from their records "
        "alone. The first run is A. The exit code is 0 whatever the answer is; to fail a build, use a gate.",
    )
    parser.add_argument(
        "folders",
        type=Path,
        nargs="+",
        metavar="RUN",
        help="a run folder, such as reports/latest, or a log of another tool; the first is A",
    )
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="NAME",
        help="compare this model alone, by the name that the run has for it; repeatable (default: all but baselines)",
    )
    parser.add_argument(
        "--flips",
        type=read_whole,
        default=10,
        metavar="N",
        help="how many of the flipped questions of a suite to show, losses first (default: 10)",
    )
    parser.add_argument(
        "--format",
        choices=("text", "markdown", "json", "html"),
        default="text",
        help="the form of the page (default: text); html, with every question, needs -o",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write the page into this file (default: print it)"
    )
    add_evidence_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints or writes the comparison. The exit code is 4 if no question is shared, so that nothing is compared."""
    from pytest_codereason.commands._outputs import check_page, write_page
    from pytest_codereason.reports.comparing.comparison import compare_runs
    from pytest_codereason.reports.comparing.html_page import write_html
    from pytest_codereason.reports.comparing.json_page import write_json
    from pytest_codereason.reports.comparing.markdown_page import write_markdown
    from pytest_codereason.reports.comparing.reading import read_runs
    from pytest_codereason.reports.comparing.text_page import write_text

    if args.format == "html":
        check_page(args.output, args.folders)
    data = read_runs(args.folders)
    require_evidence(args, data)
    comparison = compare_runs(data, models=args.model, flips=args.flips)
    if args.format == "html":
        page = write_html(comparison, data, args.output)
    elif args.format == "json":
        page = write_json(comparison)
    elif args.format == "markdown":
        page = write_markdown(comparison)
    else:
        page = write_text(comparison, 120 if args.output else shutil.get_terminal_size().columns)
    write_page(page, args.output, args.folders)
    return 0 if any(suite.overlap.shared for pair in comparison.pairs for suite in pair.suites) else 4
