"""A batch is created once, whoever dies, and is never taken for lost too early."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pytest_codereason.core.batches import BatchState
from pytest_codereason.engine.posting.courier import Courier, Pace
from pytest_codereason.engine.storage.batches import KeptBatch, Stage
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import FatalModelError, TransientModelError
from tests.batch_servers import BatchServer, Plan
from tests.engine.posting.posts import QUICK, run_courier
from tests.servers import Disruption, error, reset

BODY = b'{"model": "scripted", "messages": [{"role": "user", "content": "?"}]}'
LINE = b'{"custom_id": "k", "method": "POST", "url": "/v1/chat/completions", "body": %s}' % BODY


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "store")) as store:
        yield store


def note(store: Store, stage: Stage = "uploading", *, age: float = 0.0, owner: str = "", file: str = "") -> KeptBatch:
    """A batch of this process, or of one that is dead."""
    batch = KeptBatch("b", owner or store.owner, "m", "m", "{}", stage, time.time() - age, file=file, requests=1)
    store.batches.add(batch)
    return batch


def test_each_step_is_noted(store: Store) -> None:
    note(store)
    with BatchServer() as server:
        run_courier(server, store, lambda courier: courier.send("b", [LINE]))
        (id,), (file,) = server.batches, server.files
    seen = store.batches.read("b")
    assert seen is not None
    assert (seen.stage, seen.id, seen.file) == ("sent", id, file)


def test_a_file_that_is_not_ready_is_waited_for(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_codereason.models.openai.forms._http.PAUSE_S", 0.01)
    note(store)
    with BatchServer(pending=3) as server:
        run_courier(server, store, lambda courier: courier.send("b", [LINE]))
        assert server.steps == ["upload", "file", "file", "file", "create"]


@pytest.mark.parametrize(("created", "batches"), [(True, 1), (False, 1)])
def test_a_lost_reply_creates_one_batch(store: Store, created: bool, batches: int) -> None:
    note(store)
    lost = reset() if created else error(502, "bad gateway")
    with BatchServer(troubles={"create": [lost]}) as server:
        began = time.monotonic()
        run_courier(server, store, lambda courier: courier.send("b", [LINE]))
        assert len(server.batches) == batches
        assert (time.monotonic() - began > QUICK.sure) is not created, "whoever is not sure waits"


def test_a_batch_that_is_refused_is_forgotten_and_one_in_doubt_is_not(store: Store) -> None:
    note(store)
    with BatchServer(troubles={"create": [error(400, "no such model")]}) as server:
        with pytest.raises(FatalModelError, match="no such model"):
            run_courier(server, store, lambda courier: courier.send("b", [LINE]))
        assert store.batches.read("b") is None
    note(store)
    with BatchServer(troubles={"create": [reset()], "list": [error(401, "no")]}) as server:
        with pytest.raises(FatalModelError, match="401"):
            run_courier(server, store, lambda courier: courier.send("b", [LINE]))
        assert len(server.batches) == 1
        assert store.batches.read("b") is not None


async def find(courier: Courier) -> KeptBatch | None:
    return await courier.find_sent("b")


def test_a_batch_of_a_dead_process_is_found_at_its_provider(store: Store) -> None:
    with BatchServer() as server:
        for _ in range(5):  # a page has two
            other = note(store)
            run_courier(server, store, lambda courier: courier.send("b", [LINE]))
            store.batches.forget(other.name)
            server.batches[[*server.batches][-1]]["metadata"] = None  # a provider may drop it
        first, *_, last = server.batches
        for id in (first, last):
            file = server.batches[id]["input_file_id"]
            note(store, "creating", owner="dead", file=file)
            found = run_courier(server, store, find)
            assert found is not None
            assert found.id == id
            store.batches.forget("b")


@pytest.mark.parametrize(
    ("stage", "age", "waits"), [("uploading", 0, False), ("creating", 9, False), ("creating", 0, True)]
)
def test_a_batch_that_was_not_created_is_lost_once_that_is_sure(
    store: Store, stage: Stage, age: float, waits: bool
) -> None:
    note(store, stage, owner="dead", file="file-9", age=age)
    with BatchServer() as server:
        began = time.monotonic()
        assert run_courier(server, store, find) is None
        assert (time.monotonic() - began > QUICK.sure / 2) is waits


def test_looks_that_fail_are_repeated_and_a_refusal_is_not(store: Store) -> None:
    batch = note(store, "sent")._replace(id="batch_9")
    with BatchServer() as server, pytest.raises(FatalModelError, match="no such batch"):
        run_courier(server, store, lambda courier: courier.wait_for_end(batch))
    troubles = {"look": [error(503, "busy"), Disruption(body=b"<html>"), reset(), Disruption(body=[1])]}
    with BatchServer(troubles=troubles, plans=[Plan(looks=2)]) as server:
        run_courier(server, store, lambda courier: courier.send("b", [LINE]))
        sent = store.batches.read("b")
        assert sent is not None
        state = run_courier(server, store, lambda courier: courier.wait_for_end(sent))
        assert state is not None
        assert (state.ended, state.answered) == ("completed", 1)


def test_nobody_waits_for_a_batch_whose_answers_another_process_has_stored(store: Store) -> None:
    batch = note(store, "sent")
    store.batches.forget("b")
    with BatchServer() as server:
        assert run_courier(server, store, lambda courier: courier.wait_for_end(batch)) is None


def test_looks_become_rarer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch of an hour is looked at every five minutes; a provider that wants to be asked later is."""
    waits: list[float] = []
    states = iter([BatchState(None), BatchState(None, retry_after=700.0), None, BatchState("completed")])

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def look(id: str) -> BatchState:
        state = next(states)
        if state is None:
            raise TransientModelError("?")
        return state

    async def work(courier: Courier) -> None:
        monkeypatch.setattr(courier._batching, "look", look)
        monkeypatch.setattr("pytest_codereason.engine.posting.courier.asyncio.sleep", sleep)
        await courier.wait_for_end(batch)
        monkeypatch.undo()

    batch = note(store, "sent", age=100)
    with BatchServer() as server:
        run_courier(server, store, work, Pace())
    assert waits == [15.0, 700.0, 30.0]
