"""Frozen files of translated programs, as ``codereason translate`` writes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pytest_codereason import registry
from pytest_codereason.core import Language
from pytest_codereason.core.files.frozen import FrozenFile, open_frozen
from pytest_codereason.core.files.locations import data_folders, shorten_path
from pytest_codereason.errors import NotHere, UsageError
from pytest_codereason.programs.sources._rows import Entry, Rows

COLUMNS = ("name", "source", "call", "given", "output")


@dataclass(frozen=True, slots=True)
class Translations:
    """One file, of which only the header has been read."""

    file: FrozenFile
    language: str

    @classmethod
    def open(cls, name: str, source: str) -> Self:
        """The file of that path, or below a folder that ``CODEREASON_DATA`` lists, for one source.

        Raises:
            NotHere: the file is missing; the message has the command that writes it.
            UsageError: the file has no translations of that source.
        """
        named = Path(name).expanduser()
        path = next((p for p in (named, *(f / name for f in data_folders())) if p.is_file()), None)
        if path is None:
            command = f"codereason translate {source} --to {_guess_language(named)} --writer PROVIDER:NAME -o {name}"
            raise NotHere(f"there are no translations at {shorten_path(named)}: write them with '{command}'")
        file = open_frozen(path, "translation")
        if file.header.get("source") != source:
            raise UsageError(f"{shorten_path(path)}:1: translations of {file.header.get('source')!r}, not of {source}")
        language = str(file.header.get("language"))
        try:
            registry.find(Language, language)
        except UsageError as error:
            raise UsageError(f"{shorten_path(path)}:1: {error}") from error
        return cls(file, language)

    @property
    def writers(self) -> str:
        """Who wrote them, as the file says."""
        named = self.file.header.get("writers")
        return ", ".join(map(str, named)) if isinstance(named, list) and named else "an unnamed writer"

    def read(self) -> tuple[Rows, Iterator[tuple[str, Entry]]]:
        """The rows of the file, and its programs, each with its place.

        Raises:
            UsageError: the rows were changed after the file was written.
        """
        rows = Rows.of(self.file.path)
        entries = [Entry(*row.values()) for row in self.file.rows(COLUMNS)]
        return rows, ((f"line {number}", entry) for number, entry in enumerate(entries, 2))


def _guess_language(path: Path) -> str:
    """The language that the name of a file ends with, as in ``livecodebench-javascript.jsonl``; else a placeholder."""
    name = path.stem.rpartition("-")[2]
    try:
        return registry.language(name).name if name.isalpha() else "LANGUAGE"
    except UsageError:
        return "LANGUAGE"
