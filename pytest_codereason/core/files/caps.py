"""Caps on whatever comes from outside: each is checked before the bytes are read, unpacked or parsed.

Sizes are in bytes. Every reader of a file that somebody else may have written goes through this module.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import struct
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.errors import UsageError, describe_file_error

#: A file that is read at once: settings, a suite, a description of a run.
MOST_TEXT = 16 << 20
#: A file with data, which becomes some ten times its size in memory.
MOST_DATA = 256 << 20
#: A file of settings: parsing takes some 10 seconds for so many characters.
MOST_TOML = 4 << 20
#: Keys of a dotted key. The parser takes quadratic time for more.
_MOST_DOTS = 32
#: Digits of a number in a setting, and the largest whole number of TOML.
MOST_DIGITS = 32
#: Characters of the longest number of TOML: the parser takes a hundred times as much memory.
_LONG_NUMBER = re.compile(r"[+-]?[0-9][\w.+-]{256}")
#: Signs of keys and tables (``=``, ``.``, ``[``, ``{``): each may make a table, which takes a kilobyte.
_MOST_SIGNS = 100_000
_LARGEST = 1 << 63
#: A line of records, with all its requests and replies.
MOST_RECORD = 64 << 20
#: The directory of a zip archive, which is read at once.
MOST_DIRECTORY = 32 << 20
_DOTTED = re.compile(r"[\w\"'-]\s*\.(?=\s*[\w\"'-])")
_END, _END_64 = b"PK\x05\x06", b"PK\x06\x07"


class TooLarge(ValueError):
    """A text or a file is larger, deeper or longer than anything honest; the message says in what."""


def read_capped(path: Path, most: int = MOST_DATA) -> bytes:
    """The content of an ordinary file.

    Raises:
        UsageError: it cannot be read, is too large, or is not an ordinary file, which may have no end.
    """
    try:
        status = _look_at(path)
        if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for somebody who writes
            raise UsageError(f"{shorten_path(path)}: not an ordinary file")
        with path.open("rb") as file:
            content = file.read(most + 1) if status.st_size <= most else b""
    except OSError as error:
        raise UsageError(f"{shorten_path(path)}: cannot be read: {describe_file_error(error)}") from error
    if status.st_size > most or len(content) > most:
        raise UsageError(f"{shorten_path(path)}: larger than {most >> 20} MiB")
    return content


def read_text(path: Path, most: int = MOST_DATA) -> str:
    """The text of an ordinary file in UTF-8, without a byte order mark, with ``\\n`` at the end of each line.

    Raises:
        UsageError: see :func:`read_capped`; or it is no UTF-8.
    """
    try:
        text = read_capped(path, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{shorten_path(path)}: cannot be read: {error}") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _look_at(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except ValueError as error:  # a NUL
        raise OSError(errno.EINVAL, str(error), str(path)) from error


def open_ordinary(path: Path) -> IO[bytes]:
    """Opens an ordinary file.

    Raises:
        OSError: it cannot be opened, or is not an ordinary file: a pipe would wait for somebody who writes.
    """
    if not stat.S_ISREG(_look_at(path).st_mode):
        raise OSError(errno.EINVAL, "not an ordinary file", str(path))
    return path.open("rb")


class Line(NamedTuple):
    """A line of a file."""

    start: int  #: its offset in the file
    size: int  #: its bytes, with the line end
    content: bytes | None  #: ``None`` if the line is too long


def list_lines(file: IO[bytes], most: int = MOST_RECORD) -> Iterator[Line]:
    """The lines of a file. One that is too long is passed over, in little memory."""
    start = 0
    while line := file.readline(most + 1):
        size, content = len(line), line if len(line) <= most else None
        while not line.endswith(b"\n") and (line := file.readline(most + 1)):
            size += len(line)
        yield Line(start, size, content)
        start += size


def read_lines(file: IO[bytes], most: int = MOST_TEXT) -> Iterator[bytes]:
    """The lines of a file, one by one.

    Raises:
        TooLarge: a line is too long.
    """
    while line := file.readline(most + 1):
        if len(line) > most:
            raise TooLarge(f"a line is longer than {most >> 20} MiB")
        yield line


def parse_json(text: str | bytes) -> Any:
    """The value of a text of JSON in which every whole number is one that a machine counts with.

    Raises:
        ValueError: it is none, or a number is too long.
        RecursionError: it is nested too deep.
    """
    return json.loads(text, parse_int=_read_whole, parse_float=_read_float)


def _read_whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise TooLarge(f"a number has {len(digits):,} digits")
    return int(digits)


def _read_float(digits: str) -> float:
    if len(digits) > 8 * MOST_DIGITS:
        raise TooLarge(f"a number has {len(digits):,} digits")
    return float(digits)


def parse_toml(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, object]:
    """The table of a text of TOML.

    Raises:
        ValueError: it is none (a ``tomllib.TOMLDecodeError``), or is too large, too deep, or has too long a number.
    """
    if len(text) > MOST_TOML:
        raise TooLarge(f"it has more than {MOST_TOML >> 20} Mi characters")
    if sum(map(text.count, "=.[{")) > _MOST_SIGNS:
        raise TooLarge(f"it has more than {_MOST_SIGNS:,} keys and tables")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > 256 and any(_LONG_NUMBER.match(part.lstrip()) for part in re.split(r"[=,\[{]", line)):
            raise TooLarge(f"a number is longer than 256 characters (at line {number}, column 1)")
        if line.count(".") > _MOST_DOTS and any(_count_dots(part) > _MOST_DOTS for part in re.split(r"[=,\[{]", line)):
            raise TooLarge(f"a key has more than {_MOST_DOTS} parts (at line {number}, column 1)")
    try:
        table = tomllib.loads(text, parse_float=parse_float)
    except RecursionError:
        raise TooLarge("it is nested too deep") from None
    _check_numbers(table)
    return table


def _count_dots(text: str) -> int:
    return len(_DOTTED.findall(text))


def _check_numbers(table: dict[str, object]) -> None:
    """Refuses whole numbers that TOML does not have, which no message could even show."""
    waiting: list[Any] = [table]
    while waiting:
        match waiting.pop():
            case dict() as inner:
                waiting += inner.values()
            case list() as inner:
                waiting += inner
            case int(number) if not -_LARGEST <= number < _LARGEST:
                raise TooLarge("a whole number has more than 64 bits")


def check_zip(path: Path) -> None:
    """Refuses an archive whose directory would fill the memory as soon as it is opened.

    Raises:
        TooLarge: the directory is too large.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - (1 << 16) - 64))
        tail = file.read()
        at = tail.rfind(_END)
        if at < 0 or len(tail) < at + 16:
            return  # it is no such archive, as its reader will say
        size = struct.unpack_from("<I", tail, at + 12)[0]
        if size == 0xFFFFFFFF and at >= 20 and tail[at - 20 : at - 16] == _END_64:
            file.seek(min(struct.unpack_from("<Q", tail, at - 12)[0], end))
            record = file.read(56)
            size = struct.unpack_from("<Q", record, 40)[0] if len(record) == 56 else size
    if size > MOST_DIRECTORY:
        raise TooLarge(f"its directory is larger than {MOST_DIRECTORY >> 20} MiB")
