"""The ``codereason`` command: everything around a run of pytest."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from pytest_codereason import __version__, commands
from pytest_codereason.commands._command_line import USAGE_ERROR, CommandParser, check_words
from pytest_codereason.commands._installed import add_installed
from pytest_codereason.core.display import displaying
from pytest_codereason.core.secrets import hide
from pytest_codereason.errors import CodereasonError, explain


def list_commands() -> Iterator[ModuleType]:
    """The modules of all shipped commands, by name: each file of ``commands/`` is one, but for helpers."""
    for name in sorted(module.name for module in iter_modules(commands.__path__)):
        if not name.startswith("_"):
            yield import_module(f"{commands.__name__}.{name}")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command. The exit code is 0, 1 or 10 where gates do not pass, 4 for a mistake, as in pytest."""
    with displaying():
        return _run_command(list(sys.argv[1:] if argv is None else argv))


def _run_command(words: list[str]) -> int:
    parser = CommandParser(
        prog="codereason",
        description="Prepares suites and reports on runs.",
        epilog="To ask a model, run: pytest SUITE --model=PROVIDER:NAME",
    )
    parser.add_argument(
        "-V",
        "--version",
        action="version",
        version=f"pytest-codereason {__version__}",
        help="show the version and exit",
    )
    added = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in list_commands():
        command.add(added)
    try:
        asked = next((word for word in words if not word.startswith("-")), None)
        add_installed(added, list(added.choices), asked)
        check_words(parser, added.choices, words)
        args = parser.parse_args(words)
        code: int = args.run(args)
    except CodereasonError as error:
        print(f"ERROR: {hide(explain(error))}", file=sys.stderr)
        return USAGE_ERROR
    except BrokenPipeError:  # the reader, `head` say, has had enough
        sys.stderr.close()
        return 0
    return code


if __name__ == "__main__":
    sys.exit(main())
