"""``codereason suites``: which suites there are, how large they are, what they need and what each measures."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from pytest_codereason.commands._suites import list_suite_files
from pytest_codereason.core.text import wording
from pytest_codereason.errors import CodereasonError, NotHere, UsageError, explain

_WIDTH = 100


class Listed(NamedTuple):
    """One suite of the list."""

    name: str
    size: str  #: questions and languages, or why nobody can ask them here
    about: str  #: the comment at the head of its file, up to the first full stop


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "suites",
        help="list suites with their size, their needs and what they measure",
        description="Lists suites: how many questions they ask, in which languages, what they need, and what they "
        "measure. Without a path the command lists the suites that ship.",
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="SUITE", help="a *.suite.toml file, or a folder of them")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the list; the exit code is 0. A suite whose data are not here is listed too."""
    from pytest_codereason.questions.suites.shipped import list_shipped_suites

    files = [file for path in args.paths for file in list_suite_files(path)] if args.paths else list_shipped_suites()
    for file in files:
        listed = describe(file)
        print(f"{listed.name}: {listed.size}")
        if listed.about:
            print(*wording.wrap(listed.about, _WIDTH, first="    ", later="    "), sep="\n")
    if not args.paths:
        print("\nto have these suites in a folder: codereason init suites")
    return 0


def describe(file: Path) -> Listed:
    """What the list says of a suite file.

    Raises:
        UsageError: the file is no valid suite.
    """
    from pytest_codereason.questions.suites.reading import load

    name, about = file.name.removesuffix(".suite.toml"), _read_first_sentence(file)
    if missing_data := _find_missing_data(file):
        return Listed(name, f"its data are not here: codereason fetch {missing_data}", about)
    try:
        suite = load(file)
        size = f"{len(suite):,} questions in {', '.join(suite.languages)}; source {suite.source.name}"
        return Listed(name, size + ("; runs programs" if suite.executes else ""), about)
    except NotHere as missing:
        return Listed(name, f"not here: {explain(missing)}", about)
    except UsageError:
        raise
    except CodereasonError as error:
        return Listed(name, f"cannot be read: {explain(error)}", about)


def _find_missing_data(file: Path) -> str:
    """The data set that a suite would have to fetch, empty if there is none: a list asks no server."""
    from pytest_codereason import registry
    from pytest_codereason.core import Source
    from pytest_codereason.core.files.fetching import locate
    from pytest_codereason.core.files.toml_files import read_toml

    table = read_toml(file).table
    settings = table.get("source")
    if not isinstance(settings, dict) or not isinstance(settings.get("name"), str) or "path" in settings:
        return ""  # reading the suite says what is wrong
    try:
        kind = registry.find(Source, settings["name"])
    except CodereasonError:
        return ""
    languages = table.get("languages", list(kind.files))
    wanted = [kind.files[name] for name in (languages if isinstance(languages, list) else ()) if name in kind.files]
    return "" if all(locate(remote) for remote in wanted) else kind.name


def _read_first_sentence(file: Path) -> str:
    from pytest_codereason.core.files.toml_files import read_text

    lines = []
    for line in read_text(file).splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# "))
    return " ".join(lines).partition(". ")[0].rstrip(".:") + "." if lines else ""
