"""``codereason harvest``: turns repositories into programs whose call graph is known."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.commands._authoring import add_writer_options
from pytest_codereason.commands._drivers import open_supply
from pytest_codereason.core.secrets import remember
from pytest_codereason.core.text.wording import plural
from pytest_codereason.errors import CodereasonError, SandboxError, UsageError

if TYPE_CHECKING:
    from pytest_codereason.harvest.progress import ProgressLine
    from pytest_codereason.harvest.repositories.repositories import Repository
    from pytest_codereason.harvest.settings import Settings


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "harvest",
        help="turn repositories into programs with their call graphs",
        description="Turns code of repositories into programs that run by themselves, with their call graphs.",
    )
    parser.add_argument(
        "places", nargs="*", metavar="PLACE", help="a folder, an archive (.tar.gz, .zip), or an address for git"
    )
    parser.add_argument(
        "--github-query",
        action="append",
        default=[],
        dest="queries",
        metavar="QUERY",
        help="all repositories that GitHub finds: 'stars:>=50 license:mit'; repeat it for several",
    )
    parser.add_argument(
        "--repositories", type=int, default=0, metavar="N", help="draw N of the repositories (default: 0, all of them)"
    )
    parser.add_argument("--github-url", metavar="URL", help="ask this server; CODEREASON_GITHUB_URL does the same")
    parser.add_argument(
        "--language",
        action="append",
        required=True,
        dest="languages",
        metavar="LANGUAGE",
        help="the language of the programs; repeat it for several",
    )
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="FOLDER", help="the folder for the set")
    parser.add_argument(
        "--licence",
        action="append",
        default=[],
        dest="licences",
        metavar="SPDX",
        help="accept this licence too, besides MIT, Apache-2.0, BSD-2-Clause, BSD-3-Clause and ISC",
    )
    parser.add_argument(
        "--any-licence", action="store_true", help="accept files of any licence or none; use the set as they allow"
    )
    parser.add_argument(
        "--files", type=int, default=30, metavar="N", help="draw at most N files of a repository (default: 30; 0: all)"
    )
    parser.add_argument(
        "--programs", type=int, default=5, metavar="N", help="make at most N programs of a file (default: 5)"
    )
    parser.add_argument(
        "--lines", type=int, default=500, metavar="N", help="make programs of at most N lines (default: 500)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="draw other files, and split otherwise")
    add_writer_options(
        parser, "have this model write drivers where none is found by rule, PROVIDER:NAME or a name of your own", ""
    )
    parser.add_argument(
        "--drivers", type=Path, metavar="FILE", help="take these drivers, drivers.jsonl of a set, and ask no writer"
    )
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="use N processors (default: all)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Makes the set; the exit code is 0, 1 if no program was accepted, 2 if the user stopped the harvest."""
    from pytest_codereason.harvest.funnel import draw_funnel
    from pytest_codereason.harvest.harvesting import harvest
    from pytest_codereason.harvest.progress import ProgressLine
    from pytest_codereason.models.local.machine import count_cores

    drivers = open_supply(args)
    settings = _read_settings(args, drivers.label)
    workers = args.workers or count_cores()
    progress = ProgressLine()
    try:
        repositories = _find_repositories(args, settings, progress)
        funnel = harvest(repositories, settings, args.out.absolute(), workers, progress, drivers.write)
    except SandboxError as error:
        raise UsageError(str(error)) from error
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here")
        return 2
    print("\n".join(draw_funnel(funnel)))
    accepted = sum(tally["accepted"] for tally in funnel["languages"].values())
    print(f"{args.out}: {plural(accepted, 'program')}; datasheet.md describes them")
    return 0 if accepted else 1


def _find_repositories(args: argparse.Namespace, settings: Settings, progress: ProgressLine) -> list[Repository]:
    """The repositories of the command line and of GitHub.

    Raises:
        UsageError: There is none, or GitHub cannot be asked.
    """
    from pytest_codereason.harvest.harvesting import search_once
    from pytest_codereason.harvest.repositories.github import ADDRESS, GitHub, add_language, read_range
    from pytest_codereason.harvest.repositories.repositories import draw_repositories, locate

    if not args.places and not args.queries:
        raise UsageError("name a folder, an archive or an address, or give a --github-query 'stars:>=50 license:mit'")
    token = os.environ.get("GITHUB_TOKEN", "")
    if token:
        remember(token)
    address = args.github_url or os.environ.get("CODEREASON_GITHUB_URL") or ADDRESS
    github = GitHub(address=address, token=token, say=progress.say)
    queries = [add_language(query, language) for query in args.queries for language in settings.languages]
    local = locate(args.places)  # mistakes are told before anybody asks GitHub
    for query in queries:
        read_range(query)
    places = [repository.place for repository in local]
    for query in queries:
        places += search_once(args.out.absolute(), settings, github, query)
    return draw_repositories(locate(places), args.repositories, settings.seed)


def _read_settings(args: argparse.Namespace, writer: str) -> Settings:
    from pytest_codereason.harvest.licences.licences import PERMISSIVE
    from pytest_codereason.harvest.settings import Settings
    from pytest_codereason.registry import language

    for name in args.languages:
        try:
            language(name).require(["runner", "tracer"], "codereason harvest")
            if writer:
                language(name).require(["drivers", "syntax"], "codereason harvest --writer")
        except CodereasonError as error:
            raise UsageError(f"--language {name}: {error}") from error
    for option, value in (("--files", args.files), ("--workers", args.workers), ("--repositories", args.repositories)):
        if value < 0:
            raise UsageError(f"{option} {value}: a number from 0 on")
    for option, value in (("--programs", args.programs), ("--lines", args.lines)):
        if value < 1:
            raise UsageError(f"{option} {value}: a number from 1 on")
    return Settings(
        languages=tuple(dict.fromkeys(args.languages)),
        licences=tuple(dict.fromkeys([*PERMISSIVE, *args.licences])),
        any_licence=args.any_licence,
        files=args.files,
        programs=args.programs,
        lines=args.lines,
        seed=args.seed,
        writer=writer,
    )
