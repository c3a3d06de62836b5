"""CRUXEval-X: the functions of CRUXEval translated to other languages, each with a test of its own.

The data set is not part of this package: ``cruxeval-x/js.json`` and its like lie where
``CODEREASON_DATA`` says, or are fetched once. Python is CRUXEval itself. Call and
expected value are cut out of each program's test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pytest_codereason.core.files.fetching import Remote
from pytest_codereason.programs.sources._cruxeval_tests import CUTTERS
from pytest_codereason.programs.sources._dataset import DataSet
from pytest_codereason.programs.sources._rows import Entry, Rows
from pytest_codereason.programs.sources.cruxeval import CruxEval

_ORIGIN = (
    "https://raw.githubusercontent.com/CRUXEVAL-X/cruxeval-x/"
    "8ef188d935f0100c306ee5485bef44319f523d63/datasets/cruxeval-x"
)
TRANSLATED = {
    language: Remote(name=f"cruxeval-x/{file}", url=f"{_ORIGIN}/{file}", sha256=sha256, size=size)
    for language, file, size, sha256 in (
        ("javascript", "js.json", 311_059, "83976a508f36bb6f92aac25adb57bca0a4cd95d27f3bcc38b09e54e69ebb93c0"),
        ("php", "php.json", 366_171, "872cc8f7fb43b0dc57ef12f217f6275ace60d0341cf8f176e15aed39420ed4cd"),
        ("java", "java.json", 506_380, "ed9a15a00219b12c5a21c307195a1e7a042b4cf7ab37826e31e8edaf31a107c2"),
    )
}
#: A line of no program: a translator told something about its code.
FENCE = "\n```"


class CruxEvalX(DataSet):
    """The functions of CRUXEval in four languages; a function has one name, ``sample_0`` to ``sample_799``, in all."""

    name = "cruxeval-x"
    languages = ("python", "javascript", "php", "java")
    files: ClassVar[Mapping[str, Remote]] = {**CruxEval.files, **TRANSLATED}
    licence = "research only"

    @classmethod
    def entries(cls, rows: Rows, name: str) -> Iterator[tuple[str, Entry]]:
        """The rows that have ``id`` and ``code``, and end with the test that all of them have."""
        if name == "python":
            yield from CruxEval.entries(rows, name)
            return
        for place, row in rows.array():
            number = row.get("id")
            if type(number) is not int:
                rows.leave_out("no 'id'", place)
            elif fields := rows.fields(row, ("code",), place):
                if FENCE in fields[0]:
                    rows.leave_out("its code is surrounded by prose", place)
                    continue
                tested = CUTTERS[name](fields[0])
                if tested is None:
                    rows.leave_out("its test is not as expected", place)
                else:
                    given = tested.call.partition("(")[2][:-1]
                    yield place, Entry(f"sample_{number}", tested.source, tested.call, given, tested.value)
