"""``codereason init``: copies the shipped suites into a folder."""

from __future__ import annotations

import argparse
import importlib.util
import shutil
from pathlib import Path
from typing import Any

from pytest_codereason.errors import UsageError, describe_file_error


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "init",
        help="copy the shipped suites into a folder",
        description="Copies the shipped suites into a folder, where you can run and change them.",
    )
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="the folder, made if it is missing; no file in it is overwritten"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Copies the suites; the exit code is 0. No file is overwritten."""
    from pytest_codereason.questions.suites.shipped import find_shipped_folder

    shipped = find_shipped_folder()
    files = sorted([*shipped.glob("*.suite.toml"), *shipped.glob("fuzz_*.py")])
    if existing := [args.folder / file.name for file in files if (args.folder / file.name).exists()]:
        raise UsageError(f"{existing[0]} is already there; name another folder, or move the file away")
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.copyfile(file, args.folder / file.name)
    except OSError as error:
        raise UsageError(f"{args.folder}: cannot be written: {describe_file_error(error)}") from error
    print(f"{len(files)} files in {args.folder}: {', '.join(f.name.partition('.')[0] for f in files)}")
    model = "local" if importlib.util.find_spec("xllamacpp") else "openai:NAME --model-url=http://host:8000/v1"
    print(f"next: pytest {args.folder / 'quickstart.suite.toml'} --model={model}")
    return 0
