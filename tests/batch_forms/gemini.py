"""Gemini's batches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from aiohttp import web

import tests.batch_forms as forms
from tests.batch_forms import Line, Result, Route, refuse, write_lines
from tests.servers import Body

CONFIG = {"temperature", "topP", "maxOutputTokens", "stopSequences", "seed", "thinkingConfig"}
REASONS = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "PROHIBITED_CONTENT"}
CODES = {400: 3, 429: 8, 500: 13}
ENDS = {"completed": "SUCCEEDED", "validating": "PENDING", "in_progress": "RUNNING"}


class ServerForm(forms.ServerForm):
    """How a provider speaks of batches."""

    root = "/v1beta/openai"
    header = "x-goog-api-key"

    def list_routes(self) -> Iterable[Route]:
        return [
            ("POST", "/upload/v1beta/files", "start", self.start),
            ("POST", "/upload/there", "upload", self.upload),
            ("GET", "/v1beta/files/{id}", "file", self.look_at_file),
            ("POST", "/v1beta/models/{model}:batchGenerateContent", "create", self.create),
            ("GET", "/v1beta/batches", "list", self.list_batches),
            ("GET", "/v1beta/batches/{id}", "look", self.look),
            ("POST", "/v1beta/batches/{id}:cancel", "cancel", self.cancel),
            ("GET", "/download/v1beta/files/{id}:download", "content", self.content),
        ]

    async def start(self, request: web.Request) -> web.Response:
        headers = request.headers
        assert (headers["X-Goog-Upload-Protocol"], headers["X-Goog-Upload-Command"]) == ("resumable", "start")
        if int(headers["X-Goog-Upload-Header-Content-Length"]) > self.server.most_bytes:
            return refuse(413, "the file is too large")
        place = f"http://{request.host}/upload/there?id=1"
        return web.Response(headers={"X-Goog-Upload-URL": place})

    async def upload(self, request: web.Request) -> web.Response:
        assert request.headers["X-Goog-Upload-Command"] == "upload, finalize"
        id = self.server.add_file((await request.read()).rstrip(b"\n"))
        return web.json_response({"file": self.spell_file(id)})

    async def look_at_file(self, request: web.Request) -> web.Response:
        self.server.pending -= 1
        return web.json_response(self.spell_file(request.match_info["id"]))

    def spell_file(self, id: str) -> Body:
        return {"name": f"files/{id}", "state": "PROCESSING" if self.server.pending > 0 else "ACTIVE"}

    async def create(self, request: web.Request) -> web.Response:
        given = json.loads(await request.read())["batch"]
        if self.server.pending > 0:
            return refuse(400, "the file is not processed yet")
        file = given["input_config"]["file_name"].removeprefix("files/")
        rows, model = map(json.loads, self.server.files[file].split(b"\n")), request.match_info["model"]
        lines = [Line(row["key"], _read_request(row["request"], model)) for row in rows]
        return self.server.add_batch(lines, {"input_file_id": file, "metadata": given["display_name"]})

    async def list_batches(self, request: web.Request) -> web.Response:
        rows, more = self.page(request, request.query.get("pageToken", ""))
        token = {"nextPageToken": rows[-1]["name"].removeprefix("batches/")} if more else {}
        return web.json_response({"operations": rows, **token})

    def keep(self, batch: Body, results: Sequence[Result]) -> None:
        batch["_file"] = self.server.add_file(write_lines({"key": each.key, **_write_result(each)} for each in results))

    def spell(self, batch: Body) -> Body:
        counts, status = batch["request_counts"], batch["status"]
        about = {
            "model": "models/scripted",
            "displayName": batch["metadata"],
            "state": f"BATCH_STATE_{ENDS.get(status, status.upper())}",
            "batchStats": {
                "requestCount": str(counts["total"]),
                **({"successfulRequestCount": str(counts["completed"])} if counts["completed"] else {}),
            },
        }
        end: Body = {"response": {"responsesFile": f"files/{batch['_file']}"}} if "_file" in batch else {}
        if status == "failed":
            end = {"error": {"code": 3, "message": batch["_plan"].failure["message"]}}
        return {"name": f"batches/{batch['id']}", "metadata": about, "done": bool(end), **end}


def _read_request(request: Body, model: str) -> Body:
    """A request in OpenAI's form."""
    assert request.keys() <= {"contents", "systemInstruction", "generationConfig"}
    assert request["generationConfig"].keys() <= CONFIG
    told = [("system", part) for part in request.get("systemInstruction", {"parts": []})["parts"]]
    told += [(each["role"], part) for each in request["contents"] for part in each["parts"]]
    roles = {"model": "assistant"}
    return {"model": model, "messages": [{"role": roles.get(role, role), "content": p["text"]} for role, p in told]}


def _write_result(result: Result) -> Body:
    if not result.status:
        return {"error": {"code": 1, "message": "The batch has ended."}}
    if "error" in result.body or result.status != 200:
        message = result.body.get("error", {}).get("message", "broken")
        return {"error": {"code": CODES[result.status if result.status != 200 else 500], "message": message}}
    choice, usage = result.body["choices"][0], result.body.get("usage")
    candidate = {
        "content": {"role": "model", "parts": [{"text": choice["message"]["content"]}]},
        "finishReason": REASONS.get(choice["finish_reason"], choice["finish_reason"]),
    }
    tokens = {}
    if usage:
        tokens = {"promptTokenCount": usage["prompt_tokens"], "candidatesTokenCount": usage["completion_tokens"]}
    return {
        "response": {
            "candidates": [candidate],
            "modelVersion": result.body["model"],
            **({"usageMetadata": tokens} if tokens else {}),
        }
    }
