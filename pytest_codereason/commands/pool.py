"""``codereason pool``: functions from source files, frozen as a pool of distractors."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from pytest_codereason.errors import UsageError, describe_file_error


def add(commands: Any) -> None:
    """Declares the command."""
    about = (
        'Collects the functions of source files in DIR/LANGUAGE.jsonl. A suite with pool = "DIR" under [context] shows '
        "some of them around each program."
    )
    parser = commands.add_parser(
        "pool", help="collect the functions that [context] shows around programs", description=about
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a source file, or a folder of them")
    parser.add_argument("--language", required=True, metavar="LANGUAGE", help="python, javascript, php or java")
    parser.add_argument(
        "-o", dest="output", type=Path, required=True, metavar="DIR", help="the folder of the file LANGUAGE.jsonl"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the pool and says how many functions fell to which filter."""
    from pytest_codereason import registry
    from pytest_codereason.programs.contexts.corpora import freeze
    from pytest_codereason.programs.contexts.functions import cut_functions
    from pytest_codereason.programs.contexts.pool import Pool, keep_middle_half

    try:
        registry.language(args.language).require(["syntax"], "codereason pool")
    except UsageError as error:
        raise UsageError(f"--language {args.language}: {error}") from error
    if missing_paths := [path for path in args.paths if not path.exists()]:
        raise UsageError(f"{missing_paths[0]}: there is no such file or folder")
    functions = list(cut_functions(args.paths, args.language))
    kept = keep_middle_half(functions)
    if not kept:
        raise UsageError(f"no {args.language} function is in {', '.join(map(str, args.paths))}")
    pool = Pool(str(args.output), args.language, kept)
    try:
        path = freeze(pool, args.output)
    except OSError as error:
        raise UsageError(f"-o {args.output}: cannot be written: {describe_file_error(error)}") from error
    repeated = sum(n - 1 for n in Counter(function.source.strip() for function in functions).values())
    print(
        f"{len(functions):,} functions: {repeated:,} repeated, {len(functions) - repeated - len(kept):,} too short or "
        f"too long, {len(kept):,} kept"
    )
    print(f"{path}, sha256 {pool.sha[:16]}")
    print(f'next: write pool = "{args.output}" under [context] in a suite')
    return 0
