"""The whole records of a run by key, each read when it is asked for, so that no run has to fit into memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Self

from pytest_codereason.core.files.caps import open_ordinary
from pytest_codereason.results.records.records import Key, RecordSource, name_record, read_places


class RecordIndex:
    """Finds a record with its texts by its key. A context manager: the files stay open inside of it.

    Of two records with the same key the later one counts.
    """

    def __init__(self, sources: Mapping[str, RecordSource]) -> None:
        self._sources = sources
        self._files: dict[str, IO[bytes]] = {}
        self._places: dict[Key, int] = {}
        self._rows: dict[Key, Mapping[str, Any]] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        for run, source in self._sources.items():
            if isinstance(source, Path):
                self._files[run] = self._stack.enter_context(open_ordinary(source))
            for place, row in read_places(source):
                if key := name_record(run, row):
                    if isinstance(source, Path):
                        self._places[key] = place
                    else:
                        self._rows[key] = row
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def read(self, key: Key) -> Mapping[str, Any] | None:
        """The record of this key; ``None`` if it is no longer there."""
        if key in self._rows:
            return self._rows[key]
        if (place := self._places.get(key)) is None:
            return None
        file = self._files[key[0]]
        file.seek(place)
        row: Mapping[str, Any] = json.loads(file.readline())
        return row
