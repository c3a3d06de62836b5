"""OpenRouter's form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from aiohttp import web

from tests.batch_forms import Line, Result, Route, openai, refuse
from tests.servers import Body


class ServerForm(openai.ServerForm):
    """How a provider speaks of batches."""

    whole = {"custom_id", "body"}  # noqa: RUF012
    deaths = ("before create", "create", "look")

    def list_routes(self) -> Iterable[Route]:
        return [route for route in super().list_routes() if route[2] in ("create", "list", "look")]

    async def create(self, request: web.Request) -> web.Response:
        content = await request.read()
        if len(content) > self.server.most_bytes:
            return refuse(413, "the batch is too large")
        given = json.loads(content)
        if [*given][-1] != "requests":
            return refuse(400, "the requests come last")
        assert all(line.keys() == self.whole and line["body"]["model"] == given["model"] for line in given["requests"])
        lines = [Line(line["custom_id"], line["body"]) for line in given["requests"]]
        return self.server.add_batch(lines, {"endpoint": given["endpoint"]})

    async def list_batches(self, request: web.Request) -> web.Response:
        rows, more = self.page(request, request.query.get("after", ""))
        short = [{key: value for key, value in row.items() if key != "results"} for row in rows]
        return web.json_response({"object": "list", "data": short, "has_more": more})

    def keep(self, batch: Body, results: Sequence[Result]) -> None:
        batch["results"] = [openai.write_result(each, batch["status"]) for each in results]
