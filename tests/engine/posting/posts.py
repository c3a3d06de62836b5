"""A post to a server of these tests, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

from pytest_codereason.engine.posting.courier import Courier, Pace
from pytest_codereason.engine.posting.post import Post
from pytest_codereason.engine.sending import Sender
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.models.openai.forms._http import HttpBatching
from tests.batch_servers import BatchServer
from tests.engine.askers import make_sender
from tests.models.openai_endpoints import make_model

R = TypeVar("R")
#: Quick enough for a test. A server of these tests lists a batch as soon as it has created it.
QUICK = Pace(gather=0.05, others=0.01, sure=0.3, first_look=0.01)


def run_post(
    server: BatchServer,
    store: Store,
    work: Callable[[Post], Awaitable[R]],
    *,
    terms: dict[str, int] | None = None,
    **more: Any,
) -> R:
    """What ``work`` makes of a post."""

    async def run() -> R:
        sender, batching = make_batching(server, store)
        batching.terms = replace(batching.terms, **(terms or {}))
        post = Post(sender, batching, store, pace=QUICK, **more)
        await sender.start()
        try:
            return await work(post)
        finally:
            await post.close()
            await sender.close()

    return asyncio.run(run())


def make_batching(server: BatchServer, store: Store) -> tuple[Sender, HttpBatching]:
    model = make_model(server.url)
    batching = model.batching
    assert batching is not None
    return make_sender(model, store), batching


def run_courier(server: BatchServer, store: Store, work: Callable[[Courier], Awaitable[R]], pace: Pace = QUICK) -> R:
    """What ``work`` makes of a courier."""

    async def run() -> R:
        sender, batching = make_batching(server, store)
        await sender.start()
        try:
            return await work(Courier(batching, store, sender.patience, pace, lambda text: None))
        finally:
            await sender.close()

    return asyncio.run(run())
