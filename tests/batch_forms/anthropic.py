"""Anthropic's Message Batches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from aiohttp import web

import tests.batch_forms as forms
from tests.batch_forms import Line, Result, Route, refuse, write_lines
from tests.servers import Body

#: What a request may hold.
PARAMS = {"model", "max_tokens", "messages", "system", "temperature", "top_p", "stop_sequences", "output_config"}
REASONS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
ERRORS = {400: "invalid_request_error", 404: "not_found_error", 429: "rate_limit_error", 500: "api_error"}


class ServerForm(forms.ServerForm):
    """How a provider speaks of batches."""

    header = "x-api-key"
    deaths = ("before create", "create", "look", "content")

    def list_routes(self) -> Iterable[Route]:
        batches = "/v1/messages/batches"
        return [
            ("POST", batches, "create", self.create),
            ("GET", batches, "list", self.list_batches),
            ("GET", f"{batches}/{{id}}", "look", self.look),
            ("POST", f"{batches}/{{id}}/cancel", "cancel", self.cancel),
            ("GET", f"{batches}/{{id}}/results", "content", self.content),
        ]

    async def create(self, request: web.Request) -> web.Response:
        assert request.headers["anthropic-version"] == "2023-06-01"
        content = await request.read()
        if len(content) > self.server.most_bytes:
            return refuse(413, "the batch is too large")
        requests = json.loads(content)["requests"]
        assert all(each.keys() == {"custom_id", "params"} for each in requests)
        return self.server.add_batch([Line(each["custom_id"], _read_params(each["params"])) for each in requests], {})

    async def list_batches(self, request: web.Request) -> web.Response:
        rows, more = self.page(request, request.query.get("after_id", ""))
        return web.json_response({"data": rows, "has_more": more, "first_id": None, "last_id": None})

    def keep(self, batch: Body, results: Sequence[Result]) -> None:
        rows: list[Body] = [
            {"custom_id": each.key, "result": _write_result(each, batch["status"] == "cancelled")} for each in results
        ]
        self.server.files[batch["id"]] = write_lines(rows)
        kinds = [*{row["custom_id"]: row["result"]["type"] for row in rows}.values()]
        batch["_kinds"] = {kind: kinds.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")}
        batch["_kinds"]["succeeded"] += batch["request_counts"]["total"] - len(kinds)  # their results got lost

    def spell(self, batch: Body) -> Body:
        total, status = batch["request_counts"]["total"], batch["status"]
        under_way = status in ("validating", "in_progress")
        kinds = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        if under_way:
            kinds["processing"] = total
        elif "_kinds" in batch:
            kinds |= batch["_kinds"]
        else:
            kinds["canceled" if status == "cancelled" else "expired"] = total
        has_results = batch["id"] in self.server.files
        return {
            "id": batch["id"],
            "type": "message_batch",
            "processing_status": "in_progress" if under_way else "ended",
            "request_counts": kinds,
            "cancel_initiated_at": "2026-01-01T00:00:00Z" if status == "cancelled" else None,
            "results_url": f"https://elsewhere.example/{batch['id']}/results" if has_results else None,
        }


def _read_params(params: Body) -> Body:
    """A request in OpenAI's form."""
    assert params.keys() <= PARAMS
    assert all(each["role"] in ("user", "assistant") for each in params["messages"])
    system = [{"role": "system", "content": params["system"]}] if "system" in params else []
    return {"model": params["model"], "messages": [*system, *params["messages"]]}


def _write_result(result: Result, cancelled: bool) -> Body:
    if not result.status:
        return {"type": "canceled" if cancelled else "expired"}
    if "error" in result.body or result.status != 200:
        message = result.body.get("error", {}).get("message", "broken")
        kind = ERRORS[result.status if result.status != 200 else 500]
        return {"type": "errored", "error": {"type": "error", "error": {"type": kind, "message": message}}}
    choice, usage = result.body["choices"][0], result.body.get("usage")
    tokens = {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]} if usage else {}
    message = {
        "id": "msg",
        "type": "message",
        "role": "assistant",
        "model": result.body["model"],
        "content": [{"type": "text", "text": choice["message"]["content"]}],
        "stop_reason": REASONS.get(choice["finish_reason"], choice["finish_reason"]),
        "usage": tokens,
    }
    return {"type": "succeeded", "message": message}
