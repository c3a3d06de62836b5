"""CRUXEval-X: the functions of CRUXEval translated to other languages, each with a test of its own.

The data set is not part of this package: ``cruxeval-x/js.json`` and its like lie where
``CODEREASON_DATA`` says. Call and expected value are cut out of each program's test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pytest_codereason.sources._cruxeval_tests import CUTTERS
from pytest_codereason.sources._dataset import DataSet, Entry
from pytest_codereason.sources._rows import Rows


class CruxEvalX(DataSet):
    """Its functions in JavaScript, PHP and Java; names are those of CRUXEval, ``sample_0`` to ``sample_799``."""

    name = "cruxeval-x"
    languages = ("javascript", "php", "java")
    files: ClassVar[Mapping[str, str]] = {
        "javascript": "cruxeval-x/js.json",
        "php": "cruxeval-x/php.json",
        "java": "cruxeval-x/java.json",
    }
    licence = "research only"

    @classmethod
    def entries(cls, rows: Rows, name: str) -> Iterator[tuple[str, Entry]]:
        """The rows that have ``id`` and ``code``, and end with the test that all of them have."""
        for place, row in rows.array():
            number = row.get("id")
            if type(number) is not int:
                rows.leave_out("no 'id'", place)
            elif fields := rows.fields(row, ("code",), place):
                tested = CUTTERS[name](fields[0])
                if tested is None:
                    rows.leave_out("its test is not as expected", place)
                else:
                    given = tested.call.partition("(")[2][:-1]
                    yield place, Entry(f"sample_{number}", tested.source, tested.call, given, tested.value)
