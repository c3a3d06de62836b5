"""A file of generations: which row answers what, checked as a whole before the first question.

Two shapes are told apart by content. JSONL has one row a line; of it only the places of the rows are
kept. CRUXEval's own is one object, ``{"sample_0": [TEXT, ...], ...}``, and is held.
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
from pytest_codereason.errors import UsageError

FINISHES = get_args(Finish)
USAGE = tuple(f.name for f in fields(Usage))
SHAPES = 'lines such as {"id": ..., "text": ...}, or one object such as {"sample_0": ["...", "..."], ...}'
#: Keys that say something about one sample, so that a row of several has none of them.
OF_ONE = ("sample", "usage")

#: Types, whether it must be there, and both in words, of each key of a row.
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
    """What one text answers; ``suite`` is ``None`` where it answers in every suite."""

    suite: str | None
    id: str
    sample: int
    step: int


@dataclass(slots=True)
class Generations:
    """A file that has been read: what it answers, and where."""

    path: Path
    sha256: str = ""
    places: dict[Key, int] = field(default_factory=dict)  #: offsets in bytes, or positions in ``held``
    held: list[dict[str, Any]] | None = None  #: the rows of a file that is one object

    def row(self, place: int, file: BinaryIO) -> dict[str, Any]:
        """The row at a place, out of the opened file."""
        if self.held is not None:
            return self.held[place]
        file.seek(place)
        row: dict[str, Any] = json.loads(file.readline())
        return row

    def find(self, key: Key) -> int | None:
        """The place of the most specific row: by the whole id, the id without brackets, the program's name.

        Of rows with the same id the one of that suite comes before the one of all suites.
        """
        question = key.id.partition("[")[0]
        for id in (key.id, question, question.partition("/")[2]):
            for suite in (key.suite, None):
                if (place := self.places.get(key._replace(id=id, suite=suite))) is not None:
                    return place
        return None


def read(path: Path, model: str | None) -> Generations:
    """Reads a file and checks every row.

    Args:
        path: the file.
        model: whose rows are taken; ``None`` for all.

    Raises:
        UsageError: it cannot be read, or holds a row that cannot be; names file, line and key.
    """
    try:
        with path.open("rb") as file:
            first = next((line for line in file if line.strip()), b"")
            file.seek(0)
            if _opens_object(first):
                return _object(path, file.read(), model)
            return _lines(path, file, model)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error


def _opens_object(line: bytes) -> bool:
    """Whether a file's first line begins an object with ids for keys."""
    if line.removeprefix(b"\xef\xbb\xbf").strip() == b"{":
        return True
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and not {"id", "text"} & set(row) and list in map(type, row.values())


def _lines(path: Path, file: BinaryIO, model: str | None) -> Generations:
    generations = Generations(path)
    sha256 = hashlib.sha256()
    at = 0
    for number, line in enumerate(file, 1):
        sha256.update(line)
        if line.strip():
            row = _parse(path, line, number)
            if not isinstance(row, dict):
                raise UsageError(f"{path}:{number}: must be an object: a file has {SHAPES}")
            if fault := next(_faults(row), None):
                raise _bad(path, number, *fault)
            if model is None or row.get("model") == model:
                _add(generations, row, at, number)
        at += len(line)
    generations.sha256 = sha256.hexdigest()
    return generations


def _object(path: Path, content: bytes, model: str | None) -> Generations:
    """A file of the shape of CRUXEval's; it does not say which model wrote it, so no ``model`` picks a row of it."""
    generations = Generations(path, hashlib.sha256(content).hexdigest(), held=[])
    assert generations.held is not None
    pairs = _parse(path, content, None, object_pairs_hook=list)
    seen: set[str] = set()
    for id, texts in pairs:
        if not isinstance(texts, list) or any(type(text) is not str for text in texts):
            allowed = f"must be a list of texts, one a sample: a file has {SHAPES}"
            raise _bad(path, _line_of(content, id), id, allowed)
        if id in seen:
            raise _bad(path, _line_of(content, id, again=True), id, "stands there twice")
        seen.add(id)
        if model is None:
            # In this shape a text is what stands in the assertion's hole.
            generations.held.append({"id": id, "text": texts, "prefilled": True})
            _add(generations, generations.held[-1], len(generations.held) - 1, 0)
    return generations


def _line_of(content: bytes, id: str, *, again: bool = False) -> int:
    """The line of a key of the file's object: the first, or the last one of several."""
    text = content.decode("utf-8-sig", "replace")
    names = re.finditer(r'"((?:[^"\\]|\\.)*)"\s*:', text)
    at = [name.start() for name in names if json.loads(f'"{name[1]}"', strict=False) == id]
    return text.count("\n", 0, at[-1 if again else 0]) + 1 if at else 1


def _add(generations: Generations, row: Mapping[str, Any], place: int, number: int) -> None:
    many = isinstance(row["text"], list)
    for sample in range(len(row["text"])) if many else (row.get("sample") or 0,):
        key = Key(row.get("suite"), row["id"], sample, row.get("step") or 0)
        if key in generations.places:
            raise _bad(generations.path, number, "id", f"{key.id!r}, sample {sample}, stands there twice")
        generations.places[key] = place


def _parse(path: Path, content: bytes, number: int | None, **hooks: Any) -> Any:
    """JSON out of a line, or out of a whole file (``number`` is ``None``)."""
    try:
        return json.loads(content, **hooks)
    except (ValueError, RecursionError) as error:
        line = number or getattr(error, "lineno", 1)
        raise UsageError(f"{path}:{line}: is not JSON: {error}: a file has {SHAPES}") from error


def _bad(path: Path, number: int, key: str, message: str) -> UsageError:
    return UsageError(f"{path}:{number}:{key}: {message}")


def _faults(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Key and complaint of everything in a row that cannot be."""
    for name, (kinds, needed, allowed) in ROW.items():
        value: Any = row.get(name)
        if name not in row and needed:
            yield name, f"is missing: a file has {SHAPES}"
        elif value is None and not needed:
            continue
        elif type(value) not in kinds or (isinstance(value, int) and value < 0):
            yield name, f"must be {allowed}"
    if isinstance(texts := row.get("text"), list):
        if any(type(text) is not str for text in texts):
            yield "text", f"must be {ROW['text'][2]}"
        yield from ((name, "goes with one text, not with a list") for name in OF_ONE if row.get(name) is not None)
    if row.get("finish") not in (None, *FINISHES):
        yield "finish", f"must be one of {', '.join(FINISHES)}"
    for name, count in (row.get("usage") or {}).items():
        if name not in USAGE:
            yield f"usage.{name}", f"is unknown: usage has {', '.join(USAGE)}"
        elif count is not None and not (type(count) is int and count >= 0):
            yield f"usage.{name}", "must be a whole number from 0 or null"
