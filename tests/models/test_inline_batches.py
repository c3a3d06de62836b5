"""Batches that carry no name of ours are found again, and never taken for another one that is known."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest

from pytest_codereason.core.batches import SentBatch
from pytest_codereason.errors import FatalModelError, TransientModelError
from pytest_codereason.models.openai import OpenAIModel
from pytest_codereason.models.openai.forms._http import HttpBatching
from pytest_codereason.models.specs import create_model
from tests.batch_servers import BatchServer, Plan
from tests.models.asking import request
from tests.servers import Disruption

R = TypeVar("R")
INLINE = ("anthropic", "openrouter")
HELD = Plan(held=True)


def run(server: BatchServer, work: Callable[[HttpBatching], Awaitable[R]]) -> R:
    """What ``work`` makes of the batches of a started model."""

    async def start() -> R:
        model = create_model(f"{server.provider}:scripted", url=server.url, args={})
        assert isinstance(model, OpenAIModel)
        await model.start()
        try:
            batching = model.batching
            assert batching is not None
            return await work(batching)
        finally:
            await model.close()

    return asyncio.run(start())


def lines(batching: HttpBatching, *keys: str) -> list[bytes]:
    return [batching.write_line(key, request()).content for key in keys]


async def send(batching: HttpBatching, *keys: str) -> tuple[SentBatch, str]:
    """A batch that is sent, and its id."""
    sent = SentBatch("name", await batching.upload("name", lines(batching, *keys)), keys=frozenset(keys))
    return sent, await batching.create(sent, lines(batching, *keys))


@pytest.mark.parametrize("form", INLINE)
def test_a_batch_is_newer_than_those_before_it_and_has_its_size(form: str) -> None:
    async def work(batching: HttpBatching) -> None:
        await send(batching, "a", "b")
        unsent = SentBatch("name", await batching.upload("name", lines(batching, "c", "d")))
        assert await batching.find(unsent) is None, "what was there before is another one"
        for keys in ("e", "fgh"):
            await send(batching, *keys)
        assert await batching.find(unsent) is None, "what has another size is another one"
        id = await batching.create(unsent, lines(batching, "c", "d"))
        await send(batching, "i")
        assert await batching.find(unsent) == id

    with BatchServer(form=form, plans=[HELD] * 9) as server:
        run(server, work)


@pytest.mark.parametrize("form", INLINE)
def test_of_two_that_are_alike_the_results_tell(form: str) -> None:
    async def work(batching: HttpBatching) -> None:
        file = await batching.upload("name", lines(batching, "a", "b"))
        sent = SentBatch("name", file, keys=frozenset("ab"))
        _, other = await send(batching, "c", "d")
        id = await batching.create(sent, lines(batching, "a", "b"))
        with pytest.raises(FatalModelError, match=f"one of the batches {id}, {other} is perhaps ours"):
            await batching.find(sent)
        assert await batching.find(sent._replace(others=frozenset([other]))) == id
        server.finish()
        for each in (id, other):
            await batching.look(each)
        assert await batching.find(sent) == id

    with BatchServer(form=form, plans=[HELD] * 9) as server:
        run(server, work)


@pytest.mark.parametrize("form", INLINE)
def test_a_batch_is_known_by_any_of_its_results(form: str) -> None:
    async def work(batching: HttpBatching) -> None:
        sent, id = await send(batching, "a", "b", "c")
        await batching.look(id)
        assert await batching.find(sent) == id

    with BatchServer(form=form, plans=[Plan(drop=2)]) as server:
        run(server, work)


@pytest.mark.parametrize("form", INLINE)
def test_a_batch_of_somebody_else_that_has_ended_is_not_ours(form: str) -> None:
    async def work(batching: HttpBatching) -> None:
        file = await batching.upload("name", lines(batching, "a", "b"))
        sent = SentBatch("name", file, keys=frozenset("ab"))
        _, other = await send(batching, "c", "d")
        await batching.look(other)
        assert await batching.find(sent) is None

    with BatchServer(form=form) as server:
        run(server, work)


def test_a_list_that_cannot_be_read_is_asked_for_again() -> None:
    async def work(batching: HttpBatching) -> None:
        sent, _ = await send(batching, "a")
        with pytest.raises(TransientModelError, match="the list says nothing of a batch"):
            await batching.find(sent)

    rows: dict[str, Any] = {"data": [{"id": "batch_1", "request_counts": None}], "has_more": False}
    with BatchServer(form="anthropic", troubles={"list": [None, Disruption(body=rows)]}) as server:
        run(server, work)


@pytest.mark.parametrize("form", ["openai", "anthropic", "gemini", "openrouter"])
@pytest.mark.parametrize("body", [3, [3], {"data": 3, "operations": "?"}, {"data": [3]}])
def test_a_list_of_something_else_has_no_batch(form: str, body: object) -> None:
    async def work(batching: HttpBatching) -> str | None:
        sent, _ = await send(batching, "a")
        return await batching.find(sent)

    listings = [None] * (form in INLINE) + [Disruption(body=body)]
    with BatchServer(form=form, troubles={"list": listings}) as server:
        assert run(server, work) is None


@pytest.mark.parametrize("body", [3, [3], {"file": "?"}, {"file": {"name": 3}}])
def test_a_file_without_a_name_is_not_there(body: object) -> None:
    server = BatchServer(form="gemini", troubles={"upload": [Disruption(body=body)]})
    with server, pytest.raises(TransientModelError, match="the reply has no id"):
        run(server, lambda batching: batching.upload("name", lines(batching, "a")))


def test_a_file_goes_to_no_other_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "secret")

    async def work(batching: HttpBatching) -> None:
        with pytest.raises(TransientModelError, match=r"files are to be brought to elsewhere\.example, not to http"):
            await batching.upload("name", lines(batching, "a"))

    elsewhere = Disruption(headers={"X-Goog-Upload-URL": "https://elsewhere.example/upload"})
    with BatchServer(form="gemini", troubles={"start": [elsewhere]}) as server:
        run(server, work)
        assert server.steps == ["start"]


def test_a_file_of_gemini_that_is_not_ready_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_codereason.models.openai.forms._http.PAUSE_S", 0.01)
    with BatchServer(form="gemini", pending=3) as server:
        sent, id = run(server, lambda batching: send(batching, "a"))
        assert server.steps == ["start", "upload", "file", "file", "file", "create"]
        assert run(server, lambda batching: batching.find(sent)) == id


def test_openrouter_cancels_nothing() -> None:
    with BatchServer(form="openrouter") as server, pytest.raises(FatalModelError, match="b goes on"):
        run(server, lambda batching: batching.cancel("b"))


def test_results_of_any_size_are_read() -> None:
    """They stand in what the provider says of a batch, which is longer than any other reply may be."""

    async def work(batching: HttpBatching) -> int:
        _, id = await send(batching, "a", "b")
        state = await batching.look(id)
        return sum([len(json.dumps(result)) async for _, result in batching.fetch(state)])

    with BatchServer(lambda messages, body: "x" * 3 * 2**20, form="openrouter") as server:
        assert run(server, work) > 6 * 2**20
