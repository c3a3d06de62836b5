"""``codereason fetch``: data sets and weights before a run needs them, and a list of those that there are."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError

if TYPE_CHECKING:
    from pytest_codereason.session.doctor.public_files import PublicFile


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "fetch",
        help="fetch data sets and weights, or list those that there are",
        description="Fetches data sets and weights into the cache, so that no run has to. Without a name the command "
        "lists what can be fetched, and what is here already. A fetch that was cut short continues.",
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="a data set or a model, such as cruxeval or qwen2.5-coder-0.5b",
    )
    parser.add_argument(
        "--language",
        action="append",
        default=[],
        metavar="LANGUAGE",
        help="fetch only the file of this language; repeatable",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Fetches the files, or prints the list; the exit code is 0.

    Raises:
        UsageError: a name is unknown, or a file cannot be fetched.
    """
    from pytest_codereason.session.doctor.public_files import WEIGHTS, list_public_files

    files, names = list(list_public_files()), args.names
    if names[:1] == ["model"]:  # an older way to name a model
        files, names = [file for file in files if file.part == WEIGHTS], names[1:]
    if not names:
        if args.language:
            raise UsageError("--language: name a data set too, as in: codereason fetch cruxeval-x --language php")
        print("\n".join(_format_table(files)))
        return 0
    for file in _choose(files, names, args.language):
        if file.here is None:
            print(f"{file.name}, {file.part}: licence {file.licence}", flush=True)
        path = file.here or file.fetch()
        print(f"{file.name}, {file.part}: {'is here: ' if file.here else ''}{path}", flush=True)
    return 0


def _choose(files: Sequence[PublicFile], names: Sequence[str], languages: Sequence[str]) -> list[PublicFile]:
    known = list(dict.fromkeys(file.name for file in files))
    if unknown := [name for name in names if name not in known]:
        hint = suggest_name(unknown[0], known)
        raise UsageError(f"nothing is called {unknown[0]!r}{hint}: there is {', '.join(known)}")
    chosen = []
    for name in dict.fromkeys(names):
        parts = [file for file in files if file.name == name]
        if missing := [language for language in languages if language not in {file.part for file in parts}]:
            raise UsageError(f"{name} has no {missing[0]}: it has {', '.join(file.part for file in parts)}")
        chosen += [file for file in parts if not languages or file.part in languages]
    return chosen


def _format_table(files: Sequence[PublicFile]) -> Iterator[str]:
    from pytest_codereason.core.files.locations import shorten_path

    rows = [("name", "for", "size", "licence", "where")]
    rows += [
        (
            file.name,
            file.part,
            f"{file.size / 1e6:,.1f} MB" if file.size else "not known",
            file.licence,
            shorten_path(file.here) if file.here else "not here",
        )
        for file in files
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield ""
    yield "fetch one: codereason fetch NAME"
