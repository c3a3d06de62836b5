"""``codereason leaderboard``: which of many models is best, from many run folders, as one page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_codereason.commands._evidence import add_evidence_options, require_evidence


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "leaderboard",
        help="rank the models of many runs on a page, with ties shown as ties",
        description="Ranks the models of many runs, each suite on its own, on a page that opens without a network. "
        "Models that no test tells apart share a rank. The page has every answer too.",
    )
    parser.add_argument("folders", type=Path, nargs="+", metavar="RUN", help="a run folder, such as reports/latest")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", required=True, help="write the page into this file"
    )
    add_evidence_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the page."""
    from pytest_codereason.commands._outputs import check_page, write_page
    from pytest_codereason.reports.comparing.leaderboard import write_leaderboard
    from pytest_codereason.reports.comparing.reading import read_runs

    check_page(args.output, args.folders)
    data = read_runs(args.folders)
    require_evidence(args, data)
    write_page(write_leaderboard(data, args.output), args.output, args.folders)
    return 0
