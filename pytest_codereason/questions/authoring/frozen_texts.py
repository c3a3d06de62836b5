"""The texts of frozen files, by the program they are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_codereason.core import Text, TextKind, TextRequest, digest
from pytest_codereason.core.files.frozen import open_frozen


@dataclass(frozen=True, slots=True)
class FrozenTexts:
    """The texts of one file. They are checked again when they are shown, as anybody may have written the file."""

    path: Path
    kind: str
    sha: str  #: digest of the texts, the same in every format of the file
    texts: Mapping[tuple[str, str], Text]  #: by the program's digest and what of it the text is about

    def text(self, request: TextRequest) -> Text:
        """The text for this request; without a value where the file has none."""
        return self.texts.get((request.program.sha, request.of), Text(reason=f"missing in {self.path.name}"))


def load(path: Path, kind: str = "") -> FrozenTexts:
    """The texts of a frozen file, which must be of this kind where one is named.

    Raises:
        UsageError: the file cannot be read, or is not what was frozen; names file and line.
    """
    frozen = open_frozen(path, kind)
    rows = frozen.rows(TextKind.columns)
    texts = {(row["sha"], row["of"]): Text(row["value"], row["by"], row["reason"]) for row in rows}
    return FrozenTexts(path, frozen.kind, digest([[*row.values()] for row in rows]), texts)
