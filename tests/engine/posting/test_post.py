"""Requests are gathered into batches, and their answers are paid for once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pytest_codereason.engine.posting.post import Post
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import FatalModelError, StoreError
from tests.batch_servers import BatchServer, Plan
from tests.engine.posting.posts import QUICK, make_batching, run_post
from tests.models.asking import request


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "store")) as store:
        yield store


async def ask(post: Post, *keys: str) -> list[bool | BaseException]:
    """Whether each answer was paid for by this process, or why there is none."""

    async def ask_one(key: str) -> bool:
        await post.ask(key, "run", "scope", request(f"What is {key}?"))
        return post.claim(key)

    return await asyncio.gather(*map(ask_one, keys), return_exceptions=True)


@pytest.mark.parametrize("terms", [{"most_lines": 3}, {"most_bytes": 700}])
def test_a_full_batch_is_sent_and_the_next_one_beside_it(store: Store, terms: dict[str, int]) -> None:
    with BatchServer() as server:
        paid = run_post(server, store, lambda post: ask(post, *map(str, range(7))), terms=terms)
        sizes = [batch["request_counts"]["total"] for batch in server.batches.values()]
        sent = [server.files[batch["input_file_id"]] for batch in server.batches.values()]
    assert paid == [True] * 7
    assert sizes == [3, 3, 1]
    assert all(len(lines) <= terms.get("most_bytes", 2000) for lines in sent)


def test_who_asks_the_same_waits_for_the_same_answer_and_pays_nothing(store: Store) -> None:
    with BatchServer() as server:
        paid = run_post(server, store, lambda post: ask(post, "a", "b", "a", "a"))
        assert server.charged == {"a": 1, "b": 1}
    assert paid == [True, True, False, False]
    assert store.get("a", "run") is not None


def test_a_batch_waits_until_nothing_is_going_on_from_which_a_request_may_come(store: Store) -> None:
    looks = iter([False, False, False])

    async def work(post: Post) -> None:
        first = asyncio.ensure_future(ask(post, "a"))
        await asyncio.sleep(0.1)
        await ask(post, "b")
        await first

    with BatchServer() as server:
        run_post(server, store, work, idle=lambda: next(looks, True))
        assert len(server.batches) == 1


def test_a_stop_lets_nobody_wait_and_leaves_the_batch(store: Store) -> None:
    async def work(post: Post) -> list[bool | BaseException]:
        asked = asyncio.ensure_future(ask(post, "a", "b"))
        while "look" not in server.steps:
            await asyncio.sleep(0.01)
        post.stop(FatalModelError("it is late"))
        return await asked

    with BatchServer(plans=[Plan(held=True)]) as server:
        assert [str(error) for error in run_post(server, store, work)] == ["it is late"] * 2
        assert [batch.requests for batch in store.batches.list_all()] == [2]
        assert store.spent("") == 0
        server.finish()
        assert run_post(server, store, lambda post: ask(post, "b", "a", "c")) == [True] * 3
        assert server.charged == {"a": 1, "b": 1, "c": 1}


def test_an_answer_that_comes_before_its_question_is_built_is_paid_for_too(store: Store) -> None:
    """A session goes on with a batch of three. Two of its questions are built once all answers are stored."""

    async def leave(post: Post) -> None:
        asked = asyncio.ensure_future(ask(post, "a", "b", "c"))
        while "look" not in server.steps:
            await asyncio.sleep(0.01)
        post.stop(FatalModelError("it is late"))
        await asked

    async def go_on(post: Post) -> list[bool | BaseException]:
        first = await ask(post, "a")
        assert store.get("b", "run") is not None
        return [*first, post.claim("b"), post.claim("c"), post.claim("c")]

    with BatchServer(plans=[Plan(held=True)]) as server:
        run_post(server, store, leave)
        server.finish()
        assert run_post(server, store, go_on) == [True, True, True, False]


def test_a_stop_ends_the_waiting_for_room_too(store: Store) -> None:
    async def work(post: Post) -> list[bool | BaseException]:
        asked = asyncio.ensure_future(ask(post, "a", "b"))
        while "look" not in server.steps:
            await asyncio.sleep(0.01)
        post.stop(FatalModelError("it is late"))
        await asyncio.wait_for(post.close(), 5)
        return await asked

    with BatchServer(plans=[Plan(held=True)]) as server:
        assert [str(error) for error in run_post(server, store, work, most=1)] == ["it is late"] * 2
        assert len(server.batches) == 1


def test_two_that_fetch_at_once_pay_once(store: Store) -> None:
    with BatchServer(plans=[Plan(looks=5)]) as server:

        async def both(post: Post) -> list[list[bool | BaseException]]:
            first = asyncio.ensure_future(ask(post, "a", "b"))
            while "look" not in server.steps:
                await asyncio.sleep(0.01)
            sender, batching = make_batching(server, store)
            await sender.start()
            other = Post(sender, batching, store, session="other", pace=QUICK)
            second = await ask(other, "b", "a")
            await other.close()
            await sender.close()
            return [await first, second]

        paid = run_post(server, store, both)
        assert server.charged == {"a": 1, "b": 1}
    assert sorted(map(str, paid)) == ["[False, False]", "[True, True]"]


def test_a_store_that_fails_stops_all(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **more: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(store, "put_all", fail)
    with BatchServer() as server:
        (error,) = run_post(server, store, lambda post: ask(post, "a"))
        assert str(error) == "answers of a batch could not be stored: the disk is full; run the same command again"
        monkeypatch.undo()
        assert run_post(server, store, lambda post: ask(post, "a")) == [True]
        assert server.charged == {"a": 1}


def test_an_answer_may_serve_another_run_of_the_session_alone(store: Store) -> None:
    with BatchServer() as server:
        run_post(server, store, lambda post: ask(post, "a"), session="s")
    assert store.share("a", "twin", "scope", "s") is not None
    assert store.share("a", "another", "scope", "t") is None
