"""The parser of the command line, which suggests the name that was meant, and the kinds of value that options take."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from pytest_codereason.core.files.caps import MOST_DIGITS
from pytest_codereason.core.text.parts import Part, parse_part
from pytest_codereason.errors import UsageError

#: The exit code for a mistake of the user, as in pytest.
USAGE_ERROR = 4


class CommandParser(argparse.ArgumentParser):
    """A parser that knows the names of its own options."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.options: list[str] = []
        self.destinations: set[str] = set()
        super().__init__(*args, **kwargs)

    def add_argument(self, *names: Any, **settings: Any) -> argparse.Action:
        """Declares an argument and remembers its long names, and where it leaves its value."""
        self.options += [name for name in names if name.startswith("--")]
        action = super().add_argument(*names, **settings)
        self.destinations.add(action.dest)
        return action

    def error(self, message: str) -> NoReturn:
        """Ends the program with the exit code that pytest has for such a mistake."""
        self.print_usage(sys.stderr)
        self.exit(USAGE_ERROR, f"{self.prog}: error: {message}\n")

    def refuse_unknown(self, words: Sequence[str]) -> None:
        """Ends the program if an option is none of this command; argparse itself would name no other."""
        for word in words:
            name = word.partition("=")[0]
            if word == "--":
                return
            if name.startswith("--") and not any(option.startswith(name) for option in self.options):
                self.refuse(f"unknown option {name}", name, self.options)

    def refuse(self, complaint: str, name: str, known: Sequence[str]) -> NoReturn:
        """Ends the program with what was wrong, what may have been meant, and what there is."""
        from pytest_codereason.core.text.suggestions import suggest_name

        self.error(f"{complaint}{suggest_name(name, known)}: choose one of {', '.join(known)}")


def check_words(parser: CommandParser, commands: Mapping[str, CommandParser], words: Sequence[str]) -> None:
    """Ends the program if the command, or an option of it, is unknown.

    Args:
        commands: the parser of each command, by the name that the help shows.
    """
    place = next((place for place, word in enumerate(words) if not word.startswith("-")), len(words))
    parser.refuse_unknown(words[:place])
    if place == len(words):
        return
    if words[place] not in commands:
        parser.refuse(f"unknown command {words[place]!r}", words[place], list(commands))
    commands[words[place]].refuse_unknown(words[place + 1 :])


def read_count(text: str) -> int:
    """A whole number from 1.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} must be a whole number from 1")
    return int(text)


def read_part(text: str) -> Part:
    """A share such as ``10%`` or ``1/8``, or a whole number from 1.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    try:
        part = parse_part("", text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error).strip()) from None
    if part is None:
        raise argparse.ArgumentTypeError("names no part")
    return part


def read_whole(text: str) -> int:
    """A whole number.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    try:
        return int(text if len(text) <= MOST_DIGITS else "")
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} must be a whole number") from None
