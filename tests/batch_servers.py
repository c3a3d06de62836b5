"""A real HTTP server that takes batches as providers do, and fails by script. Its clock is set by the test.

In a test::

    with BatchServer(plans=[Plan(drop=2), Plan(end="expired")]) as server:
        ...  # server.url is the --model-url, server.charged how often each request was paid for
"""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

from tests.servers import Body, Disruption, Server

#: The steps of a batch, as requests to the server.
STEPS = ("upload", "create", "list", "look", "content", "cancel")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What becomes of one batch."""

    end: str = "completed"  #: its last state
    looks: int = 0  #: how often it is looked at before it ends
    held: bool = False  #: whether it ends only once the test calls :meth:`BatchServer.finish`
    drop: int = 0  #: lines without a result
    double: int = 0  #: results that come twice
    shuffle: bool = True
    unanswered: int = 0  #: lines that the error file says were not answered before the end
    files: bool = True  #: whether there are results at all
    failure: Mapping[str, object] = field(default_factory=dict)  #: of a batch that failed
    disrupt: Callable[[int, Body], Disruption | None] = lambda number, body: None  #: what a line gets, by its number
    output: bytes | None = None  #: in place of the results


class BatchServer(Server):
    """The server.

    Args:
        plans: what becomes of the batches, in the order in which they are created; any other is answered at once.
        troubles: by step, what its requests get, in order; ``None`` in a list is the ordinary reply.
        most_lines: of a batch.
        most_bytes: of a file.
        dialect: ``openai``, ``mistral`` or ``together``.
        pending: how often a file is looked at before a batch can be made of it.
        again_s: after how many seconds a batch may be looked at again.
    """

    def __init__(
        self,
        *args: Any,
        plans: Iterable[Plan] = (),
        troubles: Mapping[str, Iterable[Disruption | None]] | None = None,
        most_lines: int = 50_000,
        most_bytes: int = 200 * 10**6,
        again_s: float = 0.01,
        dialect: str = "openai",
        pending: int = 0,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.charged: Counter[str] = Counter()  #: how often each request was answered, by its key
        self.steps: list[str] = []  #: in the order in which they came
        self.lookers: Counter[str] = Counter()  #: how often batches were looked at with each key of the endpoint
        self.clock = 0.0  #: seconds; a batch expires after 24 hours of it
        self.key = more.get("key")  #: may be changed
        self.hold: set[str] = set()  #: steps that do not return, though they take effect; ``before create`` does not
        self.held: deque[str] = deque()  #: those that did
        self._plans = iter(plans)
        self._troubles = {step: iter(list(given)) for step, given in (troubles or {}).items()}
        self._most_lines, self._most_bytes, self._again_s = most_lines, most_bytes, again_s
        self._ids = itertools.count(1)
        self._dialect, self._pending = dialect, pending

    def _add_routes(self, app: web.Application) -> None:
        batches = "/v1/batch/jobs" if self._dialect == "mistral" else "/v1/batches"
        upload = "/v1/files/upload" if self._dialect == "together" else "/v1/files"
        app.router.add_post(upload, self._step("upload", self._upload))
        app.router.add_get("/v1/files/{id}", self._step("file", self._look_at_file))
        app.router.add_post(batches, self._step("create", self._create))
        app.router.add_get(batches, self._step("list", self._list_batches))
        app.router.add_get(f"{batches}/{{id}}", self._step("look", self._look))
        app.router.add_post(f"{batches}/{{id}}/cancel", self._step("cancel", self._cancel))
        app.router.add_get("/v1/files/{id}/content", self._step("content", self._content))

    def _step(
        self, step: str, act: Callable[[web.Request], Awaitable[web.Response]]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            self.steps.append(step)
            self._key = self.key
            if refused := self._refused(request):
                return refused
            trouble = next(self._troubles.get(step, iter(())), None)
            if trouble is not None and trouble.edit is None and trouble.reset_after is None:
                return web.Response(
                    status=trouble.status, headers=dict(trouble.headers), body=_write(trouble.body or b"")
                )
            if f"before {step}" in self.hold:
                self.held.append(step)
                await self._closing.wait()
            reply = await act(request)
            if trouble is not None and trouble.reset_after is not None:  # it has taken effect
                assert request.transport is not None
                request.transport.abort()
            if step in self.hold:
                self.held.append(step)
                await self._closing.wait()
            return reply

        return handle

    async def _upload(self, request: web.Request) -> web.Response:
        reader = await request.multipart()
        fields: dict[str, bytes] = {}
        while (part := await reader.next()) is not None:
            assert isinstance(part, BodyPartReader)
            fields[str(part.name)] = bytes(await part.read())
        content = fields["file"].rstrip(b"\n")
        if self._dialect == "together":
            assert (fields["purpose"], fields["file_type"]) == (b"batch-api", b"jsonl")
            assert fields["file_name"].endswith(b".jsonl")
        else:
            assert fields["purpose"] == b"batch"
        if len(content) > self._most_bytes:
            return _refuse(413, "the file is too large")
        id = f"file-{next(self._ids)}"
        self.files[id] = content
        return self._show_file(id)

    async def _look_at_file(self, request: web.Request) -> web.Response:
        self._pending -= 1
        return self._show_file(request.match_info["id"])

    def _show_file(self, id: str) -> web.Response:
        status = "pending" if self._pending > 0 else "processed"
        return web.json_response({"id": id, "object": "file", "status": status})

    async def _create(self, request: web.Request) -> web.Response:
        given = json.loads(await request.read())
        if self._dialect == "mistral":
            assert given["model"] in self._models
            assert given["timeout_hours"] == 24
            (given["input_file_id"],) = given.pop("input_files")
        else:
            assert given["completion_window"] == "24h"
        if self._pending > 0:
            return _refuse(400, "the file is not processed yet")
        lines = self.files[given["input_file_id"]].split(b"\n")
        whole = (
            {"custom_id", "body"}
            if self._dialect in ("mistral", "together")
            else {"custom_id", "method", "url", "body"}
        )
        assert all(json.loads(line).keys() == whole for line in lines)
        if len(lines) > self._most_lines:
            return _refuse(400, f"a batch has at most {self._most_lines} lines")
        id = f"batch_{next(self._ids)}"
        plan = next(self._plans, Plan())
        self.batches[id] = {
            "id": id,
            "object": "batch",
            "status": "validating",
            "metadata": given.get("metadata"),
            "input_file_id": given["input_file_id"],
            "endpoint": given["endpoint"],
            "request_counts": {"total": len(lines), "completed": 0, "failed": 0},
            "created_at": self.clock,
            "_plan": plan,
            "_looks": 0,
        }
        return self._show(id, wrap=self._dialect == "together")

    async def _list_batches(self, request: web.Request) -> web.Response:
        ids = [*self.batches][::-1]
        if self._dialect == "together":
            return web.json_response([self._spell(id) for id in ids])
        if self._dialect == "mistral":
            first = int(request.query.get("page", 0)) * 2
        else:
            first = ids.index(request.query["after"]) + 1 if "after" in request.query else 0
        page = ids[first : first + 2]  # small, so that there are several
        ids = ids[first:]
        rows = [self._spell(id) for id in page]
        return web.json_response({"object": "list", "data": rows, "has_more": len(ids) > len(page)})

    async def _look(self, request: web.Request) -> web.Response:
        self.lookers[request.headers.get("Authorization", "")] += 1
        id = request.match_info["id"]
        if id not in self.batches:
            return _refuse(404, "no such batch")
        batch = self.batches[id]
        plan: Plan = batch["_plan"]
        if batch["status"] in ("validating", "in_progress"):
            batch["status"] = "in_progress"
            batch["_looks"] += 1
            if self.clock >= batch["created_at"] + 86_400:
                self._end(id, "expired")
            elif batch["_looks"] > plan.looks and not plan.held:
                self._end(id, plan.end)
        return self._show(id)

    async def _cancel(self, request: web.Request) -> web.Response:
        id = request.match_info["id"]
        if id not in self.batches:
            return _refuse(404, "no such batch")
        self._end(id, "cancelled")
        return self._show(id)

    async def _content(self, request: web.Request) -> web.Response:
        return web.Response(body=self.files[request.match_info["id"]])

    def finish(self) -> None:
        """Lets all batches end that are held."""
        for batch in self.batches.values():
            if batch["status"] in ("validating", "in_progress"):
                batch["_plan"] = Plan(end=batch["_plan"].end)

    def _show(self, id: str, *, wrap: bool = False) -> web.Response:
        shown = self._spell(id)
        return web.json_response({"job": shown} if wrap else shown, headers={"Retry-After": str(self._again_s)})

    def _spell(self, id: str) -> Body:
        """A batch in the words of the dialect."""
        shown = {key: value for key, value in self.batches[id].items() if not key.startswith("_")}
        if self._dialect == "openai":
            return shown
        shown["status"] = shown["status"].upper()
        counts = shown.pop("request_counts")
        if self._dialect == "together":
            del shown["metadata"]
            return shown | {"request_count": counts["total"], "progress": 50.0}
        states = {"COMPLETED": "SUCCESS", "EXPIRED": "TIMEOUT_EXCEEDED", "VALIDATING": "QUEUED"}
        shown["status"] = states.get(shown["status"], shown["status"])
        shown["input_files"] = [shown.pop("input_file_id")]
        for kind in ("output", "error"):
            shown[f"{kind}_file"] = shown.pop(f"{kind}_file_id", None)
        return shown | {"total_requests": counts["total"], "succeeded_requests": counts["completed"]}

    def _end(self, id: str, end: str) -> None:
        batch = self.batches[id]
        plan: Plan = batch["_plan"]
        batch["status"] = end
        if end == "failed":
            batch["errors"] = {"object": "list", "data": [dict(plan.failure)]}
            return
        lines = [json.loads(line) for line in self.files[batch["input_file_id"]].split(b"\n")]
        if not plan.files:
            return
        cut = len(lines) // 2 if end in ("expired", "cancelled") else len(lines) - plan.unanswered
        results, errors = [], []
        for number, line in enumerate(lines):
            if number >= cut:
                errors.append(_explain(line, end))
            elif number >= plan.drop:
                results.append(self._answer_line(line, plan.disrupt(number, line["body"])))
        results += results[: plan.double]
        if plan.shuffle:
            random.Random(id).shuffle(results)
        batch["request_counts"] |= {"completed": len(results), "failed": len(errors)}
        for key, rows in (("output_file_id", results), ("error_file_id", errors)):
            if rows:
                batch[key] = f"file-{next(self._ids)}"
                written = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
                self.files[batch[key]] = written if plan.output is None else plan.output

    def _answer_line(self, line: Body, disruption: Disruption | None) -> Body:
        body = line["body"]
        reply: Any = self._completion(body)
        status = 200
        if disruption is not None:
            status = disruption.status
            if disruption.edit:
                disruption.edit(reply)
            if disruption.body is not None:
                reply = disruption.body
        if status == 200 and "error" not in reply:
            self.charged[line["custom_id"]] += 1
        response = {"status_code": status, "request_id": "r", "body": reply}
        return {"id": f"line-{next(self._ids)}", "custom_id": line["custom_id"], "response": response, "error": None}


def _explain(line: Body, end: str) -> Body:
    error = {"code": f"batch_{end}", "message": f"This request was not answered: the batch has {end}."}
    return {"id": "line", "custom_id": line["custom_id"], "response": None, "error": error}


def _refuse(status: int, message: str) -> web.Response:
    return web.json_response({"error": {"message": message}}, status=status)


def _write(body: object) -> bytes:
    return body if isinstance(body, bytes) else json.dumps(body).encode()
