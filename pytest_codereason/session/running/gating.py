"""What a session needs to know before it judges gates: the baseline, and the user's rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_codereason.engine.storage.seals import find_breaks
from pytest_codereason.errors import UsageError
from pytest_codereason.options import Options
from pytest_codereason.results.runs.run_info import (
    RECORDS,
    RunInfo,
    check_records,
    explain_unreadable,
    read_content,
    read_run,
)
from pytest_codereason.results.verdicts.baselines import read_baseline
from pytest_codereason.results.verdicts.gates import Gate

if TYPE_CHECKING:
    from pytest_codereason.results.verdicts.judging import Rules


def read_baseline_info(options: Options) -> RunInfo | None:
    """The description of the baseline; ``None`` without one.

    Raises:
        UsageError: the folder holds no run, or one whose seal is broken, or it is the folder of this run.
    """
    if options.baseline is None:
        return None
    if options.report is not None and options.report.resolve() == options.baseline:
        raise UsageError("--eval-baseline and --eval-report name the same folder: name another one for this run")
    try:
        info = read_run(options.baseline)
        check_records(options.baseline)
        _, breaks = find_breaks(options.baseline, read_content(options.baseline), options.baseline / RECORDS)
    except UsageError as error:
        raise UsageError(f"--eval-baseline: {error}") from error
    except OSError as error:
        raise UsageError(f"--eval-baseline: {explain_unreadable(error)}") from error
    if breaks:
        raise UsageError(f"--eval-baseline: {options.baseline}: {'; '.join(breaks)}")
    return info


def read_rules(options: Options, gates: Sequence[Gate]) -> Rules:
    """How the gates are judged. A baseline that cannot be read any more is left out."""
    from pytest_codereason.results.verdicts.judging import Rules  # pandas, which no run loads before its end

    return Rules(
        claim=options.claim,
        undecided=options.undecided,
        allow_partial=options.allow_partial,
        baseline=None if options.baseline is None else read_baseline(options.baseline, gates),
    )
