"""``codereason harvest``: functions from source files, frozen as a pool of distractors."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from pytest_codereason.errors import UsageError


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "harvest", help="freeze the functions of source files as a pool of distractors for [context]"
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a source file, or a folder of them")
    parser.add_argument("--language", required=True, metavar="L", help="python, javascript, php or java")
    parser.add_argument("-o", dest="output", type=Path, required=True, metavar="DIR", help="where LANGUAGE.jsonl goes")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the pool and says how many functions fell to which filter."""
    from pytest_codereason.contexts.corpora import freeze
    from pytest_codereason.contexts.harvest import EXTENSIONS, harvest
    from pytest_codereason.contexts.pool import Pool, middling

    if args.language not in EXTENSIONS:
        raise UsageError(f"--language {args.language}: choose one of {', '.join(EXTENSIONS)}")
    if missing := [path for path in args.paths if not path.exists()]:
        raise UsageError(f"{missing[0]}: there is no such file or folder")
    found = list(harvest(args.paths, args.language))
    kept = middling(found)
    if not kept:
        raise UsageError(f"no {args.language} function is in {', '.join(map(str, args.paths))}")
    pool = Pool(str(args.output), args.language, kept)
    try:
        path = freeze(pool, args.output)
    except OSError as error:
        raise UsageError(f"-o {args.output}: cannot be written: {error}") from error
    twice = sum(n - 1 for n in Counter(function.source.strip() for function in found).values())
    print(f"{len(found):,} functions: {twice:,} are there twice, {len(found) - twice - len(kept):,} are shorter or")
    print(f"longer than the middle half, {len(kept):,} stay: {path}, sha256 {pool.sha[:16]}")
    print(f'next: write pool = "{args.output}" under [context] in a suite')
    return 0
