"""CRUXEval: 800 short Python functions, each with one input and the output recorded for it.

The data set is not part of this package: ``cruxeval.jsonl`` lies where ``CODEREASON_DATA`` says, or is
fetched once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pytest_codereason.core.files.fetching import Remote
from pytest_codereason.programs.sources._dataset import DataSet
from pytest_codereason.programs.sources._rows import Entry, Rows


class CruxEval(DataSet):
    """The functions of CRUXEval; names are the data set's, ``sample_0`` to ``sample_799``."""

    name = "cruxeval"
    languages = ("python",)
    files: ClassVar[Mapping[str, Remote]] = {
        "python": Remote(
            name="cruxeval.jsonl",
            url="https://raw.githubusercontent.com/facebookresearch/cruxeval/"
            "c7c787365a9a448f4a07058fb57b19fee7d4c471/data/cruxeval.jsonl",
            sha256="8368b81047dc5014e4caf5a2f97604eff7644e0ecd7415e3ceeb184bbc2e0c96",
            size=186_873,
        )
    }
    licence = "MIT"

    @classmethod
    def entries(cls, rows: Rows, name: str) -> Iterator[tuple[str, Entry]]:
        """The rows that have ``id``, ``code``, ``input`` and ``output``."""
        for place, row in rows.lines():
            if fields := rows.fields(row, ("id", "code", "input", "output"), place):
                known, code, given, output = fields
                yield place, Entry(known, code.rstrip("\n") + "\n", f"f({given})", given, output)
