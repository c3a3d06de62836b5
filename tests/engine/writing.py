"""Texts that a writer at a server writes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from pytest_codereason.core import Text, TextRequest
from pytest_codereason.engine.building.authoring import Writer
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.limits.allowance import Allowance
from pytest_codereason.engine.retries import Patience
from pytest_codereason.engine.sending import Sender
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.models.specs import create_model
from tests.servers import Server


def write_all(
    server: Server, executor: Executor, folder: Path, *requests: TextRequest, processes: int = 1
) -> list[Text]:
    """What a writer at this server writes, all asked for at once by each of so many writers of one store."""

    async def run() -> list[Text]:
        stores = [Store(folder) for _ in range(processes)]
        senders = [
            Sender(
                create_model("openai:scripted", url=server.url, args={}),
                Allowance(concurrency=8),
                store.notices,
                patience=Patience(attempts=2, first_wait_s=0.01),
            )
            for store in stores
        ]
        try:
            writers = [
                Writer(sender.model, sender.ask, executor.run, store, session="s", reuse_s=0, stop=sender.stop)
                for sender, store in zip(senders, stores, strict=True)
            ]
            return await asyncio.gather(*(writer.write(request, "run") for request in requests for writer in writers))
        finally:
            for sender, store in zip(senders, stores, strict=True):
                await sender.close()
                store.close()

    return asyncio.run(run())


def say(*replies: str) -> Any:
    """Gives these replies one after the other, the last for ever."""
    left = list(replies)
    return lambda messages, body: left.pop(0) if len(left) > 1 else left[0]
