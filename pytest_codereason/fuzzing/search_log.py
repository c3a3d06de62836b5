"""Keeps what searches were answered: one line for each record, in a file of the run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from pytest_codereason.core import Record
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.engine.storage.run_folder import SEARCHES


class SearchLog:
    """The records of the searches of one process.

    Args:
        folder: of the run. It is made with the first records. Several processes may append to its file at once.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written = ""  #: where the records of this process are; empty while there are none
        self._records: list[Record] = []

    def add(self, records: Iterable[Record]) -> None:
        """Takes records of the test that runs."""
        self._records += records

    def write(self, test: str) -> None:
        """Appends the records that were taken, as those of a test.

        Raises:
            OSError: the file cannot be written.
        """
        records, self._records = self._records, []
        if not records:
            return
        lines = [json.dumps({"test": test, **row}) for row in map(Record.row, records)]
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / SEARCHES
        self.written = shorten_path(path)
        with path.open("ab", buffering=0) as file:
            file.write("".join(f"{line}\n" for line in lines).encode())
