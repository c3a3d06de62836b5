"""``codereason table``: scores, figures and records of a run for other programs, and logs for other tools."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.commands._evidence import tell_changes
from pytest_codereason.commands._own_parts import add_part_options
from pytest_codereason.errors import UsageError, describe_file_error

if TYPE_CHECKING:
    from pytest_codereason.results.pictures import Picture

_TABLES = ("markdown", "latex", "csv", "parquet")


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "table",
        help="write scores, a figure or the records of a run as a table, or as logs of another tool",
        description="Writes the scores of runs as a table. With --figure the table of a figure, with --records a row "
        "for each answer. --format lm-eval, inspect-ai or every-eval-ever writes the answers as logs of that tool.",
    )
    parser.add_argument(
        "folders", type=Path, nargs="+", metavar="RUN", help="a run folder, such as reports/latest, or a log"
    )
    parser.add_argument(
        "--format",
        default="markdown",
        metavar="FORMAT",
        help="markdown (default), latex, csv, parquet; or the format of another tool: lm-eval, inspect-ai, "
        "every-eval-ever, or one that an installed package offers",
    )
    parser.add_argument("--records", action="store_true", help="a row for each answer, as csv or parquet")
    parser.add_argument(
        "--figure", metavar="NAME", help="the table of this figure; an unknown NAME lists those there are"
    )
    parser.add_argument(
        "--columns",
        type=lambda text: [name.strip() for name in text.split(",")],
        default=[],
        metavar="NAME,...",
        help="markdown and latex: these columns alone, in this order (latex: by default the first metric alone)",
    )
    parser.add_argument(
        "--rows",
        type=lambda text: [cell.strip() for cell in text.split(",")],
        default=[],
        metavar="CELL,...",
        help="markdown and latex: the rows that have one of these cells, such as the name of a model",
    )
    parser.add_argument("--caption", default="", help="latex: one sentence above the table")
    parser.add_argument("--label", default="", help="latex: the name by which the paper refers to the table")
    parser.add_argument("--published", action="store_true", help="latex: with the published rows and columns")
    parser.add_argument("--texts", action="store_true", help="with --records: add right answer, answer and reply")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help="the file to write, or the folder for logs of another tool (default: print the table)",
    )
    add_part_options(parser, reporters=False)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes or prints the table."""
    if args.texts and not args.records:
        raise UsageError("--texts adds texts to records: give --records too")
    if args.records and args.figure:
        raise UsageError("--records and --figure are two tables: give one of them")
    if args.format != "latex" and (args.caption or args.label or args.published):
        raise UsageError("--caption, --label and --published are for --format latex")
    if args.format not in ("markdown", "latex") and (args.columns or args.rows):
        raise UsageError("--columns and --rows are for --format markdown and latex")
    tell_changes(args.folders)
    if args.format not in _TABLES:
        _write_logs(args)
    elif args.format in ("csv", "parquet"):
        _write_frame(args)
    elif args.records:
        raise UsageError(f"--format {args.format} is for readers; write --records as csv or parquet")
    else:
        _write_text(args)
    return 0


def _write_logs(args: argparse.Namespace) -> None:
    from pytest_codereason import registry
    from pytest_codereason.commands._outputs import check_outside
    from pytest_codereason.core.text.suggestions import suggest_name
    from pytest_codereason.errors import blame
    from pytest_codereason.results.log_format import Log, LogFormat
    from pytest_codereason.results.records.records import read_records
    from pytest_codereason.results.runs.stored_runs import open_run

    known = (*_TABLES, *registry.list_names(LogFormat))
    if args.format not in known and ":" not in args.format:
        raise UsageError(
            f"--format {args.format}: there is no such format{suggest_name(args.format, known)}; "
            f"choose one of {', '.join(known)}"
        )
    if args.records or args.figure:
        raise UsageError(f"--format {args.format} writes all answers; leave --records and --figure out")
    if len(args.folders) > 1:
        raise UsageError(f"--format {args.format} writes one run at a time; name one")
    if args.output is None:
        raise UsageError(f"--format {args.format} writes several files: name a folder for them with -o")
    check_outside(args.output, args.folders)
    part = registry.find(LogFormat, args.format)()
    info, source = open_run(args.folders[0])
    try:
        rows = [record.row() for record in read_records(source) if not record.repeat]
        args.output.mkdir(parents=True, exist_ok=True)
        with blame(part):
            paths = part.write(Log(info, rows), args.output)
    except OSError as error:
        raise UsageError(f"-o {args.output}: cannot be written: {describe_file_error(error)}") from error
    for path in paths:
        print(path)


def _write_frame(args: argparse.Namespace) -> None:
    from pytest_codereason.commands._outputs import check_outside, write_page
    from pytest_codereason.reports.words.tables import check_parquet, flatten_picture, write_csv, write_parquet
    from pytest_codereason.results.measures.score_table import build_scores
    from pytest_codereason.results.records.loading import load_frame
    from pytest_codereason.results.runs.stored_runs import read_stored

    if args.format == "parquet" and args.output is None:
        raise UsageError("--format parquet is no text: name a file with -o")
    if args.format == "parquet":
        check_parquet()
    if args.records:
        frame = load_frame(*args.folders, texts=args.texts)
    elif args.figure:
        frame = flatten_picture(_find_picture(args))
    else:
        frame = build_scores({str(folder): read_stored(folder) for folder in args.folders})
    if args.format == "csv":
        write_page(write_csv(frame), args.output, args.folders)
        return
    check_outside(args.output, args.folders)
    try:
        write_parquet(frame, args.output)
    except OSError as error:
        raise UsageError(f"-o {args.output}: cannot be written: {describe_file_error(error)}") from error
    print(args.output)


def _write_text(args: argparse.Namespace) -> None:
    from pytest_codereason.commands._outputs import write_page
    from pytest_codereason.reports.words.latex import Legend, write_latex_tables
    from pytest_codereason.reports.words.tables import (
        choose,
        list_score_tables,
        write_markdown_tables,
        write_picture_table,
    )
    from pytest_codereason.results.measures.summary import summarise
    from pytest_codereason.results.runs.stored_runs import read_stored

    is_latex = args.format == "latex"
    if args.figure:
        tables = [write_picture_table(_find_picture(args), published=args.published or not is_latex)]
    else:
        tables = [*list_score_tables({str(folder): summarise(read_stored(folder)) for folder in args.folders})]
    tables = [choose(table, args.columns or (table.main if is_latex else ()), args.rows) for table in tables]
    legend = Legend(caption=args.caption, label=args.label)
    page = write_latex_tables(tables, legend) if is_latex else write_markdown_tables(tables)
    write_page(page, args.output, args.folders)


def _find_picture(args: argparse.Namespace) -> Picture:
    from pytest_codereason.commands._pictures import find_picture

    return find_picture(args, args.folders, args.figure, has_table=True)
