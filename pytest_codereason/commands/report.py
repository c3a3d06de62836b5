"""``codereason report``: writes the reports of a run again, from its records."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "report",
        help="write the reports of a finished run again, and check gates",
        description="Writes the reports of a finished run again from its records, and checks gates. The exit code is 1 "
        "if a gate fails.",
    )
    parser.add_argument("folder", type=Path, metavar="RUN", help="a run folder, such as reports/latest")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FOLDER",
        help="the folder for the reports (default: RUN, whose records stay as they are)",
    )
    parser.add_argument(
        "--gate",
        action="append",
        default=[],
        metavar="EXPR",
        help="a condition as for pytest --eval-gate; repeatable (default: the gates of the run)",
    )
    parser.add_argument(
        "--allow-partial", action="store_true", help="let gates pass although some questions of a suite were not asked"
    )
    parser.add_argument(
        "--published",
        action="append",
        default=[],
        metavar="NAME",
        help="figures of a paper to draw beside the run, as for pytest --eval-published; repeatable (default: those of "
        "the run)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the reports. The exit code is 1 if a gate fails."""
    from dataclasses import replace

    from pytest_codereason.errors import UsageError
    from pytest_codereason.reporters.conclusion import check_gates, report_run
    from pytest_codereason.results.published_facts import load_texts
    from pytest_codereason.results.run_data import RunData
    from pytest_codereason.results.run_info import read_run

    info = read_run(args.folder)
    gates = check_gates(args.gate or info.gates, info)
    published = load_texts(args.published)
    output = args.output or args.folder
    try:
        data = RunData.read(args.folder)
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror}") from error
    if published:
        data = replace(data, runs={name: replace(each, published=published) for name, each in data.runs.items()})
    result = report_run(args.folder, data, gates, allow_partial=args.allow_partial, output=output)
    for line, _ in result.lines(shutil.get_terminal_size().columns):
        print(line)
    print(f"report: {output / 'report.html'}")
    return 0 if result.passed else 1
