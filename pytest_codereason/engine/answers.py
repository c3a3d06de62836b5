"""The answers of one model, each paid for once: found in the store, or asked for under a lease and stored."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import NamedTuple

from pytest_codereason.core import Completion, Model, Request
from pytest_codereason.engine.batching import Batcher
from pytest_codereason.engine.posting.post import Post
from pytest_codereason.engine.sending import Sender
from pytest_codereason.engine.storage.answer_keys import name_answer
from pytest_codereason.engine.storage.open_runs import OpenRuns
from pytest_codereason.engine.storage.store import POLL_S, Store
from pytest_codereason.errors import FatalModelError, StoreError


class PaidAnswer(NamedTuple):
    """A reply, and where it comes from."""

    completion: Completion
    created: float | None  #: when it was given, in seconds since the epoch; ``None`` for one that is not kept
    reused: bool  #: whether it comes from the store


class Answers:
    """The answers of one model to the questions of suites.

    Args:
        session: the session whose suites share answers.
        post: asks in batches; ``None``: one by one.
    """

    def __init__(
        self, sender: Sender, store: Store, runs: OpenRuns, *, session: str = "", post: Post | None = None
    ) -> None:
        self.sender, self.store, self.runs, self._session, self._post = sender, store, runs, session, post
        self._lease = Batcher(store.lease_all)
        self._keep = Batcher(self._keep_all)

    @property
    def model(self) -> Model:
        """The model that answers."""
        return self.sender.model

    async def find(self, plan: str, request: Request) -> PaidAnswer:
        """The answer to a request of a plan.

        Raises:
            ModelError: the model gave no answer.
            StoreError: the answer could not be stored.
        """
        if not self.model.stored:
            return PaidAnswer(await self.sender.ask(request), None, reused=False)
        key = name_answer(self.sender.identity, request, by_seed=self.model.draws_by_seed)
        if self._post is not None:
            return await self._find_by_post(self._post, plan, key, request)
        while (stored := self._find_stored(plan, key)) is None:
            self.sender.check_open()
            # A question is leased when it is sent, not while it waits: it would be lost to others for so long.
            async with self.sender.slots:
                if await self._lease(key):
                    return await self._ask_leased(plan, key, request)
            await asyncio.sleep(POLL_S)
        return stored

    async def _find_by_post(self, post: Post, plan: str, key: str, request: Request) -> PaidAnswer:
        if self._find_stored(plan, key) is None:
            await self.sender.start()
        # While the model was started, another question may have fetched the batch of an earlier session. From here on
        # nothing is awaited between a look into the store and the queue, so no answer is paid for twice.
        while (stored := self._find_stored(plan, key)) is None:
            await post.ask(key, self.runs.find(plan), self.runs.find_scope(plan), request)
        return stored._replace(reused=not post.claim(key))

    async def ask_once(self, plan: str, request: Request) -> Completion:
        """The reply to one request, paid for once: after an interruption, the same run finds the reply in the store.

        Raises:
            ModelError: the model gave no answer.
        """
        return (await self.find(plan, request)).completion

    def _find_stored(self, plan: str, key: str) -> PaidAnswer | None:
        """The answer of this run, else that of another suite of this session."""
        scope, run = self.runs.find_scope(plan), self.runs.find(plan)
        stored = self.store.get(key, run) or self.store.share(key, run, scope, self._session)
        return None if stored is None else PaidAnswer(stored.completion, stored.created, reused=True)

    async def _ask_leased(self, plan: str, key: str, request: Request) -> PaidAnswer:
        # Another session, or another suite, may have stored the answer since the last look.
        if (stored := self._find_stored(plan, key)) is not None:
            self.store.release(key)
            return stored
        try:
            completion = await self.sender.send(request)
            await self._keep((key, self.runs.find(plan), self.runs.find_scope(plan), completion))
        except StoreError as error:
            raise self.stop_for_store(error) from error
        except BaseException:
            self.store.release(key)
            raise
        return PaidAnswer(completion, time.time(), reused=False)

    def _keep_all(self, answers: Sequence[tuple[str, str, str, Completion]]) -> Sequence[None]:
        self.store.put_all(answers, session=self._session)
        return [None] * len(answers)

    def stop_for_store(self, error: StoreError) -> FatalModelError:
        """Sends no further request, because its answer could not be stored. Gives the reason."""
        self.sender.stop(f"{error}; mend it and run the same command again")
        assert self.sender.fatal is not None
        return self.sender.fatal
