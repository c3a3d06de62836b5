"""Makes programs of a file and validates them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.errors import CodereasonError, DoesNotParse, describe_error
from pytest_codereason.harvest.outcomes import FileOutcome, HarvestedProgram
from pytest_codereason.harvest.settings import Settings
from pytest_codereason.harvest.sizing import count_functions, count_lines
from pytest_codereason.harvest.validating import validate
from pytest_codereason.harvest.walking import SourceFile

Execute = Callable[[Run], Execution]


def make_programs(file: SourceFile, text: str, settings: Settings, execute: Execute) -> FileOutcome:
    """What becomes of a file that is neither too short nor without a function.

    Raises:
        SandboxError: A program could not be run, and is not to blame.
    """
    outcome = FileOutcome(path=file.path, language=file.language, licence=file.licence, sha256=digest(text))
    try:
        return replace(outcome, programs=tuple(_make_each(file, text, settings, execute)))
    except CodereasonError:
        raise
    except Exception as error:  # a reader of foreign text may meet anything, and the other files go on
        return replace(outcome, refusal=Refusal("cannot be worked on", describe_error(error)))


def digest(text: str) -> str:
    """The digest of a file's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _make_each(file: SourceFile, text: str, settings: Settings, execute: Execute) -> Iterator[HarvestedProgram]:
    entry = PurePosixPath(file.path).name
    files = {entry: text}
    witnessed = validate(file.language, files, entry, execute)
    if isinstance(witnessed, Refusal):
        yield HarvestedProgram(refusal=witnessed)
        return
    yield HarvestedProgram(
        files=files,
        entry=entry,
        how="runs by itself",
        output=witnessed.output,
        edges=witnessed.edges,
        functions=_count_functions(file.language, files),
        lines=sum(map(count_lines, files.values())),
    )


def _count_functions(language: str, files: dict[str, str]) -> int:
    try:
        return sum(count_functions(language, name, text) for name, text in files.items())
    except DoesNotParse:
        return 0
