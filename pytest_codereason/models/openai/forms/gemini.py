"""Gemini's batches: a file of requests to ``generateContent``, and a file of its responses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from pytest_codereason.core.batches import BatchEnd, BatchState, SentBatch
from pytest_codereason.core.secrets import Secret
from pytest_codereason.errors import TransientModelError
from pytest_codereason.models.openai.forms._http import UNANSWERED, Body, HttpBatching, count
from pytest_codereason.models.openai.problems import clip, join_lines

VERSION = "/v1beta"
#: What OpenAI's fields of a request are called here, in ``generationConfig``.
RENAMED = {
    "temperature": "temperature",
    "top_p": "topP",
    "top_k": "topK",
    "max_tokens": "maxOutputTokens",
    "max_completion_tokens": "maxOutputTokens",
    "stop": "stopSequences",
    "seed": "seed",
    "presence_penalty": "presencePenalty",
    "frequency_penalty": "frequencyPenalty",
}
ROLES = {"assistant": "model"}
SYSTEM = ("system", "developer")
#: How a batch may end, by the last word of its state. With any other word it is under way.
ENDS: Mapping[str, BatchEnd] = {
    "SUCCEEDED": "completed",
    "FAILED": "failed",
    "EXPIRED": "expired",
    "CANCELLED": "cancelled",
}
#: Reasons to stop that OpenAI's form has another word for. All are verdicts of a filter.
FILTERS = ("BLOCKLIST", "PROHIBITED_CONTENT", "RECITATION", "SPII")
#: The statuses that the codes of errors in results stand for. They are those of gRPC.
STATUSES = {3: 400, 5: 404, 7: 403, 8: 429, 9: 400, 11: 400, 13: 500, 16: 401}


class GeminiForm(HttpBatching):
    """The batches of one model."""

    batches = f"{VERSION}/batches"
    page = "?pageSize=100"
    rows = "operations"
    key = "key"

    @classmethod
    def find_root(cls, url: str) -> str:
        """See :meth:`HttpBatching.find_root`. Files are brought to a path beside that of the version."""
        return url.removesuffix("/openai").removesuffix(VERSION)

    @classmethod
    def sign(cls, key: Secret) -> Mapping[str, Secret]:
        """See :meth:`HttpBatching.sign`."""
        return {"x-goog-api-key": key}

    def write(self, key: str, body: Body) -> Mapping[str, object]:
        """See :meth:`HttpBatching.write`. What has no other name here is sent as it is."""
        more = {name: value for name, value in body.items() if name not in ("model", "messages", *RENAMED)}
        config = {RENAMED[name]: value for name, value in body.items() if name in RENAMED}
        if effort := more.pop("reasoning_effort", None):
            config["thinkingConfig"] = {"thinkingLevel": effort}
        system = [_write_part(each) for each in body["messages"] if each["role"] in SYSTEM]
        request = {
            **more,
            "contents": [
                {"role": ROLES.get(each["role"], each["role"]), "parts": [_write_part(each)]}
                for each in body["messages"]
                if each["role"] not in SYSTEM
            ],
            **({"systemInstruction": {"parts": system}} if system else {}),
            "generationConfig": {**config, **more.get("generationConfig", {})},
        }
        return {"key": key, "request": request}

    async def upload(self, name: str, lines: Sequence[bytes]) -> str:
        """See :meth:`Batching.upload`."""
        client, content = self._find_client(), b"".join(line + b"\n" for line in lines)
        about = {
            "X-Goog-Upload-Protocol": "resumable",
            "X-Goog-Upload-Command": "start",
            "X-Goog-Upload-Header-Content-Length": str(len(content)),
            "X-Goog-Upload-Header-Content-Type": "application/jsonl",
        }
        body = json.dumps({"file": {"display_name": name}}).encode()
        reply = await client.post(f"/upload{VERSION}/files", body, headers=about)
        if not reply.succeeded:
            self._parse(reply)
        whole = {
            "Content-Type": "application/jsonl",
            "X-Goog-Upload-Offset": "0",
            "X-Goog-Upload-Command": "upload, finalize",
        }
        place = self._find_place(reply.headers.get("x-goog-upload-url", ""))
        reply = self._parse(await client.post(place, content, headers=whole))
        made = reply.get("file") if isinstance(reply, dict) else None
        id = self._find_id(made)
        await self._wait_for_file(f"{VERSION}/files/{id}", made, "state")
        return id

    def _find_place(self, url: str) -> str:
        """The path to which a file is brought, of the address that the provider names for it."""
        root, place = self.find_root(str(self._address["url"])), urlsplit(url)
        path = url.removeprefix(root)
        if not url.startswith(f"{root}/"):  # the key goes to no other address
            raise TransientModelError(f"files are to be brought to {clip(place.netloc or 'no address')}, not to {root}")
        return path

    async def create(self, batch: SentBatch, lines: Sequence[bytes]) -> str:
        """See :meth:`Batching.create`."""
        body = {"batch": {"display_name": batch.name, "input_config": {"file_name": f"files/{batch.file}"}}}
        model = self._model.removeprefix("models/")
        return await self._create(f"{VERSION}/models/{model}:batchGenerateContent", json.dumps(body).encode())

    async def find(self, batch: SentBatch) -> str | None:
        """See :meth:`Batching.find`."""
        async for row in self._list():
            if isinstance(about := row.get("metadata"), dict) and about.get("displayName") == batch.name:
                return self._find_id(row)
        return None

    def read_id(self, made: Any) -> object:
        """See :meth:`HttpBatching.read_id`. A name is ``batches/ID`` or ``files/ID``."""
        name = made.get("name") if isinstance(made, dict) else None
        return name.partition("/")[2] if isinstance(name, str) else None

    def read_state(self, row: Body) -> BatchState:
        """See :meth:`HttpBatching.read_state`."""
        about, error = row["metadata"], row.get("error") or {}
        output = row.get("response") or about.get("output") or {}
        file = output.get("responsesFile")
        return BatchState(
            ended=ENDS.get(about["state"].rpartition("_")[2]),
            answered=count((about.get("batchStats") or {}).get("successfulRequestCount")),
            failure=clip(join_lines(str(error.get("message") or "the provider does not say why"))),
            results=(f"/download{VERSION}/{file}:download?alt=media",) if isinstance(file, str) else (),
        )

    def open(self, result: Body) -> tuple[int, object]:
        """See :meth:`HttpBatching.open`."""
        if "response" in result:
            return 200, _complete(result["response"])
        error = result["error"]
        code = error["code"]
        return code if code >= 400 else STATUSES.get(code, UNANSWERED), {"error": {"message": error.get("message")}}

    async def cancel(self, id: str) -> None:
        """See :meth:`Batching.cancel`."""
        self._parse(await self._find_client().post(f"{self.batches}/{id}:cancel", b""))

    def follow(self, page: Body, number: int, last: str) -> str:
        """See :meth:`HttpBatching.follow`."""
        token = page.get("nextPageToken")
        return f"&pageToken={token}" if token else ""


def _write_part(message: Body) -> Mapping[str, object]:
    return {"text": message["content"]}


def _complete(response: Body) -> Mapping[str, object]:
    """A response as a completion of OpenAI's form. A prompt that was blocked has no candidate."""
    usage = response.get("usageMetadata") or {}
    blocked = (response.get("promptFeedback") or {}).get("blockReason")
    candidate: Body = {"finishReason": "SAFETY"} if blocked else response["candidates"][0]
    reason = str(candidate.get("finishReason"))
    parts = (candidate.get("content") or {}).get("parts")
    thoughts = count(usage.get("thoughtsTokenCount"))
    tokens = {
        "prompt_tokens": usage.get("promptTokenCount"),
        "completion_tokens": count(usage.get("candidatesTokenCount")) + thoughts,  # a count of 0 is left out
        "completion_tokens_details": {"reasoning_tokens": thoughts or None},
        "prompt_tokens_details": {"cached_tokens": count(usage.get("cachedContentTokenCount")) or None},
    }
    choice = {
        "message": {"role": "assistant", "content": parts},
        "finish_reason": "content_filter" if reason in FILTERS else reason,
    }
    return {
        "model": response.get("modelVersion"),
        "choices": [choice],
        "usage": tokens if "promptTokenCount" in usage else None,
    }
