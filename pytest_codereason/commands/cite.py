"""``codereason cite``: what a paper says of a run, and BibTeX."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from typing import Any

from pytest_codereason.commands._evidence import tell_changes


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "cite",
        help="print versions, digests, seeds and BibTeX of a run, for a paper",
        description="Prints what somebody else needs to repeat a run and to check that it is the same: versions, the "
        "digests of weights, data and plans, seeds, sampling, the seal, and BibTeX. Nothing is written.",
    )
    parser.add_argument("folder", type=Path, metavar="RUN", help="a run folder, such as reports/latest, or a log")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the citation; the exit code is 0."""
    from pytest_codereason.core.display import visible
    from pytest_codereason.engine.storage.seals import read_seal
    from pytest_codereason.errors import BrokenSeal
    from pytest_codereason.reports.words.citation import write_citation
    from pytest_codereason.results.runs.stored_runs import open_run

    tell_changes([args.folder])
    info, _ = open_run(args.folder)
    seal = None
    with suppress(BrokenSeal):  # it has been said
        seal = read_seal(args.folder) if args.folder.is_dir() else None
    print("\n".join(map(visible, write_citation(info, seal).split("\n"))), end="")
    return 0
