"""Brings batches to their provider, once each, and waits for their end.

Each step is noted in the store before it is taken. So a process may die at any of them, and whoever comes next goes on
from there: see :mod:`~pytest_codereason.engine.storage.batches`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_codereason.core.batches import Batching, BatchState, SentBatch
from pytest_codereason.core.text.wording import plural
from pytest_codereason.engine.retries import Patience
from pytest_codereason.engine.storage.batches import KeptBatch
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import ModelError, TransientModelError


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How long is waited for what, in seconds."""

    gather: float = 0.5  #: for another request, before a batch is sent
    others: float = 1.0  #: for another process that sends a batch
    sure: float = 60.0  #: until a batch that a provider does not list was certainly never created
    first_look: float = 15.0  #: between two looks at a batch; later a tenth of its age
    last_look: float = 300.0


class Courier:
    """The way of batches to one model and back.

    Args:
        tell: tells the user what becomes of a batch.
    """

    def __init__(
        self, batching: Batching, store: Store, patience: Patience, pace: Pace, tell: Callable[[str], object]
    ) -> None:
        self._batching, self._patience, self._pace, self._tell = batching, patience, pace, tell
        self._batches, self._processes = store.batches, store.processes

    async def send(self, name: str, lines: Sequence[bytes]) -> None:
        """Sends a batch that is noted in the store. If it certainly cannot be sent, it is forgotten.

        Raises:
            ModelError: it was not sent, or nobody knows whether it was.
        """
        created = False  # perhaps

        async def create() -> str:
            nonlocal created
            try:
                created = True
                return await self._batching.create(sent, lines)
            except ModelError as error:  # the reply may be what got lost
                if not error.unbilled and (id := await self._search(sent, time.time())) is not None:
                    return id
                created = False
                raise

        try:
            sent = SentBatch(name, await self._patience.retry(lambda: self._batching.upload(name, lines)))
            self._batches.note(name, file=sent.file, stage="creating", at=time.time())
            id = await self._patience.retry(create)
        except ModelError:
            if not created:
                self._batches.forget(name)
            raise
        self._batches.note(name, id=id, stage="sent", at=time.time())
        self._tell(f"batch {id}: {plural(len(lines), 'request')} sent")

    async def _search(self, sent: SentBatch, since: float) -> str | None:
        """The id of a batch that was perhaps created at a time; ``None`` if it certainly was not."""

        async def find() -> str | None:
            return await self._batching.find(self._batches.recall(sent.name, sent.file))

        while True:
            if id := await self._patience.retry(find):
                return id
            left = since + self._pace.sure - time.time()
            if left <= 0:
                return None
            await asyncio.sleep(min(left, self._pace.others))

    async def find_sent(self, name: str) -> KeptBatch | None:
        """A batch once it is sent, by whichever process; ``None`` if it is not, or if its answers are stored already.

        Raises:
            ModelError: its provider cannot be asked.
        """
        while (batch := self._batches.read(name)) is not None and batch.stage != "sent":
            if self._processes.lives(batch.owner):
                await asyncio.sleep(self._pace.others)
                continue
            sent = SentBatch(name, batch.file)
            id = None if batch.stage == "uploading" else await self._search(sent, batch.at)
            if id is None:
                return None
            self._batches.note(name, id=id, stage="sent", at=time.time())
        return batch

    async def wait_for_end(self, batch: KeptBatch) -> BatchState | None:
        """The last state of a batch; ``None`` once another process has stored its answers.

        Whatever troubles the provider is waited for, because all is paid. A batch that was cancelled before the first
        look counts as expired: whoever has cancelled it and asks again wants the rest.

        Raises:
            ModelError: the provider does not know the batch, or refuses the key.
        """
        failures, told, looked, pace = 0, batch.answered, False, self._pace
        while self._batches.read(batch.name) is not None:
            try:
                state = await self._batching.look(batch.id)
                failures = 0
            except TransientModelError as error:
                failures += 1
                state = BatchState(None, told, retry_after=error.retry_after)
            if state.ended:
                return state._replace(ended="expired") if state.ended == "cancelled" and not looked else state
            looked = True
            if state.answered != told:
                told = state.answered
                self._batches.note(batch.name, answered=told)
                self._tell(f"batch {batch.id}: {told:,} of {batch.requests:,} answered")
            due = min(max(pace.first_look * 2 ** min(failures, 5), (time.time() - batch.at) / 10), pace.last_look)
            await asyncio.sleep(due if state.retry_after is None else state.retry_after)
        return None
