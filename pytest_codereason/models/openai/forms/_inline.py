"""Forms that take all requests in one message, and give a batch no name of ours.

Such a batch is found again by its place in the provider's list, by its size, and by what stands in its results: it is
newer than the newest one that was there before it was sent.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from pytest_codereason.core.batches import BatchState, SentBatch
from pytest_codereason.errors import FatalModelError, TransientModelError
from pytest_codereason.models.openai.forms._http import Body, HttpBatching
from pytest_codereason.models.openai.problems import clip, join_lines


class _Mark(NamedTuple):
    """By what a batch is known."""

    after: str  #: the id of the newest batch before it; empty if there was none
    requests: int


class InlineBatching(HttpBatching):
    """The batches of one model."""

    @abstractmethod
    def write_batch(self, lines: Sequence[bytes]) -> bytes:
        """What is sent to create a batch."""

    @abstractmethod
    def count_requests(self, row: Body) -> int:
        """How many requests a batch has."""

    async def upload(self, name: str, lines: Sequence[bytes]) -> str:
        """See :meth:`Batching.upload`: nothing is brought there, and the mark of the batch stands for its file."""
        newest = ""
        async for row in self._list():
            newest = self._find_id(row)
            break
        return json.dumps(_Mark(newest, len(lines)))

    async def create(self, batch: SentBatch, lines: Sequence[bytes]) -> str:
        """See :meth:`Batching.create`."""
        return await self._create(self.batches, self.write_batch(lines))

    async def find(self, batch: SentBatch) -> str | None:
        """See :meth:`Batching.find`.

        A batch of that size that is still under way is taken for the one, if it is alone. If its results show that it
        was not, its requests count as unanswered and are sent again.
        """
        mark, waiting = _Mark(*json.loads(batch.file)), list[str]()
        async for row in self._list():
            id = self._find_id(row)
            if id == mark.after:
                break
            if id in batch.others or not self._has_size(row, mark.requests):
                continue
            state = await self.look(id)
            if state.ended is None:
                waiting.append(id)
            elif await self._holds(state, batch.keys):
                return id
        if len(waiting) > 1:
            raise FatalModelError(
                f"one of the batches {', '.join(waiting)} is perhaps ours, and only their results tell which: "
                "once they have ended, run the same command again"
            )
        return waiting[0] if waiting else None

    def _has_size(self, row: Body, requests: int) -> bool:
        try:
            return self.count_requests(row) == requests
        except (KeyError, TypeError, ValueError, AttributeError):
            about = clip(join_lines(json.dumps(row)))
            raise TransientModelError(f"the list says nothing of a batch: {about}") from None

    async def _holds(self, state: BatchState, keys: frozenset[str]) -> bool:
        """Whether one of the requests is in a batch that has ended. Some may have got lost."""
        return not keys.isdisjoint([key async for key, _ in self.fetch(state)])
