"""Mistral's form."""

from __future__ import annotations

from aiohttp import web

from tests.batch_forms import openai
from tests.servers import Body

STATES = {"COMPLETED": "SUCCESS", "EXPIRED": "TIMEOUT_EXCEEDED", "VALIDATING": "QUEUED"}


class ServerForm(openai.ServerForm):
    """How a provider speaks of batches."""

    batches = "/v1/batch/jobs"
    whole = {"custom_id", "body"}  # noqa: RUF012

    def read_input(self, given: Body) -> str:
        assert given["model"] == "scripted"
        assert given["timeout_hours"] == 24
        (file,) = given["input_files"]
        return str(file)

    async def list_batches(self, request: web.Request) -> web.Response:
        rows = [self.spell(batch) for batch in self.server.batches.values()][::-1]
        first = int(request.query.get("page", 0)) * 2
        return web.json_response({"object": "list", "data": rows[first : first + 2], "total": len(rows)})

    def spell(self, batch: Body) -> Body:
        shown = super().spell(batch)
        shown["status"] = STATES.get(shown["status"].upper(), shown["status"].upper())
        counts = shown.pop("request_counts")
        shown["input_files"] = [shown.pop("input_file_id")]
        for kind in ("output", "error"):
            shown[f"{kind}_file"] = shown.pop(f"{kind}_file_id", None)
        return shown | {"total_requests": counts["total"], "succeeded_requests": counts["completed"]}
