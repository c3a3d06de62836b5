"""Reads a file of generations: finds the row that answers a question. Every row is checked before the first question.

The content decides between two formats. JSONL has one row a line, and only the places of the rows are kept in memory.
CRUXEval's format is one object, ``{"sample_0": [TEXT, ...], ...}``, and is kept in memory as a whole.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, get_args

from pytest_codereason.core import Finish, Usage
from pytest_codereason.core.files.caps import read_capped
from pytest_codereason.errors import UsageError

FINISHES = get_args(Finish)
USAGE = tuple(f.name for f in fields(Usage))
SHAPES = 'lines such as {"id": ..., "text": ...}, or one object such as {"sample_0": ["...", "..."], ...}'
#: Keys that describe one sample. A row with several samples must not have them.
OF_ONE = ("sample", "usage")

#: For each key of a row: its types, whether the key is required, and the types in words.
ROW: Mapping[str, tuple[tuple[type, ...], bool, str]] = {
    "id": ((str,), True, "text"),
    "text": ((str, list), True, "text, or a list of texts, one a sample"),
    "sample": ((int,), False, "a whole number from 0"),
    "step": ((int,), False, "a whole number from 0"),
    "suite": ((str,), False, "text"),
    "model": ((str,), False, "text"),
    "finish": ((str,), False, "text"),
    "prefilled": ((bool,), False, "true or false"),
    "usage": ((dict,), False, "an object"),
}


class Key(NamedTuple):
    """The question, sample and step that a text answers. A text with ``suite`` ``None`` answers in every suite."""

    suite: str | None
    id: str
    sample: int
    step: int


@dataclass(slots=True)
class Generations:
    """The places of all rows of a file, by the question that they answer."""

    path: Path
    sha256: str = ""
    places: dict[Key, int] = field(default_factory=dict)  #: offsets in bytes, or positions in ``rows``
    rows: list[dict[str, Any]] | None = None  #: the rows, if the file is one object

    def read_row(self, place: int, file: BinaryIO) -> dict[str, Any]:
        """The row at a place of the open file."""
        if self.rows is not None:
            return self.rows[place]
        file.seek(place)
        row: dict[str, Any] = json.loads(file.readline())
        return row

    def find(self, key: Key) -> int | None:
        """The place of the most specific row: by the whole id, else the id without brackets, else the program's name.

        Of two rows with the same id, the one of the question's suite comes before the one of all suites.
        """
        question = key.id.partition("[")[0]
        for id in (key.id, question, question.partition("/")[2]):
            for suite in (key.suite, None):
                if (place := self.places.get(key._replace(id=id, suite=suite))) is not None:
                    return place
        return None


def read_generations(path: Path, model: str | None) -> Generations:
    """Reads a file and checks every row.

    Args:
        path: the file.
        model: the model whose rows are used, ``None`` for all.

    Raises:
        UsageError: the file cannot be read, or a row is invalid. The message names file, line and key.
    """
    try:
        with path.open("rb") as file:
            first = next((line for line in file if line.strip()), b"")
            file.seek(0)
            if _opens_object(first):
                return _read_object(path, read_capped(path), model)
            return _read_lines(path, file, model)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error


def _opens_object(line: bytes) -> bool:
    """Whether the first line of a file begins an object whose keys are ids."""
    if line.removeprefix(b"\xef\xbb\xbf").strip() == b"{":
        return True
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and not {"id", "text"} & set(row) and list in map(type, row.values())


def _read_lines(path: Path, file: BinaryIO, model: str | None) -> Generations:
    generations = Generations(path)
    sha256 = hashlib.sha256()
    at = 0
    for number, line in enumerate(file, 1):
        sha256.update(line)
        if line.strip():
            row = _parse(path, line, number)
            if not isinstance(row, dict):
                raise UsageError(f"{path}:{number}: must be an object: a file has {SHAPES}")
            if defect := next(_list_defects(row), None):
                raise _make_error(path, number, *defect)
            if model is None or row.get("model") == model:
                _add_row(generations, row, at, number)
        at += len(line)
    generations.sha256 = sha256.hexdigest()
    return generations


def _read_object(path: Path, content: bytes, model: str | None) -> Generations:
    """Reads a file in CRUXEval's format. The format names no model, so with a ``model`` no row is used."""
    generations = Generations(path, hashlib.sha256(content).hexdigest(), rows=[])
    assert generations.rows is not None
    pairs = _parse(path, content, None, object_pairs_hook=list)
    seen: set[str] = set()
    for id, texts in pairs:
        if not isinstance(texts, list) or any(type(text) is not str for text in texts):
            allowed = f"must be a list of texts, one a sample: a file has {SHAPES}"
            raise _make_error(path, _find_line(content, id), id, allowed)
        if id in seen:
            raise _make_error(path, _find_line(content, id, again=True), id, "occurs twice")
        seen.add(id)
        if model is None:
            # In this format a text fills the hole of an assertion.
            generations.rows.append({"id": id, "text": texts, "prefilled": True})
            _add_row(generations, generations.rows[-1], len(generations.rows) - 1, 0)
    return generations


def _find_line(content: bytes, id: str, *, again: bool = False) -> int:
    """The line of a key in the file's object. With ``again``, the line of its last repetition."""
    text = content.decode("utf-8-sig", "replace")
    names = re.finditer(r'"((?:[^"\\]|\\.)*)"\s*:', text)
    at = [name.start() for name in names if json.loads(f'"{name[1]}"', strict=False) == id]
    return text.count("\n", 0, at[-1 if again else 0]) + 1 if at else 1


def _add_row(generations: Generations, row: Mapping[str, Any], place: int, number: int) -> None:
    text = row.get("text")
    for sample in range(len(text)) if isinstance(text, list) else (row.get("sample") or 0,):
        key = Key(row.get("suite"), row["id"], sample, row.get("step") or 0)
        if key in generations.places:
            raise _make_error(generations.path, number, "id", f"{key.id!r}, sample {sample}, occurs twice")
        generations.places[key] = place


def _parse(path: Path, content: bytes, number: int | None, **hooks: Any) -> Any:
    """The JSON value of a line, or of a whole file if ``number`` is ``None``."""
    try:
        return json.loads(content, **hooks)
    except (ValueError, RecursionError) as error:
        line = number or getattr(error, "lineno", 1)
        raise UsageError(f"{path}:{line}: is not JSON: {error}: a file has {SHAPES}") from error


def _make_error(path: Path, number: int, key: str, message: str) -> UsageError:
    return UsageError(f"{path}:{number}:{key}: {message}")


def _list_defects(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The key and the complaint for each mistake in a row."""
    for name, (kinds, needed, allowed) in ROW.items():
        value: Any = row.get(name)
        optional = not needed or (name == "text" and row.get("error"))
        if name not in row and not optional:
            yield name, f"is missing: a file has {SHAPES}"
        elif value is None and optional:
            continue
        elif type(value) not in kinds or (isinstance(value, int) and value < 0):
            yield name, f"must be {allowed}"
    if isinstance(texts := row.get("text"), list):
        if any(type(text) is not str for text in texts):
            yield "text", f"must be {ROW['text'][2]}"
        yield from (
            (name, "is allowed with one text only, not with a list") for name in OF_ONE if row.get(name) is not None
        )
    if row.get("finish") not in (None, *FINISHES):
        yield "finish", f"must be one of {', '.join(FINISHES)}"
    for name, count in (row.get("usage") or {}).items():
        if name not in USAGE:
            yield f"usage.{name}", f"is unknown: usage has {', '.join(USAGE)}"
        elif count is not None and not (type(count) is int and count >= 0):
            yield f"usage.{name}", "must be a whole number from 0 or null"
