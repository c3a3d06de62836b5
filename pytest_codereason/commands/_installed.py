"""Commands of installed packages: entry points of the group ``codereason.commands``, each a module as those here."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pytest_codereason.commands._command_line import CommandParser
from pytest_codereason.errors import CodereasonError, UsageError, blame

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def add_installed(commands: Any, shipped: Collection[str], asked: str | None) -> None:
    """Declares the commands of installed packages, unless the one that is asked for is shipped.

    A package that cannot be imported costs a line on standard error, or the command if it is asked for.

    Args:
        asked: the command on the command line; ``None`` if there is none, as for ``--help``.

    Raises:
        UsageError: the command that is asked for is none, or two packages offer it.
        PartError: its module raised an exception.
    """
    if asked in shipped:
        return
    from pytest_codereason.registry import list_offers, name_package

    for name, offers in sorted(list_offers("commands").items()):
        known = [f"the command {name!r} of {name_package(offer)} ({offer.value})" for offer in offers]
        try:
            if name in shipped:
                raise UsageError(f"{known[0]} has the name of a shipped command, which is used")
            if len(offers) > 1:
                raise UsageError(f"{' and '.join(known)} have one name: remove one of the packages")
            _add_command(commands, name, offers[0], known[0])
        except CodereasonError as error:
            if name == asked:
                raise
            print(f"WARNING: {error}", file=sys.stderr)


def _add_command(commands: Any, name: str, offer: EntryPoint, subject: str) -> None:
    """Declares the command of an entry point. What it raises when it runs is blamed on it."""
    before = set(commands.choices)
    with blame(subject):
        module = import_module(offer.value)
        module.add(commands)
    if set(commands.choices) - before != {name}:
        raise UsageError(f"{subject} declares another command: give the entry point and the parser the same name")
    parser: CommandParser = commands.choices[name]
    run = parser.get_default("run")
    if not callable(run) or "run" in parser.destinations:
        raise UsageError(f"{subject} has nothing to run: write parser.set_defaults(run=run), and call no argument run")

    def run_blamed(args: argparse.Namespace) -> int:
        with blame(subject):
            code = run(args)
        if not isinstance(code, int):
            raise UsageError(f"{subject} must return its exit code, not {code!r:.60}")
        return code

    parser.set_defaults(run=run_blamed)
