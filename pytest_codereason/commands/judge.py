"""``codereason judge``: verdicts of gates about a stored run, without writing anything."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pytest_codereason.commands._evidence import add_evidence_options, require_evidence
from pytest_codereason.commands._gating import add_gate_options, read_gates


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "judge",
        help="judge gates on a finished run",
        description="Judges gates on a finished run, from its records alone. Nothing is asked and nothing is written. "
        "The exit code is 0 if every gate passes, 1 if one fails, and 10 if none fails but one cannot be decided or "
        "was not measured.",
    )
    parser.add_argument(
        "folder", type=Path, metavar="RUN", help="a run folder, such as reports/latest, or a log of another tool"
    )
    add_gate_options(parser)
    add_evidence_options(parser)
    parser.add_argument(
        "--format",
        choices=("text", "markdown", "github"),
        default="text",
        help="lines of text, a list in Markdown, or annotations of a GitHub job (default: text)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints a line for each gate and model. The exit code is that of the verdicts."""
    from pytest_codereason.core.display import print_command
    from pytest_codereason.errors import UsageError
    from pytest_codereason.reports.reporters.github import list_annotations
    from pytest_codereason.reports.reporters.summary_md import list_gates
    from pytest_codereason.reports.reporters.terminal import write_verdicts
    from pytest_codereason.results.runs.run_data import RunData
    from pytest_codereason.results.runs.stored_runs import open_run
    from pytest_codereason.results.verdicts.judging import judge_gates
    from pytest_codereason.results.verdicts.verdict import choose_exit_code

    info, source = open_run(args.folder)
    if args.baseline and args.baseline.resolve() == args.folder.resolve():
        raise UsageError("--baseline names the run itself, which is never worse than itself; name an earlier run")
    gates, rules = read_gates(args, info)
    if not gates:
        raise UsageError("the run has no gates, so there is nothing to judge: add --gate 'SUITE.METRIC >= 80%'")
    try:
        data = RunData.build({str(args.folder): (info, source)})
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror}") from error
    require_evidence(args, data, rules.baseline)
    verdicts = judge_gates(gates, data, rules)
    width = max(80, shutil.get_terminal_size().columns)
    writers: dict[str, Callable[[], Iterable[str]]] = {
        "text": lambda: (line for line, _ in write_verdicts(verdicts, width)),
        "markdown": lambda: list_gates(verdicts),
        "github": lambda: list_annotations(verdicts),
    }
    for line in writers[args.format]():
        (print_command if args.format == "github" else print)(line)
    return choose_exit_code(verdicts)
