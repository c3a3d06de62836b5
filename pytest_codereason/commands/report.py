"""``codereason report``: the reports of a run again, from its records alone."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser("report", help="write the reports of a run again from its records, and judge gates")
    parser.add_argument("folder", type=Path, metavar="RUN", help="a run folder, such as reports/latest")
    parser.add_argument(
        "--gate", action="append", default=[], metavar="EXPR", help="as --eval-gate; the run's own gates unless given"
    )
    parser.add_argument("--allow-partial", action="store_true", help="as --eval-allow-partial")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the reports; 1 where a gate fails."""
    from pytest_codereason.reporters import conclusion

    found = conclusion.read_run(args.folder)
    gates = conclusion.parse_gates(args.gate or found.get("gates", []), found)
    result = conclusion.conclude(args.folder, found, gates, allow_partial=args.allow_partial)
    for line, _ in result.lines(shutil.get_terminal_size().columns):
        print(line)
    print(f"report: {args.folder / 'report.html'}")
    return 0 if result.passed else 1
