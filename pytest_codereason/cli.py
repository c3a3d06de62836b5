"""The ``codereason`` command: everything around a run of pytest."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pytest_codereason import __version__
from pytest_codereason.commands import export, finetune, harvest, init, pool, prepare, report, sft, trace, translate
from pytest_codereason.commands._command_line import CommandParser, check_words
from pytest_codereason.errors import CodereasonError, explain
from pytest_codereason.secrets import hide


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command. The exit code is 0, 1 where a gate failed, 4 for a mistake of the user.

    If the command line itself cannot be read, the exit code is 2.
    """
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
    words = list(sys.argv[1:] if argv is None else argv)
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in (export, finetune, harvest, init, pool, prepare, report, sft, trace, translate):
        command.add(commands)
    check_words(parser, commands.choices, words)
    args = parser.parse_args(words)
    try:
        code: int = args.run(args)
    except CodereasonError as error:
        print(f"ERROR: {hide(explain(error))}", file=sys.stderr)
        return 4
    except BrokenPipeError:  # the reader, `head` say, has had enough
        sys.stderr.close()
        return 0
    return code


if __name__ == "__main__":
    sys.exit(main())
