"""``replay:FILE``: answers from stored generations, such as those that another tool collected.

The file is JSONL, one row a line::

    {"id": "python/0007[digits:2]", "sample": 0, "text": "[69, 91]"}
    {"id": "sample_0", "text": ["[69, 91]", "[91, 69]"]}

A row needs ``id`` and ``text``; other keys are optional.

- ``id``: the id of a question, the same without its brackets, or the name of a program. The most specific row answers.
- ``text``: the reply, or a list of replies, one for each sample.
- ``sample``, ``step``: count from 0, the default.
- ``suite``: limits the row to one suite.
- ``model``: the model that wrote the reply.
- ``finish``: ``stop`` (default), ``length``, ``refused`` or ``too-long``.
- ``usage``: token counts, ``{"prompt": 310, "completion": 12}``.
- ``error``: why there is no reply. The question gets no answer then; a text beside it is not scored.
- ``prefilled``: whether the text continues the question's prefill. If the key is missing, a text that repeats the
  prefill continues it, and any other text is a whole reply.

Other keys are ignored. The file may also be one object in the format of CRUXEval, ``{"sample_0": [TEXT, ...], ...}``.
Its texts fill the hole of an assertion, so they continue the question's prefill, if there is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from pytest_codereason.core import Completion, Model, ModelExample, Request, Usage
from pytest_codereason.errors import ModelError, UsageError
from pytest_codereason.models.replay.generations import Generations, Key, read_generations
from pytest_codereason.models.shared.arguments import ModelArguments

LONGEST_MESSAGE = 300  #: characters of a stored error that are shown


class ReplayModel(Model):
    """Answers from one file of generations. Of a JSONL file only the places of the rows are kept in memory."""

    concurrency = 256
    stored = False
    takes_sampling = False
    takes_url = False
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
        """See :meth:`Model.create`. ``--model-arg model=NAME`` uses the rows of that model only."""
        if not name:
            raise UsageError("replay: names no file: write replay:FILE.jsonl")
        arguments = ModelArguments(f"replay:{name}", args, takes_sampling=False)
        model = arguments.text("model")
        arguments.check_rest()
        return cls(name, model)

    @property
    def identity(self) -> Mapping[str, Any]:
        """The digest of the file. The first call reads the file.

        Raises:
            UsageError: as :meth:`start`.
        """
        return {"sha256": self._generations.sha256, "model": self._model}

    @property
    def pinned(self) -> bool:
        """True: the digest covers every answer."""
        return True

    async def check(self) -> None:
        """Reads the whole file once.

        Raises:
            UsageError: the file is missing or empty, or a row is invalid. The message names file, line and key.
        """
        if not self._generations.places:
            raise UsageError(f"{self._path}: holds no generations" + (f" of {self._model!r}" if self._model else ""))

    async def start(self) -> None:
        """Checks the file and opens it."""
        await self.check()
        self._file = self._path.open("rb")

    async def answer(self, request: Request) -> Completion:
        """The stored reply to a question and sample.

        Raises:
            ModelError: the file holds no such reply, or an error in its place.
        """
        assert self._file is not None, "start() comes first"
        key = Key(request.instance.suite, request.instance.id, request.sample, request.step)
        place = self._generations.find(key)
        if place is None:
            step = f", step {key.step}" if key.step else ""
            raise ModelError(f"no stored generation of {key.id}, sample {key.sample}{step}, in {self._path}")
        row = self._generations.read_row(place, self._file)
        if row.get("error"):
            raise ModelError(
                f"the stored generation of {key.id}, sample {key.sample}, is an error: {_tell(row['error'])}"
            )
        text = row["text"][key.sample] if isinstance(row["text"], list) else row["text"]
        return _make_completion(row, text, request.ask.prefill)

    async def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    @cached_property
    def _generations(self) -> Generations:
        return read_generations(self._path, self._model)


def _tell(error: Any) -> str:
    """An error of any form in one line."""
    message = error.get("message") if isinstance(error, dict) else error
    return " ".join(str(message or error).split())[:LONGEST_MESSAGE]


def _make_completion(row: Mapping[str, Any], text: str, prefill: str) -> Completion:
    repeats = bool(prefill) and text.startswith(prefill)
    return Completion(
        text=text.removeprefix(prefill) if repeats else text,
        finish=row.get("finish") or "stop",
        prefilled=repeats or bool(prefill and row.get("prefilled")),
        usage=Usage(**(row.get("usage") or {})),
        latency_s=None,
        served_by=row.get("model"),
    )
