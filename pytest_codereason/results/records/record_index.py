"""The whole records of a run by key, each read when it is asked for, so that no run has to fit into memory."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Self

from pytest_codereason.core import Record
from pytest_codereason.core.files.caps import open_ordinary
from pytest_codereason.core.files.typed_json import decode
from pytest_codereason.results.records.records import Key, RecordSource, name_record, read_places


class RecordIndex:
    """Finds a record with its texts by its key. A context manager: the files stay open inside of it.

    Of two records with the same key the later one counts.
    """

    def __init__(self, sources: Mapping[str, RecordSource]) -> None:
        self._sources = sources
        self._files: dict[str, IO[bytes]] = {}
        self._places: dict[Key, int] = {}
        self._records: dict[Key, Record] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        for run, source in self._sources.items():
            if isinstance(source, Path):
                self._files[run] = self._stack.enter_context(open_ordinary(source))
            for place, record in read_places(source):
                if key := name_record(run, record):
                    if isinstance(source, Path):
                        self._places[key] = place
                    else:
                        self._records[key] = record
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def read(self, key: Key) -> Record | None:
        """The record of this key; ``None`` if it is no longer there."""
        if key in self._records:
            return self._records[key]
        if (place := self._places.get(key)) is None:
            return None
        file = self._files[key[0]]
        file.seek(place)
        return decode(Record, file.readline())
