"""OpenAI's form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import ClassVar

from aiohttp import BodyPartReader, web

import tests.batch_forms as forms
from tests.batch_forms import Line, Result, Route, refuse, write_lines
from tests.servers import Body


class ServerForm(forms.ServerForm):
    """How a provider speaks of batches."""

    batches: ClassVar[str] = "/v1/batches"
    uploads: ClassVar[str] = "/v1/files"
    whole: ClassVar[set[str]] = {"custom_id", "method", "url", "body"}  #: the keys of a line

    def list_routes(self) -> Iterable[Route]:
        return [
            ("POST", self.uploads, "upload", self.upload),
            ("GET", "/v1/files/{id}", "file", self.look_at_file),
            ("POST", self.batches, "create", self.create),
            ("GET", self.batches, "list", self.list_batches),
            ("GET", f"{self.batches}/{{id}}", "look", self.look),
            ("POST", f"{self.batches}/{{id}}/cancel", "cancel", self.cancel),
            ("GET", "/v1/files/{id}/content", "content", self.content),
        ]

    async def upload(self, request: web.Request) -> web.Response:
        reader = await request.multipart()
        fields: dict[str, bytes] = {}
        while (part := await reader.next()) is not None:
            assert isinstance(part, BodyPartReader)
            fields[str(part.name)] = bytes(await part.read())
        self.check_fields(fields)
        content = fields["file"].rstrip(b"\n")
        if len(content) > self.server.most_bytes:
            return refuse(413, "the file is too large")
        return self.show_file(self.server.add_file(content))

    def check_fields(self, fields: dict[str, bytes]) -> None:
        assert fields["purpose"] == b"batch"

    async def look_at_file(self, request: web.Request) -> web.Response:
        self.server.pending -= 1
        return self.show_file(request.match_info["id"])

    def show_file(self, id: str) -> web.Response:
        status = "pending" if self.server.pending > 0 else "processed"
        return web.json_response({"id": id, "object": "file", "status": status})

    async def create(self, request: web.Request) -> web.Response:
        given = json.loads(await request.read())
        file = self.read_input(given)
        if self.server.pending > 0:
            return refuse(400, "the file is not processed yet")
        lines = list(map(json.loads, self.server.files[file].split(b"\n")))
        assert all(line.keys() == self.whole for line in lines)
        about = {"metadata": given.get("metadata"), "input_file_id": file, "endpoint": given["endpoint"]}
        return self.server.add_batch([Line(line["custom_id"], line["body"]) for line in lines], about)

    def read_input(self, given: Body) -> str:
        """The file of a batch that is to be created."""
        assert given["completion_window"] == "24h"
        return str(given["input_file_id"])

    async def list_batches(self, request: web.Request) -> web.Response:
        rows, more = self.page(request, request.query.get("after", ""))
        return web.json_response({"object": "list", "data": rows, "has_more": more})

    def keep(self, batch: Body, results: Sequence[Result]) -> None:
        rows = {each.key: write_result(each, batch["status"]) for each in results}
        answered = [rows[each.key] for each in results if each.status]
        left = [rows[each.key] for each in results if not each.status]
        for key, written in (("output_file_id", answered), ("error_file_id", left)):
            if written:
                batch[key] = self.server.add_file(write_lines(written))

    def spell(self, batch: Body) -> Body:
        shown = {key: value for key, value in batch.items() if not key.startswith("_")}
        if batch["status"] == "failed":
            shown["errors"] = {"object": "list", "data": [dict(batch["_plan"].failure)]}
        return shown


def write_result(result: Result, end: str) -> Body:
    """A line of results."""
    if not result.status:
        error = {"code": f"batch_{end}", "message": f"This request was not answered: the batch has {end}."}
        return {"id": "line", "custom_id": result.key, "response": None, "error": error}
    response = {"status_code": result.status, "request_id": "r", "body": result.body}
    return {"id": "line", "custom_id": result.key, "response": response, "error": None}
