"""A real HTTP server that takes batches as providers do, and fails by script. Its clock is set by the test.

In a test::

    with BatchServer(plans=[Plan(drop=2), Plan(end="expired")]) as server:
        ...  # server.url is the --model-url, server.charged how often each request was paid for

How a provider speaks of batches is a file of :mod:`tests.batch_forms`.
"""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.batch_forms import Line, Result, find_server_form, refuse
from tests.servers import Body, Disruption, Server


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


class BatchServer(Server):
    """The server.

    Args:
        plans: what becomes of the batches, in the order in which they are created; any other is answered at once.
        troubles: by step, what its requests get, in order; ``None`` in a list is the ordinary reply.
        most_lines: of a batch.
        most_bytes: of a file.
        form: ``openai``, ``mistral`` or another file of :mod:`tests.batch_forms`.
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
        form: str = "openai",
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
        self.most_bytes, self.again_s, self.pending = most_bytes, again_s, pending
        self.form = find_server_form(form)(self)
        self.provider, self._root = form, self.form.root
        self._plans = iter(plans)
        self._troubles = {step: iter(list(given)) for step, given in (troubles or {}).items()}
        self._most_lines = most_lines
        self._ids = itertools.count(1)

    def _add_routes(self, app: web.Application) -> None:
        for method, path, step, act in self.form.list_routes():
            app.router.add_route(method, path, self._step(step, act))

    def _step(
        self, step: str, act: Callable[[web.Request], Awaitable[web.Response]]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            self.steps.append(step)
            if self.form.header != "Authorization":
                assert "Authorization" not in request.headers
            if self.key not in (None, request.headers.get(self.form.header, "").removeprefix("Bearer ")):
                return refuse(401, "Incorrect API key provided")
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

    def _refused(self, request: web.Request) -> web.Response | None:
        self._key = self.key
        return super()._refused(request)

    # --- for the form -------------------------------------------------------------------------

    def add_file(self, content: bytes) -> str:
        """Keeps a file. Gives its id."""
        id = f"file-{next(self._ids)}"
        self.files[id] = content
        return id

    def add_batch(self, lines: Sequence[Line], about: Body) -> web.Response:
        """Creates a batch."""
        if len(lines) > self._most_lines:
            return refuse(400, f"a batch has at most {self._most_lines} lines")
        id = f"batch_{next(self._ids)}"
        self.batches[id] = {
            "id": id,
            "object": "batch",
            "status": "validating",
            **about,
            "request_counts": {"total": len(lines), "completed": 0, "failed": 0},
            "created_at": self.clock,
            "_plan": next(self._plans, Plan()),
            "_looks": 0,
            "_lines": lines,
        }
        return self.form.show(id)

    def advance(self, id: str) -> bool:
        """Lets a batch go on that is looked at. Whether there is one."""
        if id not in self.batches:
            return False
        batch = self.batches[id]
        plan: Plan = batch["_plan"]
        if batch["status"] in ("validating", "in_progress"):
            batch["status"] = "in_progress"
            batch["_looks"] += 1
            if self.clock >= batch["created_at"] + 86_400:
                self.end(id, "expired")
            elif batch["_looks"] > plan.looks and not plan.held:
                self.end(id, plan.end)
        return True

    def end(self, id: str, end: str) -> None:
        """Ends a batch, with the results that its plan wants."""
        batch = self.batches[id]
        plan: Plan = batch["_plan"]
        batch["status"] = end
        if end == "failed" or not plan.files:
            return
        lines: Sequence[Line] = batch["_lines"]
        cut = len(lines) // 2 if end in ("expired", "cancelled") else len(lines) - plan.unanswered
        answered = [
            self._answer_line(line, plan.disrupt(number, line.body))
            for number, line in enumerate(lines[:cut])
            if number >= plan.drop
        ]
        left = [Result(line.key, 0, {}) for line in lines[cut:]]
        answered += answered[: plan.double]
        batch["request_counts"] |= {"completed": len(answered), "failed": len(left)}
        results = answered + left
        if plan.shuffle:
            random.Random(id).shuffle(results)
        self.form.keep(batch, results)

    def finish(self) -> None:
        """Lets all batches end that are held."""
        for batch in self.batches.values():
            if batch["status"] in ("validating", "in_progress"):
                batch["_plan"] = Plan(end=batch["_plan"].end)

    def _answer_line(self, line: Line, disruption: Disruption | None) -> Result:
        reply: Any = self._completion(line.body)
        status = 200
        if disruption is not None:
            status = disruption.status
            if disruption.edit:
                disruption.edit(reply)
            if disruption.body is not None:
                reply = disruption.body
        if status == 200 and "error" not in reply:
            self.charged[line.key] += 1
        return Result(line.key, status, reply)


def _write(body: object) -> bytes:
    return body if isinstance(body, bytes) else json.dumps(body).encode()
