"""Batches in the store: a question is in one batch at a time, and keeps its run open."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.engine.storage.batches import BatchedRequest, KeptBatch
from pytest_codereason.engine.storage.store import RESUME_WITHIN_S, Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path)) as store:
        yield store


def make_batch(store: Store, name: str = "b", **changes: Any) -> KeptBatch:
    batch = KeptBatch(name, store.owner, "openai:x", "openai:x", "{}", "uploading", 1.0)
    return batch._replace(**changes)


def make_request(run: str = "run") -> BatchedRequest:
    return BatchedRequest(run, "scope", '["", "max_tokens"]', 0.5)


def test_a_question_is_in_one_batch_at_a_time(store: Store) -> None:
    store.batches.add(make_batch(store, requests=1))
    assert store.batches.add_request("b", "k", make_request())
    assert not store.batches.add_request("other", "k", make_request())
    assert store.batches.find("k") == "b"
    assert store.batches.find("unknown") is None
    assert store.batches.list_requests("b") == {"k": make_request()}
    assert [store.batches.take_out(name, "k") for name in ("other", "b", "b")] == [False, True, False]
    assert store.batches.find("k") is None
    assert store.batches.add_request("b", "k", make_request())
    store.batches.forget("b")
    assert store.batches.find("k") is None
    assert store.batches.read("b") is None


def test_what_is_noted_of_a_batch_is_seen_by_other_sessions(store: Store, tmp_path: Path) -> None:
    store.batches.add(make_batch(store))
    store.batches.add(make_batch(store, "a", at=0.5))
    store.batches.note("b", stage="sent", id="batch_1", answered=3, at=2.0)
    with closing(Store(tmp_path)) as other:
        assert [batch.name for batch in other.batches.list_all()] == ["a", "b"]
        seen = other.batches.read("b")
    assert seen == make_batch(store, stage="sent", id="batch_1", answered=3, at=2.0)


def test_a_run_stays_open_as_long_as_a_batch_of_it_is_under_way(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = {scope: store.open_run(scope) for scope in ("waits", "ends")}
    store.batches.add(make_batch(store))
    store.batches.add_request("b", "k", make_request(runs["waits"]))
    assert store.batches.count(["waits"]) == (1, 1)
    assert store.batches.count(["ends"]) == store.batches.count([]) == (0, 0)
    later = time.time() + RESUME_WITHIN_S + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert store.open_run("waits") == runs["waits"]
    assert store.open_run("ends") != runs["ends"]


def test_a_block_within_a_block_is_one_transaction(store: Store) -> None:
    def fail() -> None:
        with store.write_whole("nothing is written"):
            with store.write_whole("inside"):
                store.batches.add(make_batch(store))
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert store.batches.list_all() == []
