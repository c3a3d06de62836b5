"""What became of a file: a refusal, or programs; and of each program: a refusal, or its call graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_codereason.core.facts import Edges
from pytest_codereason.core.files.typed_json import convert
from pytest_codereason.core.refusals import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class HarvestedProgram:
    """A program that was made of a file."""

    part: str = ""  #: the definition that it was cut around, empty for the whole file
    refusal: Refusal | None = None
    files: Mapping[str, str] | None = None  #: None if it was refused
    entry: str = ""
    how: str = ""  #: where its driver comes from
    changes: tuple[str, ...] = ()  #: what is not as in the repository, besides the driver
    output: str = ""
    edges: Edges | None = None
    functions: int = 0  #: declared
    lines: int = 0  #: not blank


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOutcome:
    """What became of one file."""

    path: str
    language: str
    sha256: str = ""  #: of its text; empty if it was not read
    licence: str = ""
    refusal: Refusal | None = None
    programs: tuple[HarvestedProgram, ...] = ()
    source: str = ""  #: its text, as long as a writer is to be asked for its driver


def to_json(outcome: FileOutcome) -> dict[str, object]:
    """An outcome as a line of the journal. What is empty is left out."""
    line = {
        name: getattr(outcome, name)
        for name in ("path", "language", "sha256", "licence", "refusal", "source")
        if getattr(outcome, name)
    }
    if outcome.programs:
        names = HarvestedProgram.__dataclass_fields__
        line["programs"] = [{n: v for n in names if (v := getattr(program, n))} for program in outcome.programs]
    return line


def from_json(line: Mapping[str, object]) -> FileOutcome:
    """The outcome of a line of the journal."""
    return convert(FileOutcome, line)
