"""Prints texts of others safely: a terminal shows what they hold and obeys none of it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO

# What a terminal or browser would act on instead of showing: control characters, marks that turn the
# direction of text, and halves of surrogate pairs, which no file in UTF-8 can hold.
_UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# What the runner of GitHub Actions obeys in the output of a step: ``::add-mask::`` at the start of a line, and ``##[``.
_COMMAND = re.compile(r"(?m)^([^\S\n]*)::(?=[^\n]*::)|##\[")
# What stands for a sign of our own sentences where a terminal lacks it.
_PLAIN = str.maketrans({"−": "-", "…": "~", "\xa0": " "})
_CLEAR = "\r\x1b[K"


def visible(text: str) -> str:
    r"""``text`` with control characters written out: ESC becomes ``\x1b``."""
    return _UNSHOWN.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def calm(text: str) -> str:
    r"""``text`` without a command to the runner of GitHub Actions, within its jobs: ``::`` becomes ``\::``.

    See :func:`print_command` for those that are meant.
    """
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return text
    return _COMMAND.sub(lambda found: "#\\#[" if found[1] is None else f"{found[1]}\\::", text)


def encodable(text: str, stream: object) -> str:
    """``text`` as a stream can write it: with ``-`` for ``−`` and ``?`` for others where its encoding lacks a sign."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
    return text


def print_command(line: str) -> None:
    """Prints a command to the runner of GitHub Actions, which stands on one line."""
    printed = sys.stdout
    stream = printed.stream if isinstance(printed, VisibleStream) else printed
    print(encodable(visible(line), stream), file=stream)


class VisibleStream:
    r"""A stream that writes control characters out: ESC becomes ``\x1b``. Nor does it pass a command of a runner on.

    All else is that of the stream behind it.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Writes a text without what a terminal would obey."""
        self.stream.write(encodable(calm(visible(text)), self.stream))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def displaying() -> Iterator[None]:
    """Lets everything that is printed within go through a :class:`VisibleStream`."""
    # A name may come from a server, a suite or a record, so no command is trusted to clean each text of its own.
    with redirect_stdout(VisibleStream(sys.stdout)), redirect_stderr(VisibleStream(sys.stderr)):
        yield


def write_over(line: str, end: str = "") -> None:
    """Writes a line to the terminal of standard error in the place of the line that stands there."""
    printed = sys.stderr
    stream = printed.stream if isinstance(printed, VisibleStream) else printed
    stream.write(f"{_CLEAR}{visible(line)}{end}")
    stream.flush()
