"""``codereason report``: writes the reports of a run again, from its records."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

from pytest_codereason.commands._evidence import tell_evidence
from pytest_codereason.commands._gating import add_gate_options, read_gates
from pytest_codereason.commands._own_parts import add_part_options, check_own_parts


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "report",
        help="write the reports of a finished run again, and check gates",
        description="Writes the reports of a finished run again from its records, and checks gates. The exit code is 1 "
        "if a gate fails, and 10 if none fails but one cannot be decided or was not measured.",
    )
    parser.add_argument("folder", type=Path, metavar="RUN", help="a run folder, such as reports/latest")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FOLDER",
        help="the folder for the reports (default: RUN, whose records stay as they are)",
    )
    add_gate_options(parser)
    add_part_options(parser, reporters=True)
    parser.add_argument(
        "--published",
        action="append",
        default=[],
        metavar="NAME",
        help="figures of a paper to draw beside the run, as for pytest --eval-published; repeatable (default: those of "
        "the run)",
    )
    parser.add_argument(
        "--earlier",
        action="append",
        default=[],
        type=Path,
        metavar="RUN",
        help="another run folder that some figures may look at: faults that any model has found, versions of a model; "
        "repeatable",
    )
    parser.add_argument(
        "--categories",
        metavar="FILE",
        help="which models are of one category and which are versions of one model, as for pytest --eval-categories "
        "(default: the file of the run)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the reports. The exit code is that of the verdicts on the gates."""
    from dataclasses import replace

    from pytest_codereason.errors import UsageError
    from pytest_codereason.reports.conclusion import report_run
    from pytest_codereason.results.measures.model_categories import load_text
    from pytest_codereason.results.runs.run_data import RunData
    from pytest_codereason.results.runs.run_info import read_run
    from pytest_codereason.results.studies.published_facts import load_texts

    info = read_run(args.folder)
    check_own_parts(args, [info])
    gates, rules = read_gates(args, info)
    published, categories = load_texts(args.published), load_text(args.categories)
    output = args.output or args.folder
    try:
        data = RunData.read(args.folder)
        if args.earlier:
            data = replace(data, beside=RunData.read(args.folder, *args.earlier))
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror}") from error
    if categories:
        data = replace(data, runs={name: replace(each, categories=categories) for name, each in data.runs.items()})
        if data.beside:
            runs = {name: replace(each, categories=categories) for name, each in data.beside.runs.items()}
            data = replace(data, beside=replace(data.beside, runs=runs))
    if published:
        data = replace(data, runs={name: replace(each, published=published) for name, each in data.runs.items()})
    tell_evidence(data)
    result = report_run(
        args.folder, data, gates, rules, output=output, figures=args.eval_figure, reporters=args.eval_reporter
    )
    for line, _ in result.lines(shutil.get_terminal_size().columns):
        print(line)
    print(f"report: {output / 'report.html'}")
    return result.exit_code
