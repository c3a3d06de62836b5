"""Keeps what became of the files of a repository, so that a harvest that was stopped goes on where it was.

A journal is a file of JSON lines: what it is about, one line a file, and a line once the repository is done. Drivers by
a writer come after it: a second line of the same file stands for the first. A line that a crash cut off is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_codereason.harvest.outcomes import FileOutcome, from_json, to_json


class Journal:
    """The journal of one repository."""

    def __init__(self, path: Path, subject: Mapping[str, object]) -> None:
        """Opens a journal, which need not exist yet.

        Args:
            path: The file.
            subject: What the outcomes depend on: settings, and the content of the repository.
        """
        self.path = path
        self._subject = dict(subject)
        self._lines = list(_read_lines(path))
        header = self._lines[0] if self._lines else {}
        self.version = str(header.get("version", ""))  #: the version of the repository that it is about
        if {**header, "version": ""} != {**self._subject, "version": ""}:
            self._lines = []
        self.done = any("end" in line for line in self._lines)

    def begin(self, version: str) -> dict[str, FileOutcome]:
        """Goes on with the journal, anew if it is about another version; gives the outcomes so far, by path."""
        if not self._lines or self.version != version:
            self.version, self._lines = version, [{**self._subject, "version": version}]
        outcomes = {str(line["path"]): from_json(line) for line in self._lines if "path" in line}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".part")
        fresh.write_text("".join(json.dumps(line) + "\n" for line in self._lines), encoding="utf-8")
        os.replace(fresh, self.path)
        self._lines = []
        return outcomes

    def read(self) -> Iterator[FileOutcome]:
        """The outcomes that are kept, of each file the last one."""
        lines = {str(line["path"]): line for line in _read_lines(self.path) if "path" in line}
        return map(from_json, lines.values())

    def write(self, outcome: FileOutcome) -> None:
        """Keeps one outcome."""
        self._append(to_json(outcome))

    def end(self) -> None:
        """Says that the repository is done."""
        self._append({"end": True})
        self.done = True

    def _append(self, line: dict[str, object]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def _read_lines(path: Path) -> Iterator[dict[str, object]]:
    """The whole lines of a journal."""
    if not path.is_file():
        return
    with path.open(encoding="utf-8") as file:
        for line in file:
            try:
                yield json.loads(line)
            except ValueError:
                return
