"""``replay:FILE``: answers from stored generations, so that what another tool collected is scored here.

The file is JSONL, one generation a line::

    {"id": "python/0007[digits:2]", "sample": 0, "text": "[69, 91]"}

``id`` and ``text`` are needed. ``sample`` and ``step`` count from 0, the default. ``suite`` limits a
row to one suite. ``model`` is the model that wrote it. ``finish`` is ``stop`` (default), ``length``,
``refused`` or ``too-long``. ``usage`` holds token counts, ``{"prompt": 310, "completion": 12}``.
``prefilled`` says whether the text continues the prefill of the question; where it is missing, a
text that repeats the prefill does, and any other is a reply of its own. Other keys are ignored.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, get_args

from pytest_codereason.core import Completion, Finish, Model, Request, Usage
from pytest_codereason.errors import ModelError, UsageError
from pytest_codereason.models._arguments import Arguments

FINISHES = get_args(Finish)
USAGE = tuple(f.name for f in fields(Usage))

#: Types, whether it must be there, and both in words, of each key of a row.
ROW: Mapping[str, tuple[type, bool, str]] = {
    "id": (str, True, "text"),
    "text": (str, True, "text"),
    "sample": (int, False, "a whole number from 0"),
    "step": (int, False, "a whole number from 0"),
    "suite": (str, False, "text"),
    "model": (str, False, "text"),
    "finish": (str, False, "text"),
    "prefilled": (bool, False, "true or false"),
    "usage": (dict, False, "an object"),
}


class Key(NamedTuple):
    """What one row answers; ``suite`` is ``None`` where it answers in every suite."""

    suite: str | None
    id: str
    sample: int
    step: int


class Index(NamedTuple):
    """Where each row begins, in bytes, and the digest of the whole file."""

    offsets: dict[Key, int]
    sha256: str


class ReplayModel(Model):
    """One file of generations; holds where its rows are, not what they say."""

    concurrency = 256
    stored = False
    price = (0.0, 0.0)

    def __init__(self, name: str, model: str | None) -> None:
        self.label = f"replay:{name}"
        self._path = Path(name).expanduser()
        self._model = model
        self._file: BinaryIO | None = None

    @classmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> ReplayModel:
        """See :meth:`Model.create`; ``--model-arg model=NAME`` takes only the rows of that model."""
        if not name:
            raise UsageError("replay: names no file: write replay:FILE.jsonl")
        given = Arguments(f"replay:{name}", args)
        model = given.text("model")
        given.done()
        return cls(name, model)

    @property
    def identity(self) -> Mapping[str, Any]:
        """The digest of the file, which is read for it.

        Raises:
            UsageError: as :meth:`start`.
        """
        return {"sha256": self._index.sha256, "model": self._model}

    @property
    def pinned(self) -> bool:
        """Always: the digest covers every answer."""
        return True

    async def check(self) -> None:
        """Reads the whole file once.

        Raises:
            UsageError: it is missing, empty or holds a row that cannot be; names file, line and key.
        """
        if not self._index.offsets:
            raise UsageError(f"{self._path}: holds no generations" + (f" of {self._model!r}" if self._model else ""))

    async def start(self) -> None:
        """Opens the file, which :meth:`check` has read."""
        await self.check()
        self._file = self._path.open("rb")

    async def answer(self, request: Request) -> Completion:
        """The stored reply to that question and sample.

        Raises:
            ModelError: there is none.
        """
        assert self._file is not None, "start() comes first"
        key = Key(request.instance.suite, request.instance.id, request.sample, request.step)
        offsets = self._index.offsets
        offset = offsets.get(key, offsets.get(key._replace(suite=None)))
        if offset is None:
            step = f", step {key.step}" if key.step else ""
            raise ModelError(f"no stored generation of {key.id}, sample {key.sample}{step}, in {self._path}")
        self._file.seek(offset)
        row = json.loads(self._file.readline())
        return _completion(row, request.ask.prefill)

    async def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    @cached_property
    def _index(self) -> Index:
        offsets: dict[Key, int] = {}
        sha256 = hashlib.sha256()
        at = 0
        try:
            with self._path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    sha256.update(line)
                    if line.strip() and (key := self._key(line, number)):
                        if key in offsets:
                            raise self._bad(number, "id", f"{key.id!r}, sample {key.sample}, stands there twice")
                        offsets[key] = at
                    at += len(line)
        except OSError as error:
            raise UsageError(f"{self._path}: cannot be read: {error.strerror or error}") from error
        return Index(offsets, sha256.hexdigest())

    def _key(self, line: bytes, number: int) -> Key | None:
        """The key of a row, checked; ``None`` for a row of another model."""
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UsageError(f"{self._path}:{number}: is not JSON: {error}") from error
        if not isinstance(row, dict):
            raise UsageError(f'{self._path}:{number}: must be an object such as {{"id": ..., "text": ...}}')
        if found := next(_faults(row), None):
            raise self._bad(number, *found)
        if self._model is not None and row.get("model") != self._model:
            return None
        return Key(row.get("suite"), row["id"], row.get("sample") or 0, row.get("step") or 0)

    def _bad(self, number: int, key: str, message: str) -> UsageError:
        return UsageError(f"{self._path}:{number}:{key}: {message}")


def _faults(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Key and complaint of everything in a row that cannot be."""
    for name, (kind, needed, allowed) in ROW.items():
        value: Any = row.get(name)
        if name not in row and needed:
            yield name, "is missing"
        elif value is None and not needed:
            continue
        elif type(value) is not kind or (isinstance(value, int) and value < 0):
            yield name, f"must be {allowed}"
    if row.get("finish") not in (None, *FINISHES):
        yield "finish", f"must be one of {', '.join(FINISHES)}"
    for name, count in (row.get("usage") or {}).items():
        if name not in USAGE:
            yield f"usage.{name}", f"is unknown: usage has {', '.join(USAGE)}"
        elif count is not None and not (type(count) is int and count >= 0):
            yield f"usage.{name}", "must be a whole number from 0 or null"


def _completion(row: Mapping[str, Any], prefill: str) -> Completion:
    text = row["text"]
    repeats = bool(prefill) and text.startswith(prefill)
    return Completion(
        text=text.removeprefix(prefill) if repeats else text,
        finish=row.get("finish") or "stop",
        prefilled=repeats or bool(prefill and row.get("prefilled")),
        usage=Usage(**(row.get("usage") or {})),
        latency_s=None,
        served_by=row.get("model"),
    )
