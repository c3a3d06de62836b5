"""The options of commands that let stored runs decide, and the look at these runs before they do."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_codereason.engine.storage.signing import Verifier
    from pytest_codereason.results.runs.evidence import RunEvidence
    from pytest_codereason.results.runs.run_data import RunData


def add_evidence_options(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument(
        "--verify",
        type=Path,
        metavar="PUBKEY",
        help="refuse a run whose seal is not signed by the private key (pytest --eval-sign) of this public key",
    )
    parser.add_argument(
        "--accept-broken",
        action="store_true",
        help="take a run whose seal is broken as it is, without the records that cannot be read",
    )
    parser.add_argument(
        "--accept-unread",
        action="store_true",
        help="take the verdicts of a task that is not here, or not in the version of the run, as they are recorded",
    )


def require_evidence(args: argparse.Namespace, *runs: RunData | None) -> None:
    """Looks at the runs before they decide anything, and says on standard error what nobody can tell.

    Raises:
        UsageError: a run is not what it was when it ended, contradicts itself, or has verdicts that nobody can read.
    """
    from pytest_codereason.engine.storage.signing import Verifier
    from pytest_codereason.errors import UsageError

    if args.verify and args.accept_broken:
        raise UsageError("--accept-broken takes what no signature vouches for: leave it or --verify out")
    verifier = Verifier(args.verify) if args.verify else None
    for data in filter(None, runs):
        evidence = _examine(data, verifier)
        evidence.require(accept_broken=args.accept_broken, accept_unread=args.accept_unread)
        _print_notes(data, (*evidence.broken, *evidence.unread, *evidence.notes))


def tell_evidence(data: RunData) -> None:
    """Says on standard error what speaks against the runs that are shown."""
    evidence = _examine(data, None)
    _print_notes(data, (*evidence.contradictions, *evidence.broken, *evidence.unread))


def tell_changes(folders: Sequence[Path]) -> None:
    """Says on standard error which stored runs were changed after their end. Nobody reads their replies again."""
    from pytest_codereason.results.runs.evidence import list_changes
    from pytest_codereason.results.runs.run_info import explain_unreadable

    try:
        _print_lines([text for folder in folders for text in list_changes(folder)])
    except OSError as error:
        raise explain_unreadable(error) from error


def _examine(data: RunData, verifier: Verifier | None) -> RunEvidence:
    from pytest_codereason.results.runs.evidence import examine
    from pytest_codereason.results.runs.run_info import explain_unreadable

    try:
        return examine(data, verifier)
    except OSError as error:
        raise explain_unreadable(error) from error


def _print_notes(data: RunData, notes: Sequence[str]) -> None:
    from pytest_codereason.core.text.wording import plural

    if many := data.damaged.count:
        left_out = f"{plural(many, 'damaged line')} of records left out, the first: {data.damaged.lines[0]}"
        notes = (*notes, left_out)
    _print_lines(notes)


def _print_lines(notes: Sequence[str]) -> None:
    from pytest_codereason.core.text.wording import one_line

    for note in notes:
        print(f"NOTE  {one_line(note, 300)}", file=sys.stderr)
