"""Figures and reporters of the user's own, for commands on stored runs.

Only what the user names is imported. A run folder may come from anybody, and importing runs code.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_codereason.results.runs.run_info import RunInfo


def add_part_options(parser: argparse.ArgumentParser, *, reporters: bool) -> None:
    """Declares the options."""
    for option, part in (("--eval-figure", "figure"), ("--eval-reporter", "reporter"))[: 2 if reporters else 1]:
        parser.add_argument(
            option,
            action="append",
            default=[],
            metavar="NAME",
            help=f"a {part} of your own, package.module:Name, as for pytest {option}; repeatable. No command imports "
            "one because a run names it",
        )
    if not reporters:
        parser.set_defaults(eval_reporter=[])


def check_own_parts(args: argparse.Namespace, runs: Iterable[RunInfo]) -> None:
    """Imports what the user names, and says on standard error which parts of the runs nobody names.

    Raises:
        UsageError: a name has no part, or the part is of another kind.
    """
    from pytest_codereason.core.display import visible
    from pytest_codereason.reports.conclusion import check_parts

    check_parts(args.eval_figure, args.eval_reporter)
    infos = [*runs]
    named = {
        "--eval-figure": (args.eval_figure, [name for info in infos for name in info.figures]),
        "--eval-reporter": (args.eval_reporter, [name for info in infos for name in info.reporters]),
    }
    for option, (own, theirs) in named.items():
        for name in dict.fromkeys(name for name in theirs if name not in own):
            print(
                f"NOTE  the run names {visible(name)}, which is not imported: add {option}={visible(name)} to have it",
                file=sys.stderr,
            )
