"""What hints say where the rule does not: texts that somebody wrote, and the file in which they are frozen.

The file is JSON lines. The first says how many texts follow, who wrote them and their digest; each other line is one
text: the program's name, language and digest, which fact is misstated, and the text, or why there is none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pytest_codereason.core import Program, digest
from pytest_codereason.errors import UsageError
from pytest_codereason.files.locations import shown

FORMAT = 1
RULE = "rule"


class Text(NamedTuple):
    """What a hint is to say of one program; without a value, what the rule says."""

    value: str = ""
    by: str = RULE  #: who wrote it: a model's label
    reason: str = ""  #: why it is for the rule, in words that follow a number: ``refused``

    @property
    def author(self) -> str:
        """Who wrote it, as a record says it: ``openai:x``, ``rule``, ``rule: refused``."""
        return f"{self.by}: {self.reason}" if self.reason else self.by


BY_RULE = Text()


class Texts(Protocol):
    """Something that knows what hints are to say."""

    async def text(self, program: Program, of: str) -> Text:
        """What a hint at the ``output`` or ``input`` of a program, as its source gave it, is to say."""


class Row(NamedTuple):
    """One line of a file of hints."""

    program: str  #: its name, for the reader of the file
    language: str
    sha: str  #: of the program
    of: str  #: ``output`` or ``input``
    value: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Hints:
    """The texts of a file."""

    path: Path
    sha: str  #: digest of the texts, the same whatever the file's line ends
    texts: Mapping[tuple[str, str], Text]  #: by the program's digest and what is misstated

    async def text(self, program: Program, of: str) -> Text:
        """See :class:`Texts`."""
        return self.texts.get((program.sha, of), Text(reason=f"missing in {self.path.name}"))


def write(path: Path, rows: Sequence[Row]) -> str:
    """Freezes texts; gives their digest.

    Raises:
        OSError: the file cannot be written.
    """
    sha = digest(rows)
    first = {"format": FORMAT, "texts": len(rows), "writers": sorted({row.by for row in rows}), "sha256": sha}
    lines = [first, *(row._asdict() for row in rows)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8", newline="\n")
    return sha


def load(path: Path) -> Hints:
    """The texts of a file.

    Raises:
        UsageError: it cannot be read, or is not what was written; names file and line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{shown(path)}: the hints cannot be read: {error}") from error
    first = _parsed(path, lines, 1)
    if first.get("format") != FORMAT:
        raise UsageError(f"{shown(path)}:1: no file of hints in format {FORMAT}; write it with codereason prepare")
    rows = [_row(path, lines, number) for number in range(2, len(lines) + 1)]
    if len(rows) != first.get("texts"):
        raise UsageError(f"{shown(path)}:{len(lines)}: ends after {len(rows)} of {first.get('texts')} texts")
    if digest(rows) != first.get("sha256"):
        raise UsageError(f"{shown(path)}:1: the texts are not those that were frozen: their checksum differs")
    return Hints(path, digest(rows), {(row.sha, row.of): Text(row.value, row.by, row.reason) for row in rows})


def _row(path: Path, lines: Sequence[str], number: int) -> Row:
    found = _parsed(path, lines, number)
    if found.keys() != {*Row._fields} or not all(isinstance(value, str) for value in found.values()):
        raise UsageError(f"{shown(path)}:{number}: no text of a hint: it must have {', '.join(Row._fields)}")
    return Row(**found)


def _parsed(path: Path, lines: Sequence[str], number: int) -> dict[str, Any]:
    try:
        found = json.loads(lines[number - 1])
    except (IndexError, ValueError, RecursionError) as error:
        raise UsageError(f"{shown(path)}:{number}: damaged: {error}") from error
    if not isinstance(found, dict):
        raise UsageError(f"{shown(path)}:{number}: damaged: no object")
    return found
