"""Together's form."""

from __future__ import annotations

import json

from aiohttp import web

from tests.batch_forms import openai
from tests.servers import Body


class ServerForm(openai.ServerForm):
    """How a provider speaks of batches."""

    uploads = "/v1/files/upload"
    whole = {"custom_id", "body"}  # noqa: RUF012

    def check_fields(self, fields: dict[str, bytes]) -> None:
        assert (fields["purpose"], fields["file_type"]) == (b"batch-api", b"jsonl")
        assert fields["file_name"].endswith(b".jsonl")

    async def create(self, request: web.Request) -> web.Response:
        made = await super().create(request)
        assert isinstance(made.body, bytes)
        return made if made.status != 200 else self.reply({"job": json.loads(made.body)})

    async def list_batches(self, request: web.Request) -> web.Response:
        return web.json_response([self.spell(batch) for batch in self.server.batches.values()][::-1])

    def spell(self, batch: Body) -> Body:
        shown = super().spell(batch)
        del shown["metadata"]
        counts = shown.pop("request_counts")
        return shown | {"status": shown["status"].upper(), "request_count": counts["total"], "progress": 50.0}
