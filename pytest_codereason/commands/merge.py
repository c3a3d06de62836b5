"""``codereason merge``: joins the shards of a run to what one run would have written."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

from pytest_codereason.commands._evidence import add_evidence_options, require_evidence
from pytest_codereason.commands._gating import add_gate_options, read_gates
from pytest_codereason.commands._own_parts import add_part_options, check_own_parts


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "merge",
        help="join the shards of a run (pytest --eval-shard) to one run folder",
        description="Joins the shards of a run (pytest --eval-shard 1/4 to 4/4) to the folder that one run would have "
        "written, with its reports. The shards stay as they are. The exit code is that of the "
        "gates, and 1 if an answer is missing.",
    )
    parser.add_argument("folders", type=Path, nargs="+", metavar="RUN", help="the run folder of a shard")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FOLDER", help="the new folder for the joined run"
    )
    parser.add_argument(
        "--sign", type=Path, metavar="KEYFILE", help="sign the seal of the joined run, as pytest --eval-sign does"
    )
    add_gate_options(parser)
    add_evidence_options(parser)
    add_part_options(parser, reporters=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the folder. The exit code is that of the gates, or 1 if a shard or an answer is missing."""
    from pytest_codereason.commands._outputs import check_outside
    from pytest_codereason.engine.storage.run_folder import seal_folder, write_run
    from pytest_codereason.engine.storage.seals import Chain
    from pytest_codereason.engine.storage.signing import Signer
    from pytest_codereason.errors import UsageError, describe_file_error
    from pytest_codereason.reports.conclusion import conclude
    from pytest_codereason.results.runs.run_info import RECORDS, parse_run
    from pytest_codereason.results.runs.shards import join_shards
    from pytest_codereason.results.runs.stored_runs import read_stored

    signer = Signer(args.sign) if args.sign else None
    for folder in args.folders:
        require_evidence(args, read_stored(folder))
    joined, output = join_shards(args.folders, args.output), args.output
    check_outside(output, args.folders)
    gates, rules = read_gates(args, info := parse_run(joined.run))
    check_own_parts(args, [info])
    try:
        output.mkdir(parents=True, exist_ok=True)
        if any(output.iterdir()):
            raise UsageError(f"-o {output}: the folder is not empty; name a new one")
        joined.write_records(output / RECORDS)
        write_run(output, joined.run)
        own = {"figures": args.eval_figure, "reporters": args.eval_reporter}
        result = conclude(output, dict(joined.run), gates, rules, **own)
        with (output / RECORDS).open("rb") as lines:
            seal_folder(output, Chain(lines), signer.sign if signer else None)
    except OSError as error:
        raise UsageError(f"-o {output}: cannot be written: {describe_file_error(error)}") from error
    for line, _ in result.lines(shutil.get_terminal_size().columns):
        print(line)
    for remark in joined.remarks:
        print(f"NOTE  {remark}")
    print(f"report: {output / 'report.html'}")
    return result.exit_code or int(joined.lacks_shards or not joined.run["complete"])
