"""Reads TOML files that a user writes, and finds the line of a key for messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pytest_codereason.core.files import caps
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.errors import UsageError

#: Characters of a message.
_MOST_SHOWN = 1200


class TomlFile(NamedTuple):
    """A file that has been read."""

    path: Path
    lines: Sequence[str]
    table: dict[str, object]

    def fail(self, message: str, *where: str, kind: type[UsageError] = UsageError) -> UsageError:
        """An error at the line of the key ``where`` (tables outermost first), else at the line of its table."""
        line = self.find_line(where) or self.find_table(where)
        while line is None and len(where) > 1:
            where = where[:-1]
            line = self.find_line(where) or self.find_table(where)
        place = shorten_path(self.path)
        message = _cut(message)
        return kind(f"{place}:{line}: {message}" if line else f"{place}: {message}")

    def find_line(self, where: Sequence[str]) -> int | None:
        """The line of a key, from 1; ``None`` if the file lacks the key. ``where`` lists its tables first."""
        table, inside = ".".join(where[:-1]), ""
        for number, line in enumerate(self.lines, 1):
            if header := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line):
                inside = header[1].replace('"', "").replace(" ", "")
                if inside == ".".join(where):
                    return number
            elif inside == table and where and re.match(rf"\s*[\"']?{re.escape(where[-1])}[\"']?\s*[=.]", line):
                return number
        return None

    def find_table(self, where: Sequence[str]) -> int | None:
        """The line of the first table inside ``where``: ``[models.small]`` for ``models``."""
        headers = ((n, re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line)) for n, line in enumerate(self.lines, 1))
        inside = ".".join(where) + "."
        return next((n for n, header in headers if header and header[1].replace('"', "").startswith(inside)), None)


def _cut(message: str) -> str:
    """A message without the middle of a value that is longer than a screen."""
    return message if len(message) <= _MOST_SHOWN else f"{message[: _MOST_SHOWN // 2]} … {message[-_MOST_SHOWN // 2 :]}"


def read_toml(path: Path) -> TomlFile:
    """The content of a file.

    Raises:
        UsageError: the file cannot be read, or is not valid TOML; names the line.
    """
    return parse_toml(path, read_text(path))


def read_text(path: Path) -> str:
    """The text of a file that a user writes.

    Raises:
        UsageError: the file cannot be read.
    """
    return caps.read_text(path, caps.MOST_TEXT)


def parse_toml(path: Path, text: str, parse_float: Callable[[str], Any] = float) -> TomlFile:
    """The content ``text`` of the file ``path``, which is not read again.

    Raises:
        UsageError: the text is not valid TOML; names the line.
    """
    try:
        return TomlFile(path, text.splitlines(), caps.parse_toml(text, parse_float))
    except ValueError as error:
        place = re.search(r"\(at line (\d+), column \d+\)$", str(error))
        line = int(place[1]) if place else max(1, len(text.splitlines()))  # "at end of document"
        where = "" if isinstance(error, caps.TooLarge) and not place else f":{line}"
        raise UsageError(f"{shorten_path(path)}{where}: not valid TOML: {error}") from error
