"""``replay:FILE``: answers from stored generations, so that what another tool collected is scored here.

The file is JSONL, one row a line::

    {"id": "python/0007[digits:2]", "sample": 0, "text": "[69, 91]"}
    {"id": "sample_0", "text": ["[69, 91]", "[91, 69]"]}

``id`` and ``text`` are needed. ``id`` is a question's, the same without its brackets, or a program's
name; the most specific row answers. A list as ``text`` holds the samples from 0 on. ``sample`` and
``step`` count from 0, the default. ``suite`` limits a row to one suite. ``model`` is the model that
wrote it. ``finish`` is ``stop`` (default), ``length``, ``refused`` or ``too-long``. ``usage`` holds
token counts, ``{"prompt": 310, "completion": 12}``. ``prefilled`` says whether the text continues the
prefill of the question; where it is missing, a text that repeats the prefill does, and any other is a
reply of its own. Other keys are ignored.

Or it is one object as CRUXEval publishes them, ``{"sample_0": [TEXT, ...], ...}``. Its texts stand
where the assertion has its hole, so they continue the prefill where there is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from pytest_codereason.core import Completion, Model, ModelExample, Request, Usage
from pytest_codereason.errors import ModelError, UsageError
from pytest_codereason.models.replay.generations import Generations, Key, read
from pytest_codereason.models.shared.arguments import ModelArguments


class ReplayModel(Model):
    """One file of generations; of JSONL it holds where the rows are, not what they say."""

    concurrency = 256
    stored = False
    price = (0.0, 0.0)

    def __init__(self, name: str, model: str | None) -> None:
        self.label = f"replay:{name}"
        self._path = Path(name).expanduser()
        self._model = model
        self._file: BinaryIO | None = None

    @classmethod
    def examples(cls) -> Sequence[ModelExample]:
        """A file with one reply."""
        return [
            ModelExample(
                "replay:replies.jsonl",
                files={"replies.jsonl": '{"suite": "semtrace", "id": "python/0007[digits:2]", "text": "[1, 2]"}\n'},
                reply="[1, 2]",
            )
        ]

    @classmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> ReplayModel:
        """See :meth:`Model.create`; ``--model-arg model=NAME`` takes only the rows of that model."""
        if not name:
            raise UsageError("replay: names no file: write replay:FILE.jsonl")
        given = ModelArguments(f"replay:{name}", args)
        model = given.text("model")
        given.done()
        return cls(name, model)

    @property
    def identity(self) -> Mapping[str, Any]:
        """The digest of the file, which is read for it.

        Raises:
            UsageError: as :meth:`start`.
        """
        return {"sha256": self._generations.sha256, "model": self._model}

    @property
    def pinned(self) -> bool:
        """Always: the digest covers every answer."""
        return True

    async def check(self) -> None:
        """Reads the whole file once.

        Raises:
            UsageError: it is missing, empty or holds a row that cannot be; names file, line and key.
        """
        if not self._generations.places:
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
        place = self._generations.find(key)
        if place is None:
            step = f", step {key.step}" if key.step else ""
            raise ModelError(f"no stored generation of {key.id}, sample {key.sample}{step}, in {self._path}")
        row = self._generations.row(place, self._file)
        text = row["text"][key.sample] if isinstance(row["text"], list) else row["text"]
        return _completion(row, text, request.ask.prefill)

    async def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    @cached_property
    def _generations(self) -> Generations:
        return read(self._path, self._model)


def _completion(row: Mapping[str, Any], text: str, prefill: str) -> Completion:
    repeats = bool(prefill) and text.startswith(prefill)
    return Completion(
        text=text.removeprefix(prefill) if repeats else text,
        finish=row.get("finish") or "stop",
        prefilled=repeats or bool(prefill and row.get("prefilled")),
        usage=Usage(**(row.get("usage") or {})),
        latency_s=None,
        served_by=row.get("model"),
    )
