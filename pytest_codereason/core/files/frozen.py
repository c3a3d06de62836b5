"""Frozen files: rows of text that are written once, never changed, and checked whenever they are read.

The first line, the header, is a JSON object::

    {"format": 2, "kind": "hint", "count": 2, "writers": ["openai:x", "rule"], "sha256": "..."}

Each other line is one row, a JSON object whose values are texts. ``count`` is the number of rows and ``sha256`` the
digest of their lines, with ``\\n`` at their ends. Whoever writes the file may add keys to the header.

Three older formats are read as well: hints of format 1, translations with their digest, and pools without a header.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_codereason.core.files import caps
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.errors import UsageError, describe_file_error

FORMAT = 2
#: The longest header, in characters.
MAX_HEADER = 1_000_000

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FrozenFile:
    """A frozen file of which only the header has been read."""

    path: Path
    kind: str
    header: Mapping[str, Any]

    def rows(self, columns: Sequence[str], optional: Sequence[str] = ()) -> list[Row]:
        """Its rows, each with these columns; an optional one that is missing is empty.

        Raises:
            UsageError: a row is damaged, one is missing, or they are not those that were frozen; names file and line.
        """
        text = caps.read_text(self.path)
        _, _, body = text.partition("\n")
        start = 2 if self.header else 1
        rows = list(_read_rows(self.path, body if self.header else text, start, columns, optional))
        if not self.header:
            return rows
        if len(rows) != (count := self.header.get("count", len(rows))):
            raise UsageError(f"{shorten_path(self.path)}:{len(rows) + 1}: ends after {len(rows)} of {count!r:.80} rows")
        actual = self._digest_rows(body, rows)
        if actual != self.header.get("sha256"):
            raise UsageError(
                f"{shorten_path(self.path)}:1: the rows were changed: their sha256 is {actual}, "
                f"not {self.header.get('sha256')!s:.80}"
            )
        return rows

    def _digest_rows(self, body: str, rows: Sequence[Row]) -> str:
        """The digest of the rows, as the format of this file has it."""
        if self.header["format"] == 1 and self.kind == "hint":
            values = json.dumps([[*row.values()] for row in rows], separators=(",", ":"))
            return hashlib.sha256(f"[{values}]".encode()).hexdigest()
        return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


def freeze(path: Path, kind: str, rows: Iterable[Row], **header: Any) -> str:
    """Writes a frozen file and gives the digest of its rows.

    Args:
        header: further keys of the first line, such as ``writers``.

    Raises:
        OSError: the file cannot be written.
    """
    lines = [json.dumps(dict(row)) + "\n" for row in rows]
    body = "".join(lines)
    sha256 = hashlib.sha256(body.encode()).hexdigest()
    first_line = json.dumps({"format": FORMAT, "kind": kind, "count": len(lines), **header, "sha256": sha256})
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.write_text(f"{first_line}\n{body}", encoding="utf-8", newline="\n")
    unfinished.replace(path)
    return sha256


def open_frozen(path: Path, kind: str = "") -> FrozenFile:
    """A frozen file of this kind, of any kind where none is named. Reads the header alone.

    Raises:
        UsageError: it cannot be read, or is no such file; names file and line.
    """
    try:
        with caps.open_ordinary(path) as file:
            line = file.readline(MAX_HEADER).decode("utf-8-sig", "replace" if kind == "pool" else "strict")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{shorten_path(path)}: cannot be read: {describe_file_error(error)}") from error
    if len(line) == MAX_HEADER and not line.endswith("\n"):  # a pool without a header begins with a function
        if kind == "pool":
            return FrozenFile(path, "pool", {})
        raise UsageError(
            f"{shorten_path(path)}:1: not a frozen file: its first line is longer than {MAX_HEADER:,} characters"
        )
    header = _parse_row(path, line, 1)
    form, named = header.get("format"), header.get("kind")
    if form == FORMAT and isinstance(named, str):
        frozen = FrozenFile(path, named, header)
    elif form == 1:
        frozen = FrozenFile(path, "hint", {**header, "count": header.get("texts")})
    elif header.get("translations") == 1:
        frozen = FrozenFile(path, "translation", {**header, "format": 1})
    elif kind == "pool" and "format" not in header:
        frozen = FrozenFile(path, "pool", {})
    elif isinstance(form, int) and form > FORMAT:
        raise UsageError(f"{shorten_path(path)}:1: format {form} was written by a later version of codereason")
    else:
        raise UsageError(f"{shorten_path(path)}:1: not a frozen file{f' of kind {kind}' if kind else ''}")
    if kind and frozen.kind != kind:
        raise UsageError(f"{shorten_path(path)}:1: a file of kind {frozen.kind}, not {kind}")
    return frozen


def _read_rows(path: Path, body: str, start: int, columns: Sequence[str], optional: Sequence[str]) -> Iterator[Row]:
    lines = body.split("\n")
    if lines[-1] == "":
        lines.pop()
    for number, line in enumerate(lines, start):
        row = _parse_row(path, line, number)
        texts: dict[str, str] = {}
        for column in columns:
            value = row.get(column, "" if column in optional else None)
            if not isinstance(value, str):
                problem = "is missing" if value is None else "must be a text"
                raise UsageError(f"{shorten_path(path)}:{number}: the column {column!r} {problem}")
            texts[column] = value
        yield texts


def _parse_row(path: Path, line: str, number: int) -> dict[str, object]:
    try:
        row = caps.parse_json(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{shorten_path(path)}:{number}: damaged: {error}") from None
    if not isinstance(row, dict):
        raise UsageError(f"{shorten_path(path)}:{number}: damaged: not a JSON object")
    return row
