"""The batches that are under way, as ``codereason status`` lists and cancels them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from pytest_codereason.core.batches import SentBatch
from pytest_codereason.core.text.wording import plural
from pytest_codereason.engine.running import run_to_end
from pytest_codereason.engine.storage.batches import KeptBatch
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import FatalModelError, UsageError
from pytest_codereason.models.specs import create_model
from pytest_codereason.reports.words.formatting import format_duration


def list_batches(folder: Path) -> Iterator[str]:
    """A line for each batch in a store."""
    with closing(Store(folder)) as store:
        batches = store.batches.list_all()
    for batch in batches:
        since = format_duration(max(0.0, time.time() - batch.at))
        how = (
            f"sent {since} ago, {batch.answered:,} answered when last asked"
            if batch.id
            else f"{batch.stage} for {since}"
        )
        yield f"{batch.id or batch.name}  {batch.model}: {plural(batch.requests, 'request')}, {how}"
    if not batches:
        yield "no batch is under way"


def cancel_batches(folder: Path, wanted: str) -> Iterator[str]:
    """Cancels a batch, or ``all``; says what became of each.

    Raises:
        UsageError: there is no such batch.
        ModelError: the provider cannot be asked.
    """
    with closing(Store(folder)) as store:
        batches = [batch for batch in store.batches.list_all() if wanted in ("all", batch.id, batch.name)]
        if not batches and wanted != "all":
            raise UsageError(f"--cancel: no batch {wanted} is under way; codereason status lists those that are")
        for batch in batches:
            if batch.stage != "sent" and store.processes.lives(batch.owner):
                yield f"{batch.name} is being sent: stop its run first"
            elif run_to_end(_cancel(batch, store.batches.recall(batch.name, batch.file))):
                yield f"{batch.id or batch.name} is cancelled; the command of its run keeps what was answered"
            else:
                store.batches.forget(batch.name)
                yield f"{batch.id or batch.name} is forgotten: its provider does not have it"


async def _cancel(batch: KeptBatch, sent: SentBatch) -> bool:
    """Cancels a batch. Whether there is one at its provider."""
    if batch.stage == "uploading":
        return False
    address = json.loads(batch.address)
    model = create_model(batch.spec, url=address["url"], args=address["args"])
    await model.start()
    try:
        assert model.batching is not None
        id = batch.id or await model.batching.find(sent)
        if id is None:
            return False
        await model.batching.cancel(id)
    except FatalModelError as error:
        if "HTTP 404" in str(error):
            return False
        raise
    finally:
        await model.close()
    return True
