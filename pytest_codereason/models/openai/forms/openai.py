"""OpenAI's form: a file of requests is uploaded, and files of results come back. Other providers differ in names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from uuid import uuid4

from pytest_codereason.core.batches import BatchEnd, BatchState, SentBatch
from pytest_codereason.models.openai.forms._http import UNANSWERED, Body, HttpBatching, count
from pytest_codereason.models.openai.problems import clip, join_lines

#: Under which key of its ``metadata`` a batch carries the name that we gave it.
NAME = "codereason"
#: How a batch may end, by the word of a provider in small letters. With any other word it is under way.
ENDS: Mapping[str, BatchEnd] = {
    "completed": "completed",
    "success": "completed",
    "failed": "failed",
    "expired": "expired",
    "timeout_exceeded": "expired",
    "cancelled": "cancelled",
}


class OpenAIForm(HttpBatching):
    """The batches of one model."""

    chat: ClassVar[str] = "/v1/chat/completions"  #: where questions are asked, as a batch names it
    uploads: ClassVar[str] = "/files"  #: where a file of requests is brought
    #: what is sent with the file; ``name`` is the batch's
    fields: ClassVar[Mapping[str, str]] = {"purpose": "batch"}
    input_file: ClassVar[str] = "input_file_id"  #: the key of the file in a batch; its value may be a list
    output_file: ClassVar[str] = "output_file_id"
    error_file: ClassVar[str] = "error_file_id"
    notes: ClassVar[bool] = True  #: whether a batch may carry ``metadata``
    whole_lines: ClassVar[bool] = True  #: whether a line names its method and address

    def write(self, key: str, body: Body) -> Mapping[str, object]:
        """See :meth:`HttpBatching.write`."""
        target = {"method": "POST", "url": self.chat} if self.whole_lines else {}
        return {"custom_id": key, **target, "body": body}

    def open(self, result: Body) -> tuple[int, object]:
        """See :meth:`HttpBatching.open`."""
        response, error = result.get("response"), result.get("error")
        if not isinstance(response, dict):
            code = error.get("code") if isinstance(error, dict) else None
            return code if type(code) is int else UNANSWERED, {"error": error}
        status = response.get("status_code", 200)
        body = response.get("body") if response.get("body") is not None else {"error": error}
        return status if type(status) is int else 502, body

    async def upload(self, name: str, lines: Sequence[bytes]) -> str:
        """See :meth:`Batching.upload`."""
        boundary, fields = uuid4().hex, {key: each.format(name=name) for key, each in self.fields.items()}
        head = b"".join(
            f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
            for key, value in fields.items()
        )
        file = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}.jsonl"\r\n'
            "Content-Type: application/jsonl\r\n\r\n"
        )
        content = b"".join((head, file.encode(), b"\n".join(lines), f"\n\r\n--{boundary}--\r\n".encode()))
        kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        made = self._parse(await self._find_client().post(self.uploads, content, headers=kind))
        id = self._find_id(made)
        await self._wait_for_file(f"/files/{id}", made, "status")
        return id

    async def create(self, batch: SentBatch, lines: Sequence[bytes]) -> str:
        """See :meth:`Batching.create`."""
        body = {
            "endpoint": self.chat,
            self.input_file: self.name_input(batch.file),
            **self.list_options(),
            **({"metadata": {NAME: batch.name}} if self.notes else {}),
        }
        return await self._create(self.batches, json.dumps(body).encode())

    def list_options(self) -> Mapping[str, object]:
        """What else a batch is created with."""
        return {"completion_window": "24h"}

    def name_input(self, file: str) -> object:
        """How a batch names its file of requests."""
        return file

    async def find(self, batch: SentBatch) -> str | None:
        """See :meth:`Batching.find`."""
        async for row in self._list():
            metadata, file = row.get("metadata"), row.get(self.input_file)
            named = isinstance(metadata, dict) and metadata.get(NAME) == batch.name
            if named or (batch.file and file == self.name_input(batch.file)):
                return self._find_id(row)
        return None

    def read_state(self, row: Body) -> BatchState:
        """See :meth:`HttpBatching.read_state`."""
        counts = row["request_counts"] if isinstance(row.get("request_counts"), dict) else row
        answered = next((counts[key] for key in ("completed", "succeeded_requests") if key in counts), 0)
        files = (row.get(self.output_file), row.get(self.error_file))
        return BatchState(
            ended=ENDS.get(row["status"].lower()),
            answered=count(answered),
            failure=_read_failure(row),
            results=tuple(f"/files/{file}/content" for file in files if isinstance(file, str) and file),
        )

    def read_id(self, made: Any) -> object:
        """See :meth:`HttpBatching.read_id`. Together says it of a ``job``."""
        return super().read_id(made.get("job", made) if isinstance(made, dict) else None)

    def follow(self, page: Body, number: int, last: str) -> str:
        """See :meth:`HttpBatching.follow`."""
        return f"&after={last}"


def _read_failure(row: Body) -> str:
    """Why a batch failed, in one line."""
    errors = row.get("errors") or row.get("error")
    rows = errors.get("data", [errors]) if isinstance(errors, dict) else errors
    if not isinstance(rows, list) or not rows:
        return "the provider does not say why"
    first = rows[0] if isinstance(rows[0], dict) else {"message": rows[0]}
    line = f" (line {first['line']})" if first.get("line") else ""
    code = f"{first['code']}: " if first.get("code") else ""
    return clip(join_lines(f"{code}{first.get('message')}{line}"))
