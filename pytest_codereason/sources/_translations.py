"""Files of translated programs, as ``codereason translate`` writes them: frozen, and checked when they are read.

The first line says what the file is and has the SHA-256 of all that follows; then one program a line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from pytest_codereason.errors import UsageError
from pytest_codereason.files.locations import data_folders, shown
from pytest_codereason.sources._rows import Entry, Rows

#: Raised whenever a file of before can no longer be read.
FORMAT = 1
LANGUAGES = ("javascript", "php", "java")


@dataclass(frozen=True, slots=True)
class Translations:
    """One file, of which only the first line has been read."""

    path: Path
    language: str

    @classmethod
    def of(cls, name: str, source: str) -> Self:
        """The file of that path, or below a folder that ``CODEREASON_DATA`` lists, for one source.

        Raises:
            UsageError: it is not there, or no translation of that source.
        """
        named = Path(name).expanduser()
        path = next((p for p in (named, *(f / name for f in data_folders())) if p.is_file()), None)
        if path is None:
            raise UsageError(f"there are no translations at {shown(named)}: write them with 'codereason translate'")
        head = _head(path)
        if head["source"] != source:
            raise UsageError(f"{shown(path)}:1: translations of {head['source']!r}, not of {source}")
        if head["language"] not in LANGUAGES:
            raise UsageError(f"{shown(path)}:1: unknown language {head['language']!r}")
        return cls(path, head["language"])

    def rows(self) -> Rows:
        """The rows.

        Raises:
            UsageError: they are not those that were written.
        """
        rows = Rows.of(self.path)
        first, _, rest = rows.text.partition("\n")
        found, written = _sha(rest), json.loads(first)["sha256"]
        if found != written:
            raise UsageError(
                f"{shown(self.path)}: changed or cut off since it was written: the sha256 of its programs is "
                f"{found}, not {written}"
            )
        return rows

    def entries(self, rows: Rows) -> Iterator[tuple[str, Entry]]:
        """Its programs, each with its place."""
        for place, row in rows.lines():
            if "translations" in row:
                continue
            if fields := rows.fields(row, ("name", "source", "call", "given", "output"), place):
                yield place, Entry(*fields)


def freeze(path: Path, entries: Iterable[Entry], **known: Any) -> str:
    """Writes a file of translations and gives back the digest of its programs.

    Args:
        known: what the first line says besides: ``source``, ``language``, who wrote them, what was left out.

    Raises:
        OSError: it cannot be written.
    """
    text = "".join(json.dumps(asdict(entry)) + "\n" for entry in entries)
    head = {"translations": FORMAT, **known, "sha256": _sha(text)}
    fresh = path.with_name(f"{path.name}.part")
    fresh.write_text(f"{json.dumps(head)}\n{text}", encoding="utf-8", newline="\n")
    fresh.replace(path)
    return _sha(text)


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _head(path: Path) -> Mapping[str, Any]:
    try:
        with path.open(encoding="utf-8") as file:
            head = json.loads(file.readline(1_000_000))
        if head["translations"] != FORMAT or not all(
            isinstance(head[k], str) for k in ("source", "language", "sha256")
        ):
            raise ValueError("another format")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{shown(path)}:1: no translations as 'codereason translate' writes them: {error!r}") from None
    found: Mapping[str, Any] = head
    return found
