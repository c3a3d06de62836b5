"""``codereason status``: what a run folder is, and how far the run is; without a folder, the batches under way."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

from pytest_codereason.commands._evidence import tell_changes


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "status",
        help="say what a run folder is, how far the run is, and why it is not complete",
        description="Says what run folders are: models, suites, how many questions are asked, outcomes, cost, age, "
        "gates, and why a run is not complete. A run that goes on can be looked at too. Nothing is written. "
        "Without a folder, the batches that are under way at providers (--eval-batch).",
    )
    parser.add_argument("folders", type=Path, nargs="*", metavar="RUN", help="a run folder, such as reports/latest")
    parser.add_argument("--cancel", metavar="BATCH", help="cancel a batch that is under way, or all")
    parser.add_argument(
        "--eval-store", type=Path, metavar="DIR", help="the folder of stored answers (default: in your cache folder)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the status of each folder, or of the batches under way; the exit code is 0."""
    if args.cancel or not args.folders:
        from pytest_codereason.commands._batches import cancel_batches, list_batches
        from pytest_codereason.core.files.locations import cache_folder

        store = args.eval_store or cache_folder() / "store"
        for line in cancel_batches(store, args.cancel) if args.cancel else list_batches(store):
            print(line)
        return 0
    from pytest_codereason.reports.words.status_lines import write_status
    from pytest_codereason.results.runs.status import read_status

    tell_changes(args.folders)
    for place, folder in enumerate(args.folders):
        if place:
            print()
        print("\n".join(write_status(read_status(folder), shutil.get_terminal_size().columns)))
    return 0
