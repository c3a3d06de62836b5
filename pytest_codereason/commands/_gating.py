"""The options of commands that judge gates of a stored run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from pytest_codereason.options import Claim, Undecided

if TYPE_CHECKING:
    from pytest_codereason.results.runs.run_info import RunInfo
    from pytest_codereason.results.verdicts.gates import Gate
    from pytest_codereason.results.verdicts.judging import Rules


def add_gate_options(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument(
        "--gate",
        action="append",
        default=[],
        metavar="EXPR",
        help="a condition as for pytest --eval-gate; repeatable (default: the gates of the run)",
    )
    parser.add_argument(
        "--baseline",
        type=Path,
        metavar="RUN",
        help="the folder of an earlier run, for gates with 'baseline' (default: the baseline of the run)",
    )
    parser.add_argument(
        "--claim",
        choices=get_args(Claim),
        help="what gates are about: programs like those of the suite, or this suite's questions (default: as in the "
        "run)",
    )
    parser.add_argument(
        "--undecided",
        choices=get_args(Undecided),
        help="whether a gate that too few answers leave open fails or passes (default: as in the run)",
    )
    parser.add_argument(
        "--allow-partial", action="store_true", help="let gates pass although some questions of a suite were not asked"
    )


def read_gates(args: argparse.Namespace, info: RunInfo) -> tuple[list[Gate], Rules]:
    """The gates that are to be judged, and how.

    Raises:
        UsageError: a gate cannot be read or judged, or the baseline that the user names is no run.
    """
    from pytest_codereason.core.text.settings import parse_choice
    from pytest_codereason.errors import UsageError
    from pytest_codereason.results.runs.stored_runs import open_run
    from pytest_codereason.results.verdicts.baselines import check_gates, read_baseline
    from pytest_codereason.results.verdicts.judging import Rules

    folder = args.baseline or (Path(info.baseline) if info.baseline else None)
    baseline = None
    if folder is not None:
        try:
            baseline, _ = open_run(folder)
        except UsageError as error:
            if args.baseline:
                raise UsageError(f"--baseline: {error}") from error
    # Gates of the run were checked before it began, and its baseline may be gone by now.
    gates = check_gates(args.gate or info.gates, info, baseline, gone=folder is not None and baseline is None)
    rules = Rules(
        claim=parse_choice("--claim", args.claim or info.claim, Claim),
        undecided=parse_choice("--undecided", args.undecided or info.undecided, Undecided),
        allow_partial=args.allow_partial,
        baseline=None if folder is None else read_baseline(folder, gates),
    )
    return gates, rules
