"""CRUXEval: 800 short Python functions, each with one input and the output recorded for it.

The data set is not part of this package: ``cruxeval.jsonl`` lies where ``CODEREASON_DATA`` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pytest_codereason.sources._dataset import DataSet, Entry
from pytest_codereason.sources._rows import Rows


class CruxEval(DataSet):
    """The functions of CRUXEval; names are the data set's, ``sample_0`` to ``sample_799``."""

    name = "cruxeval"
    languages = ("python",)
    files: ClassVar[Mapping[str, str]] = {"python": "cruxeval.jsonl"}
    licence = "MIT"

    @classmethod
    def entries(cls, rows: Rows, name: str) -> Iterator[tuple[str, Entry]]:
        """The rows that have ``id``, ``code``, ``input`` and ``output``."""
        for place, row in rows.lines():
            if fields := rows.fields(row, ("id", "code", "input", "output"), place):
                known, code, given, output = fields
                yield place, Entry(known, code.rstrip("\n") + "\n", f"f({given})", given, output)
