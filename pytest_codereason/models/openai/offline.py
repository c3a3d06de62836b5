"""A model that is asked by files: any engine that reads OpenAI's batches answers them, on whatever machine.

Example: ``--model=openai:qwen --model-url=file:offline --eval-batch`` writes ``offline/batch-1.jsonl`` and ends. Once
``offline/batch-1.out.jsonl`` is there, the same command reads it. It then has all answers, or writes ``batch-2.jsonl``.
"""

from __future__ import annotations

import itertools
import json
import shlex
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from pytest_codereason.core import Completion, Request
from pytest_codereason.core.batches import BatchState, BatchTerms, SentBatch
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.errors import BadArgument, FatalModelError, UsageError, describe_file_error
from pytest_codereason.models.openai import OpenAIModel
from pytest_codereason.models.openai.endpoint import FOLDER
from pytest_codereason.models.openai.forms.openai import OpenAIForm


class OfflineModel(OpenAIModel):
    """One model that is asked by files in a folder."""

    @classmethod
    def _read_urls(cls, url: str, named: str) -> tuple[str, ...]:
        if len(url) == len(FOLDER):
            raise BadArgument(f"{named} {url} names no folder", key="url", complaint=f"url = '{url}' names no folder")
        return (url,)

    async def start(self) -> None:
        """Needs nothing: nobody is reached."""
        if self._prefill == "auto":
            self._prefill = "never"

    async def answer(self, request: Request) -> Completion:
        """Refuses: there is no server."""
        raise FatalModelError(f"{self.label} is asked by files: add --eval-batch")

    @property
    def batching(self) -> FileBatching:
        """Files in the folder."""
        return self._make_batching(FileBatching)


class FileBatching(OpenAIForm):
    """Batches as files. All requests that can be asked are in one file, because somebody has it answered by hand."""

    needed = True
    #: no limits, and the price of whoever answers
    terms = BatchTerms(most_lines=10**9, most_bytes=10**12, discount=1.0)

    @property
    def _folder(self) -> Path:
        return Path(str(self.address["url"]).removeprefix(FOLDER)).expanduser().absolute()

    def describe(self) -> str:
        """See :meth:`Batching.describe`."""
        return f"is asked by files in {shorten_path(self._folder)}"

    async def check(self) -> None:
        """See :meth:`Batching.check`."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{shorten_path(self._folder)} cannot be made: {describe_file_error(error)}") from error

    async def upload(self, name: str, lines: Sequence[bytes]) -> str:
        """See :meth:`Batching.upload`."""
        names = (f"batch-{number}.jsonl" for number in itertools.count(1))
        path = next(path for each in names if not (path := self._folder / each).exists() and not _list_results(path))
        unfinished = path.with_name(f".{name}")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(b"".join(line + b"\n" for line in lines))
            unfinished.rename(path)
        except OSError as error:
            raise FatalModelError(f"{shorten_path(path)} cannot be written: {describe_file_error(error)}") from error
        return str(path)

    async def create(self, batch: SentBatch, lines: Sequence[bytes]) -> str:
        """See :meth:`Batching.create`."""
        return batch.file

    async def find(self, batch: SentBatch) -> str | None:
        """See :meth:`Batching.find`."""
        return batch.file if Path(batch.file).exists() else None

    async def look(self, id: str) -> BatchState:
        """See :meth:`Batching.look`. Nobody waits for people: the run ends and says what to do."""
        path = Path(id)
        if results := _list_results(path):
            return BatchState("completed", results=tuple(results))
        if not path.exists():
            return BatchState("expired", results=())
        requests, answers = (shorten_path(each) for each in (path, path.with_name(f"{path.stem}.out.jsonl")))
        command = shlex.join(["vllm", "run-batch", "-i", requests, "-o", answers, "--model", self._model])
        raise FatalModelError(
            f"{requests} waits for its answers in {answers}; give them, for example by: {command}; then run the same "
            "command again"
        )

    async def fetch(self, state: BatchState) -> AsyncIterator[tuple[str, object]]:
        """See :meth:`Batching.fetch`."""
        for path in state.results:
            with path.open("rb") as file:
                for line in file:
                    try:
                        result = json.loads(line)
                    except (ValueError, RecursionError):
                        continue
                    if isinstance(result, dict):
                        yield str(result.get("custom_id")), _complete(result)

    async def cancel(self, id: str) -> None:
        """See :meth:`Batching.cancel`."""
        Path(id).unlink(missing_ok=True)


def _list_results(requests: Path) -> list[Path]:
    """The files of answers to a file of requests: ``batch-1.out.jsonl``, or all in the folder ``batch-1.out``."""
    found = sorted(requests.parent.glob(f"{requests.stem}.out*"))
    return [each for path in found for each in (sorted(path.rglob("*.json*")) if path.is_dir() else [path])]


def _complete(result: dict[str, object]) -> dict[str, object]:
    """A result in OpenAI's form, made of one that has a ``text`` alone, as a few lines around an engine write it."""
    if not isinstance(text := result.get("text"), str) or "response" in result:
        return result
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": result.get("finish_reason") or "stop"}
    body = {"choices": [choice], **({"usage": result["usage"]} if "usage" in result else {})}
    return {**result, "response": {"status_code": 200, "body": body}}
