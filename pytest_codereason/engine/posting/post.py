"""Sends requests to a model in batches: gathers them, keeps their money back, and fetches the answers.

Example: 4,096 questions are built, and the first request of each waits here. As soon as no other comes, all are sent as
one batch. Hours later its answers are stored, and everybody who waits goes on. A second request of a task, or a request
that failed, then waits for the next batch.

A request that is in a batch already, whichever session has sent it, is not sent again: that batch is followed.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
import uuid
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NamedTuple

from pytest_codereason.core import Completion, Price, Request
from pytest_codereason.core.batches import Batching, BatchState
from pytest_codereason.engine.limits.budget import bound_request, make_budget_error, price_completion
from pytest_codereason.engine.posting.courier import Courier, Pace
from pytest_codereason.engine.sending import Sender
from pytest_codereason.engine.storage.batches import BatchedRequest, KeptBatch
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import (
    FatalModelError,
    ModelError,
    PartError,
    StoreError,
    TransientModelError,
    describe_error,
)

#: How often a request is sent, in batch after batch, before it counts as unanswered.
TRIES = 3
#: How many answers are stored at once.
STORED_AT_ONCE = 500


class _Line(NamedTuple):
    """A request that waits to be sent."""

    content: bytes
    request: BatchedRequest


class Post:
    """The way to one model by batches, in one process and one event loop.

    Args:
        session: under whose name money is counted.
        max_cost: the most that the session may spend, in US dollars.
        most: the most requests that may be in batches at a time.
        idle: whether nothing is going on from which a request may come.
        tell: tells the user what becomes of a batch.
    """

    def __init__(
        self,
        sender: Sender,
        batching: Batching,
        store: Store,
        *,
        session: str = "",
        max_cost: float | None = None,
        most: int | None = None,
        idle: Callable[[], bool] = lambda: True,
        tell: Callable[[str], object] = lambda text: None,
        pace: Pace | None = None,
    ) -> None:
        self._sender, self._batching, self._store = sender, batching, store
        self._session, self._max_cost, self._most = session, max_cost, most or math.inf
        self._idle, self._tell, self._pace = idle, tell, pace or Pace()
        self._courier = Courier(batching, store, sender.patience, self._pace, tell)
        self._price = Price.of(sender.model.price)
        self._waiting: dict[str, asyncio.Future[None]] = {}  # by key
        self._paid: set[str] = set()  # keys of answers that this process has stored and nobody has claimed
        self._gathered: dict[str, _Line] = {}
        self._came = 0.0  # when the last of them came
        self._followed: dict[str, dict[str, None]] = {}  # by the name of a batch, the keys that wait here, in order
        self._sizes: dict[str, int] = {}  # how many requests each of them has
        self._held: dict[str, float] = {}  # by the name of a batch, the dollars that are kept back for it
        self._ended = asyncio.Event()  # set when a batch has ended
        self._sending: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, key: str, run: str, scope: str, request: Request) -> None:
        """Waits until the question of a key was answered in a batch. The model is started.

        The answer is in the store then, if it serves this run. Without an answer in the store, call it at once.

        Raises:
            ModelError: there is no answer.
        """
        for tries in range(1, TRIES + 1):
            self._sender.check_open()
            if key not in self._waiting:
                self._enqueue(key, run, scope, request)
                self._waiting[key] = asyncio.get_running_loop().create_future()
                self._waiting[key].add_done_callback(lambda done: done.cancelled() or done.exception())
            try:
                return await asyncio.shield(self._waiting[key])
            except TransientModelError:
                if tries == TRIES:
                    raise
        raise AssertionError

    def claim(self, key: str) -> bool:
        """Whether this process has paid for the answer to a question. It is said to the first who asks.

        The answer may have come before its question was built: with the batch of an earlier session.
        """
        is_paid = key in self._paid
        self._paid.discard(key)
        return is_paid

    def _enqueue(self, key: str, run: str, scope: str, request: Request) -> None:
        if (name := self._store.batches.find(key)) is not None:
            self._follow(name, key)
            return
        line = self._batching.write_line(key, request)
        highest = bound_request(self._price, request)
        self._gathered[key] = _Line(line.content, BatchedRequest(run, scope, line.memo, highest))
        self._came = asyncio.get_running_loop().time()
        if self._sending is None or self._sending.done():
            self._sending = self._begin(self._send_all())

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._end)
        return task

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:  # nobody may wait for ever
            self.stop(FatalModelError(describe_error(error)))

    def _conclude(self, key: str, error: ModelError | None = None) -> None:
        """Lets those go on who wait for an answer."""
        future = self._waiting.pop(key, None)
        if future is None or future.done():
            return
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)

    # --- sending ------------------------------------------------------------------------------

    async def _send_all(self) -> None:
        """Sends what is gathered, batch by batch."""
        try:
            while self._gathered:
                await self._wait_for_more()
                await self._send_some()
        except (ModelError, StoreError) as error:
            self.stop(_make_fatal(error))

    async def _wait_for_more(self) -> None:
        """Waits until no other request comes, or a batch is full."""
        loop, pace = asyncio.get_running_loop(), self._pace.gather
        while len(self._gathered) < self._batching.terms.most_lines:
            left = self._came + pace - loop.time()
            if left <= 0 and self._idle():
                return
            await asyncio.sleep(left if left > 0 else pace)

    async def _send_some(self) -> None:
        """Sends one batch, as large as may be. Waits for another to end if none may be sent before."""
        batch = KeptBatch(
            name=uuid.uuid4().hex,
            owner=self._store.owner,
            model=self._sender.model.label,
            spec=self._sender.model.spec,
            address=json.dumps(dict(self._batching.address)),
            stage="uploading",
            at=time.time(),
        )
        sent, dear = self._note(batch, self._cut())
        if sent:
            lines = [self._gathered.pop(key).content for key in sent]
            self._followed[batch.name] = dict.fromkeys(sent)
            await self._send(batch, lines)
            self._watch(batch.name, requests=len(sent))
        elif self._gathered and self._followed:
            self._ended.clear()
            await self._ended.wait()
        elif dear is not None:
            assert self._max_cost is not None
            raise make_budget_error(self._max_cost, dear, self._store.spent(self._session))

    def _cut(self) -> list[str]:
        """The keys of the next batch, as far as they fit into it."""
        terms = self._batching.terms
        room = min(terms.most_lines, self._most - sum(self._sizes.values()))
        keys, size = list[str](), 0
        for key, line in self._gathered.items():
            size += len(line.content) + 1
            if len(keys) >= room or (keys and size > terms.most_bytes):
                break
            keys.append(key)
        return keys

    def _note(self, batch: KeptBatch, keys: Sequence[str]) -> tuple[list[str], float | None]:
        """Notes a batch and keeps its money back. Gives the keys that are in it, and the cost for which money lacked.

        A question that is in another batch is not sent; that one is followed.
        """
        noted, dear, elsewhere, held = list[str](), None, list[str](), 0.0
        with self._store.write_whole("a batch could not be noted"):
            for key in keys:
                request = self._gathered[key].request
                if not self._store.batches.add_request(batch.name, key, request):
                    elsewhere.append(key)
                elif self._max_cost is not None and not self._store.reserve(
                    self._session, request.highest, self._max_cost
                ):
                    self._store.batches.take_out(batch.name, key)
                    dear = request.highest
                    break
                else:
                    noted.append(key)
                    held += request.highest
            if self._max_cost is None:
                self._store.reserve(self._session, held, math.inf)
            if noted:
                self._store.batches.add(batch._replace(requests=len(noted)))
                self._held[batch.name] = held
        for key in elsewhere:
            del self._gathered[key]
            if (other := self._store.batches.find(key)) is not None:
                self._follow(other, key)
        return noted, dear

    async def _send(self, batch: KeptBatch, lines: Sequence[bytes]) -> None:
        try:
            await self._courier.send(batch.name, lines)
        except ModelError:
            if self._store.batches.read(batch.name) is None:
                self._close(batch.name)
            raise
        self._sender.sent += len(lines)

    # --- following ----------------------------------------------------------------------------

    def _follow(self, name: str, key: str) -> None:
        """Waits for the answer to a question that is in a batch."""
        if name not in self._followed:
            self._followed[name] = {}
            requests = self._store.batches.list_requests(name)
            self._held[name] = math.fsum(request.highest for request in requests.values())
            self._store.reserve(self._session, self._held[name], math.inf)  # it is spent already
            self._watch(name, requests=len(requests))
        self._followed[name][key] = None

    def _watch(self, name: str, *, requests: int) -> None:
        self._sizes[name] = requests
        self._begin(self._fetch(name))

    async def _fetch(self, name: str) -> None:
        """Waits for the end of a batch, and lets everybody go on who waits for it."""
        fatal: FatalModelError | None = None
        outcomes: dict[str, ModelError] = {}
        try:
            batch = await self._courier.find_sent(name)
            state = batch and await self._courier.wait_for_end(batch)
            if batch is not None and state is not None:
                errors = await self._collect(batch, state)
                lost, left = _explain_loss(batch.id, state), self._store.batches.list_requests(name)
                outcomes = {key: lost if state.ended == "cancelled" else errors.get(key, lost) for key in left}
        except (ModelError, StoreError) as error:
            fatal = _make_fatal(error)
        if fatal is None:
            self._close(name)
        keys = self._followed.pop(name)
        self._sizes.pop(name, None)
        self._ended.set()
        fatal = fatal or next((each for each in outcomes.values() if isinstance(each, FatalModelError)), None)
        for key in keys:
            self._conclude(key, outcomes.get(key, fatal))
        if fatal is not None:
            self.stop(fatal)

    async def _collect(self, batch: KeptBatch, state: BatchState) -> dict[str, ModelError]:
        """Stores the answers of a batch. Gives the errors of requests that have none, by key."""
        if state.ended == "failed":
            raise self._refuse(batch, state.failure)
        errors: dict[str, ModelError] = {}

        async def fetch() -> None:
            left = self._store.batches.list_requests(batch.name)
            kept: list[tuple[str, BatchedRequest, Completion]] = []
            async for key, result in self._batching.fetch(state):
                if (request := left.pop(key, None)) is None:  # told twice, or nobody's
                    continue
                try:
                    kept.append((key, request, self._sender.accept(self._batching.read(result, request.memo))))
                except (ModelError, PartError) as error:
                    errors[key] = error if isinstance(error, ModelError) else ModelError(str(error))
                if len(kept) >= STORED_AT_ONCE:
                    self._keep(batch.name, kept)
                    kept = []
            self._keep(batch.name, kept)

        await self._sender.patience.retry(fetch)
        left = len(self._store.batches.list_requests(batch.name))
        self._tell(f"batch {batch.id}: {state.ended}, {batch.requests - left:,} of {batch.requests:,} answered")
        return errors

    def _refuse(self, batch: KeptBatch, why: str) -> FatalModelError:
        """The error for a batch that the provider does not take. Nothing of it is paid."""
        self._close(batch.name)
        hint = "; --eval-concurrency=N keeps fewer requests in batches at a time" if "limit" in why.lower() else ""
        return FatalModelError(f"the batch {batch.id} failed: {why}{hint}")

    def _keep(self, name: str, answers: Sequence[tuple[str, BatchedRequest, Completion]]) -> None:
        """Stores answers, counts their cost and takes them out of their batch, in one transaction.

        Another process may have done so a moment ago.
        """
        freed = math.fsum(request.highest for _, request, _ in answers)
        with self._store.write_whole("answers of a batch could not be stored"):
            mine = [answer for answer in answers if self._store.batches.take_out(name, answer[0])]
            rows = [(key, request.run, request.scope, completion) for key, request, completion in mine]
            costs = [(price_completion(self._price, completion), request.highest) for _, request, completion in mine]
            self._store.put_all(rows, session=self._session)
            self._store.settle(self._session, freed, math.fsum(most if cost is None else cost for cost, most in costs))
        self._held[name] -= freed
        self._paid.update(key for key, *_ in mine)
        for key, *_ in answers:
            self._followed[name].pop(key, None)
            self._conclude(key)

    def _close(self, name: str) -> None:
        """Forgets a batch, and frees the money that is kept back for it."""
        with self._store.write_whole("a batch could not be ended"):
            self._store.batches.forget(name)
            self._store.settle(self._session, self._held.pop(name, 0.0), 0.0)

    # --- the end ------------------------------------------------------------------------------

    def stop(self, reason: FatalModelError | None = None) -> None:
        """Sends no other batch, and lets nobody wait any longer. Batches that are sent go on. Call it in the loop."""
        if reason is not None:
            self._sender.stop(reason)
        fatal = self._sender.fatal or FatalModelError("the run is ending")
        self._gathered.clear()
        self._ended.set()
        for key in list(self._waiting):
            self._conclude(key, fatal)

    async def close(self) -> None:
        """Ends the waiting for batches, once a batch that is being sent has been sent."""
        sending = {self._sending} if self._sending is not None and not self._sending.done() else set()
        for task in self._tasks - sending:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # Whoever fetches the answers of a batch counts what it cost.
        self._store.settle(self._session, math.fsum(self._held.values()), 0.0)


def _make_fatal(error: ModelError | StoreError) -> FatalModelError:
    """The reason why a run stops: what it has sent is paid, and the next session can fetch it."""
    return error if isinstance(error, FatalModelError) else FatalModelError(f"{error}; run the same command again")


def _explain_loss(id: str, state: BatchState) -> ModelError:
    """Why a request of a batch that has ended has no answer."""
    if state.ended == "cancelled":
        return FatalModelError(f"the batch {id} was cancelled; run the same command again to ask what is left")
    reason = "has expired" if state.ended == "expired" else "has ended"
    return TransientModelError(f"the batch {id} {reason} without an answer to this request", unbilled=True)
