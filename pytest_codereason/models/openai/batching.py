"""Batches of an endpoint that speaks OpenAI's form of them, in the dialect of its provider."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pytest_codereason.core import Completion, Request
from pytest_codereason.core.batches import Batching, BatchLine, BatchState, BatchTerms, SentBatch
from pytest_codereason.errors import TransientModelError, UsageError
from pytest_codereason.models.openai.dialects import ENDS, BatchDialect
from pytest_codereason.models.openai.problems import clip, join_lines, read_problem

if TYPE_CHECKING:
    from pytest_codereason.models.openai.client import Client, Reply

#: Under which key of its ``metadata`` a batch carries the name that we gave it.
NAME = "codereason"
#: What a provider says of a file of which it makes no batch yet (Azure), how long it is waited for, and between looks.
UNREADY, READY_S, PAUSE_S = ("pending", "running"), 600.0, 2.0
#: Seconds for one look at a provider.
LOOK_S = 60.0


class OpenAIBatching(Batching):
    """The batches of one model.

    Args:
        model: its name at the provider.
        address: see :attr:`Batching.address`.
        find_client: gives the connections, once the model is started.
        write_body: the body of a request, and what must be known to read its reply.
        read: the completion in a reply; raises a ``ModelError`` if there is none.
        explain: what to do about a status that is an error; empty if nobody knows.
    """

    def __init__(
        self,
        dialect: BatchDialect,
        model: str,
        address: Mapping[str, object],
        *,
        find_client: Callable[[], Client],
        write_body: Callable[[Request], tuple[Mapping[str, object], str]],
        read: Callable[[Reply, str], Completion],
        explain: Callable[[int], str],
    ) -> None:
        self._dialect, self._model, self._address = dialect, model, address
        self._find_client, self._write_body, self._read, self._explain = find_client, write_body, read, explain

    @property
    def terms(self) -> BatchTerms:
        """See :attr:`Batching.terms`."""
        return self._dialect.terms

    @property
    def address(self) -> Mapping[str, object]:
        """See :attr:`Batching.address`."""
        return self._address

    def write_line(self, key: str, request: Request) -> BatchLine:
        """See :meth:`Batching.write_line`."""
        body, memo = self._write_body(request)
        target = {"method": "POST", "url": self._dialect.chat} if self._dialect.whole_lines else {}
        return BatchLine(json.dumps({"custom_id": key, **target, "body": body}).encode(), memo)

    async def check(self) -> None:
        """See :meth:`Batching.check`."""
        reply = await self._find_client().get(f"{self._dialect.batches}{self._dialect.page}", timeout_s=LOOK_S)
        if reply.status in (404, 405, 501):
            raise UsageError(
                f"it has no batches at {self._dialect.batches} (HTTP {reply.status}): leave --eval-batch out, or have "
                "an engine answer files of questions: --model-url=file:FOLDER"
            )
        self._parse(reply)

    async def upload(self, name: str, lines: Sequence[bytes]) -> str:
        """See :meth:`Batching.upload`."""
        boundary, fields = uuid4().hex, {key: each.format(name=name) for key, each in self._dialect.form.items()}
        head = b"".join(
            f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
            for key, value in fields.items()
        )
        file = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}.jsonl"\r\n'
            "Content-Type: application/jsonl\r\n\r\n"
        )
        content = b"".join((head, file.encode(), b"\n".join(lines), f"\n\r\n--{boundary}--\r\n".encode()))
        kind = f"multipart/form-data; boundary={boundary}"
        file = self._parse(await self._find_client().post(self._dialect.upload, content, kind=kind))
        id, left_s = self._find_id(file), READY_S
        while file.get("status") in UNREADY and left_s > 0:
            await asyncio.sleep(PAUSE_S)
            left_s -= PAUSE_S
            file = self._parse(await self._find_client().get(f"/files/{id}", timeout_s=LOOK_S))
        return id

    async def create(self, batch: SentBatch, lines: Sequence[bytes]) -> str:
        """See :meth:`Batching.create`."""
        dialect = self._dialect
        body: dict[str, object] = {
            "endpoint": dialect.chat,
            **({"model": self._model} if dialect.names_model else {}),
            dialect.input_file: [batch.file] if dialect.lists_inputs else batch.file,
            **dialect.create,
            **({"metadata": {NAME: batch.name}} if dialect.notes else {}),
        }
        reply = await self._find_client().post(dialect.batches, json.dumps(body).encode())
        try:
            return self._find_id(self._parse(reply))
        except TransientModelError as error:
            error.unbilled = 400 <= reply.status < 500  # any other reply may hide a batch that is there
            raise

    async def find(self, batch: SentBatch) -> str | None:
        """See :meth:`Batching.find`."""
        dialect, path, page = self._dialect, f"{self._dialect.batches}{self._dialect.page}", 0
        seen = set[str]()
        while True:
            body = self._parse(await self._find_client().get(path, timeout_s=LOOK_S))
            rows = body if isinstance(body, list) else body.get("data")
            listed = {str(row.get("id")): row for row in rows or () if isinstance(row, dict)}
            for id, row in listed.items():
                metadata, inputs = row.get("metadata"), row.get(dialect.input_file)
                named = isinstance(metadata, dict) and metadata.get(NAME) == batch.name
                if named or (batch.file and inputs in (batch.file, [batch.file])):
                    return id
            if not listed.keys() - seen:
                return None
            seen, page = seen | listed.keys(), page + 1
            following = dialect.following.format(last=[*listed][-1], page=page)
            path = f"{dialect.batches}{dialect.page}{following}"

    async def look(self, id: str) -> BatchState:
        """See :meth:`Batching.look`."""
        reply = await self._find_client().get(f"{self._dialect.batches}/{id}", timeout_s=LOOK_S)
        body = self._parse(reply)
        if not isinstance(body, dict) or not isinstance(body.get("status"), str):
            raise TransientModelError(f"the reply says nothing of a batch: {clip(join_lines(reply.content))}")
        counts: Mapping[str, object] = (
            body if not isinstance(body.get("request_counts"), dict) else body["request_counts"]
        )
        answered = next((counts[key] for key in ("completed", "succeeded_requests") if key in counts), 0)
        try:
            wish: float | None = float(reply.headers["retry-after"])
        except (KeyError, ValueError):
            wish = None
        files = (body.get(self._dialect.output_file), body.get(self._dialect.error_file))
        return BatchState(
            ended=ENDS.get(body["status"].lower()),
            answered=answered if type(answered) is int else 0,
            failure=_read_failure(body),
            retry_after=wish,
            results=tuple(file for file in files if isinstance(file, str) and file),
        )

    async def fetch(self, state: BatchState) -> AsyncIterator[tuple[str, object]]:
        """See :meth:`Batching.fetch`."""
        for file in state.results:
            broken = read = 0
            async for line in self._find_client().read_lines(f"/files/{file}/content"):
                try:
                    result = json.loads(line) if line.strip() else None
                except (ValueError, RecursionError):
                    result, broken = None, broken + 1
                if isinstance(result, dict):
                    read += 1
                    yield str(result.get("custom_id")), result
            if broken and not read:  # a page of a proxy, for example
                raise TransientModelError(f"the results {file} are not lines of JSON")

    def read(self, result: object, memo: str) -> Completion:
        """See :meth:`Batching.read`."""
        from pytest_codereason.models.openai.client import Reply

        fields: Mapping[str, object] = result if isinstance(result, dict) else {}
        response, error = fields.get("response"), fields.get("error")
        if not isinstance(response, dict):
            response = {"status_code": _read_status(error), "body": {"error": error}}
        status = response.get("status_code", 200)
        body = response.get("body") if response.get("body") is not None else {"error": error}
        try:
            return self._read(Reply(status if type(status) is int else 502, {}, json.dumps(body).encode()), memo)
        except TransientModelError as failure:
            failure.unbilled = True  # a provider charges for answers
            raise

    async def cancel(self, id: str) -> None:
        """See :meth:`Batching.cancel`."""
        self._parse(await self._find_client().post(f"{self._dialect.batches}/{id}/cancel", b"{}"))

    def _parse(self, reply: Reply) -> Any:
        """The JSON of a reply.

        Raises:
            ModelError: the provider reports an error, or the reply cannot be read.
        """
        if not reply.succeeded:
            raise read_problem(reply.status, reply.headers, reply.content).make_error(self._explain(reply.status))
        try:
            return json.loads(reply.content)
        except (ValueError, RecursionError):
            raise TransientModelError(f"the reply is not JSON: {clip(join_lines(reply.content))}") from None

    def _find_id(self, body: Any) -> str:
        """The id in what was made. Together says it of a ``job``."""
        inner = body.get("job", body) if isinstance(body, dict) else None
        id = inner.get("id") if isinstance(inner, dict) else None
        if not isinstance(id, str) or not id or not id.isprintable() or "/" in id:
            raise TransientModelError(f"the reply has no id: {clip(join_lines(json.dumps(body)))}")
        return id


def _read_failure(body: Mapping[str, object]) -> str:
    """Why a batch failed, in one line."""
    errors = body.get("errors")
    rows = errors.get("data") if isinstance(errors, dict) else errors
    if not isinstance(rows, list) or not rows:
        return "the provider does not say why"
    row = rows[0] if isinstance(rows[0], dict) else {"message": rows[0]}
    line = f" (line {row['line']})" if row.get("line") else ""
    code = f"{row['code']}: " if row.get("code") else ""
    return clip(join_lines(f"{code}{row.get('message')}{line}"))


def _read_status(error: object) -> int:
    """The status of a line that was not answered: most have expired, or were cancelled with their batch."""
    code = error.get("code") if isinstance(error, dict) else None
    return code if type(code) is int else 503
