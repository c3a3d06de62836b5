"""Rows of a published data set. Rows that cannot be used are left out, counted and named."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_codereason.core import digest
from pytest_codereason.core.files.caps import read_capped
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.errors import UsageError
from pytest_codereason.programs.sources._parquet import json_lines
from pytest_codereason.programs.sources._refusals import Refusals

#: Bytes of the largest file that is read.
MAX_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One program as its data set has it."""

    name: str
    source: str
    call: str
    given: str  #: the arguments of the call
    output: str  #: the value of the call, as a literal


@dataclass
class Rows:
    """The rows of one file, and why some were left out."""

    path: Path
    text: str
    sha: str
    left_out: Refusals = field(default_factory=Refusals)

    @classmethod
    def of(cls, path: Path) -> Rows:
        """The rows of a file of UTF-8 text, or of Parquet, whose rows become lines of JSON.

        Raises:
            UsageError: The file cannot be read, is too large, is neither text nor Parquet, or is not an ordinary
                file (a device has no end).
        """
        try:
            data = read_capped(path, MAX_BYTES)
            text = json_lines(path, data, MAX_BYTES) if path.suffix == ".parquet" else data.decode("utf-8-sig")
            return cls(path, text, hashlib.sha256(data).hexdigest()[:16])
        except UnicodeDecodeError as error:
            raise UsageError(
                f"{shorten_path(path)}: not UTF-8 text: byte {error.start} is {data[error.start]:#04x}"
            ) from error

    def leave_out(self, reason: str, place: str) -> None:
        """Counts a row that cannot be used."""
        self.left_out.add(reason, place)

    @property
    def notes(self) -> list[str]:
        """A line for each reason: how many rows were left out, and which was the first."""
        return self.left_out.notes(shorten_path(self.path))

    def lines(self) -> Iterator[tuple[str, Mapping[str, object]]]:
        """The rows of a file with one JSON object a line, each with its place."""
        for number, line in enumerate(self.text.split("\n"), 1):
            if line.strip():
                try:
                    yield from self._row(json.loads(line), f"line {number}")
                except (ValueError, RecursionError) as error:
                    self.leave_out("not valid JSON", f"line {number}: {error}")

    def array(self) -> Iterator[tuple[str, Mapping[str, object]]]:
        """The rows of a file that is one JSON array. Of a file that is cut off, the rows before the cut."""
        decoder, blank = json.JSONDecoder(), re.compile(r"[\s,]*")
        at, number = blank.match(self.text).end(), 0  # type: ignore[union-attr]
        if self.text[at : at + 1] != "[":
            raise UsageError(f"{shorten_path(self.path)}:1: not a JSON array")
        at = blank.match(self.text, at + 1).end()  # type: ignore[union-attr]
        while self.text[at : at + 1] != "]":
            try:
                row, at = decoder.raw_decode(self.text, at)
            except (ValueError, RecursionError):
                line = self.text.count("\n", 0, at) + 1
                self.leave_out("the file is damaged or cut off from here on", f"line {line}, after {number} rows")
                return
            yield from self._row(row, f"row {number}")
            number += 1
            at = blank.match(self.text, at).end()  # type: ignore[union-attr]

    def _row(self, row: object, place: str) -> Iterator[tuple[str, Mapping[str, object]]]:
        if isinstance(row, dict):
            yield place, row
        else:
            self.leave_out("not a JSON object", place)

    def fields(self, row: Mapping[str, object], names: Iterable[str], place: str) -> list[str] | None:
        """Fields of a row that must be text. Where a field is no text, the row is left out, and this is ``None``."""
        texts: list[str] = []
        for name in names:
            value = row.get(name)
            if not isinstance(value, str):
                self.leave_out(f"no {name!r}" if value is None else f"{name!r} is not text", place)
                return None
            texts.append(value)
        return texts


def make_safe_name(text: str) -> str:
    """The name of a program in ids: ``text`` itself, or a hash of it where it has unusual characters."""
    return text if re.fullmatch(r"\w[\w-]{0,79}", text, re.ASCII) else digest(text)[:16]
