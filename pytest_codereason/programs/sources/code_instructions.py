"""The Python programs of the fourth study: ``iamtarun/python_code_instructions_18k_alpaca`` of the Hugging Face hub.

Each of its 18,612 rows has an instruction in words and a program that follows it. The data set is not part of this
package: its file lies where ``CODEREASON_DATA`` says, or is fetched once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar, Self

from pytest_codereason.core import AxisValue
from pytest_codereason.core.files.fetching import Remote, find_file
from pytest_codereason.errors import BadSetting
from pytest_codereason.programs.sources._refusals import Refusals
from pytest_codereason.programs.sources._rows import Rows
from pytest_codereason.programs.sources._sizes import Sizes
from pytest_codereason.programs.sources._specified import SpecifiedProgram, SpecifiedSource

PUBLIC_NAME = "iamtarun/python_code_instructions_18k_alpaca"
#: The data set as one JSON object a line; looked for before the hub's own file.
EXPORTED = "python_code_instructions_18k_alpaca.jsonl"
#: Its checksum is not known here. The digest of the programs that are used stands in every plan.
FILE = Remote(
    name="python_code_instructions_18k_alpaca/data/train-00000-of-00001-8b6e212f3e1ece96.parquet",
    url=f"https://huggingface.co/datasets/{PUBLIC_NAME}/resolve/main/data/"
    "train-00000-of-00001-8b6e212f3e1ece96.parquet",
    others=(EXPORTED,),
    instead=f"a file {EXPORTED} in a folder of CODEREASON_DATA, with a row a line,",
)
#: What stands in the column ``input`` of a row that has no input.
NO_INPUT = frozenset({"", "not applicable", "not applicable.", "n/a", "none", "no input", "noinput", "<noinput>"})


class CodeInstructions(SpecifiedSource):
    """The programs of the instruction set; the instruction, with its input, is the specification."""

    name = "code-instructions"
    languages = ("python",)
    files: ClassVar[Mapping[str, Remote]] = {"python": FILE}
    licence = "not stated by its authors"
    settings = ("path",)
    beside_suite: ClassVar[frozenset[str]] = frozenset({"path"})

    def __init__(self, path: Path | None, sizes: Sizes, count: int | None) -> None:
        super().__init__(sizes, count)
        self._path = path

    @classmethod
    def _open(cls, settings: Mapping[str, object], sizes: Sizes, count: int | None) -> Self:
        """Settings: ``path`` (the file, as Parquet or as lines of JSON, instead of ``CODEREASON_DATA``)."""
        path = settings.get("path")
        if path is not None and not isinstance(path, str):
            raise BadSetting("path", f"'path' must be the path of a file, not {path!r}")
        return cls(None if path is None else Path(path), sizes, count)

    def describe_data(self, language: str) -> list[AxisValue]:
        """The file, and when it was changed."""
        path = self._find_file()
        return [str(path), path.stat().st_mtime_ns if path.is_file() else 0]

    def list_entries(self, language: str, refusals: Refusals) -> Iterator[tuple[str, SpecifiedProgram]]:
        """The rows that have ``instruction`` and ``output``; ``input`` may be missing."""
        rows = Rows.of(self._find_file())
        for place, row in rows.lines():
            fields = rows.fields(row, ("instruction", "output"), place)
            if fields is None:
                continue
            instruction, program = (field.strip() for field in fields)
            given = str(row.get("input") or "").strip()
            specification = instruction if given.lower() in NO_INPUT else f"{instruction}\n\nInput: {given}"
            yield (
                place,
                SpecifiedProgram(
                    name=place.replace(" ", "-"),
                    specification=specification,
                    source=f"{program}\n",
                    origin=f"{PUBLIC_NAME}/{place.replace(' ', '-')}",
                ),
            )
        refusals.include(rows.left_out)

    def _find_file(self) -> Path:
        return find_file(FILE) if self._path is None else self._path
