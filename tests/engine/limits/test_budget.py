"""What counts as spent, what is refused, and who waits for whose money. A token of a reply costs a dollar here."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core import Completion, Message, Model, Price, Request, Sampling, Usage
from pytest_codereason.engine.limits.budget import (
    UNBOUNDED_REPLY,
    Budget,
    bound_prompt,
    estimate_tokens,
    price_completion,
)
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import BudgetSpent, FatalModelError, ModelError, TransientModelError
from tests.engine.readers import Reader
from tests.models.asking import request

Ask = Callable[[Request], Awaitable[Completion]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path)
    yield store
    store.close()


def make_model(*, counts: bool = False) -> Model:
    model = Reader(None, counts=counts)
    model.price = Price(0.0, 1e6)
    return model


def make_request(max_tokens: int | None = 10) -> Request:
    return request("?", sampling=Sampling(max_tokens=max_tokens))


def reply(tokens: int | None) -> Completion:
    return Completion(text="", usage=Usage(prompt=1, completion=tokens))


def answer(tokens: int | None) -> Ask:
    async def ask(request: Request) -> Completion:
        return reply(tokens)

    return ask


def fail(error: BaseException) -> Ask:
    async def ask(request: Request) -> Completion:
        raise error

    return ask


def make_budget(store: Store, limit: float | None) -> Budget:
    return Budget(store, session="s", limit=limit)


class Server:
    """Holds every request back until its reply is given."""

    def __init__(self, budget: Budget) -> None:
        self._budget, self._model = budget, make_model()
        self._replies: dict[str, asyncio.Future[int]] = {}
        self.asked: list[str] = []

    async def send(self, name: str, max_tokens: int | None) -> asyncio.Task[Completion]:
        """Begins a request, and gives it the time to be sent."""
        self._replies[name] = asyncio.get_running_loop().create_future()

        async def ask(request: Request) -> Completion:
            self.asked.append(name)
            return reply(await self._replies[name])

        task = asyncio.ensure_future(self._budget.pay(self._model, make_request(max_tokens), ask=ask))
        await _let_run()
        return task

    async def reply(self, name: str, tokens: int) -> None:
        """Replies to a request with so many tokens."""
        self._replies[name].set_result(tokens)
        await _let_run()


async def _let_run() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.mark.parametrize("limit", [None, 10.0])
@pytest.mark.parametrize(
    ("ask", "spent"),
    [
        pytest.param(answer(3), 3, id="a reply"),
        pytest.param(answer(0), 0, id="an empty reply"),
        pytest.param(answer(None), 10, id="a reply without its tokens"),
        pytest.param(fail(TransientModelError("lost")), 10, id="a reply that got lost"),
        pytest.param(fail(TransientModelError("429", unbilled=True)), 0, id="refused by the server"),
        pytest.param(fail(FatalModelError("bad key")), 0, id="a bad key"),
        pytest.param(fail(asyncio.CancelledError()), 10, id="a request that was cut off"),
        pytest.param(fail(ZeroDivisionError()), 10, id="a model that broke"),
    ],
)
def test_what_is_known_counts_and_else_the_highest_cost(
    store: Store, limit: float | None, ask: Ask, spent: float
) -> None:
    budget = make_budget(store, limit)
    with suppress(ModelError, asyncio.CancelledError, ZeroDivisionError):
        asyncio.run(budget.pay(make_model(), make_request(), ask=ask))
    assert store.spent("s") == spent
    assert store.spent("of another session") == 0
    assert store.reserve("s", 1000.0 - spent, 1000.0), "nothing stays reserved"
    assert not store.reserve("s", 0.01, 1000.0)


def test_the_reply_and_the_error_reach_who_asked(store: Store) -> None:
    budget = make_budget(store, 10.0)
    assert asyncio.run(budget.pay(make_model(), make_request(), ask=answer(3))) == reply(3)
    with pytest.raises(FatalModelError, match="bad key"):
        asyncio.run(budget.pay(make_model(), make_request(1), ask=fail(FatalModelError("bad key"))))


def test_a_request_that_may_cost_more_than_is_left_is_not_sent(store: Store) -> None:
    budget = make_budget(store, 12.0)
    asyncio.run(budget.pay(make_model(), make_request(10), ask=answer(2)))
    asyncio.run(budget.pay(make_model(), make_request(10), ask=answer(7)))  # exactly what is left
    with pytest.raises(BudgetSpent) as caught:
        asyncio.run(budget.pay(make_model(), make_request(4), ask=fail(AssertionError("sent"))))
    assert str(caught.value) == (
        "--eval-max-cost 12: the next question may cost $4.0000, more than the $3.0000 that are left"
    )
    asyncio.run(budget.pay(make_model(), make_request(3), ask=answer(3)))
    assert store.spent("s") == 12


def test_without_a_limit_everything_is_sent(store: Store) -> None:
    budget = make_budget(store, None)
    for _ in range(3):
        asyncio.run(budget.pay(make_model(), make_request(None), ask=answer(UNBOUNDED_REPLY)))
    assert store.spent("s") == 3 * UNBOUNDED_REPLY


def test_a_request_waits_for_what_others_may_not_need(store: Store) -> None:
    async def run() -> list[str]:
        server = Server(make_budget(store, 12.0))
        await server.send("first", 10)
        second = await server.send("second", 4)
        third = await server.send("third", 1)
        assert server.asked == ["first"], "a cheap one does not pass by one that waits"
        await server.reply("first", 8)
        server._replies["second"].set_result(4)
        await second
        with pytest.raises(BudgetSpent):
            await third
        return server.asked

    assert asyncio.run(run()) == ["first", "second"]
    assert store.spent("s") == 12


def test_the_first_reply_without_a_limit_of_tokens_is_waited_for(store: Store) -> None:
    async def run() -> None:
        server = Server(make_budget(store, 3.0 * UNBOUNDED_REPLY))
        await server.send("first", None)
        await server.send("second", None)
        await server.send("third", None)
        await server.send("with a limit", 1)
        assert server.asked == ["first", "with a limit"]
        await server.reply("first", 5)
        assert server.asked[2:] == ["second", "third"], "they go together"

    asyncio.run(run())


def test_a_longer_reply_raises_what_those_in_flight_have_reserved(store: Store) -> None:
    limit = 3.0 * UNBOUNDED_REPLY + 31

    async def run() -> None:
        budget = make_budget(store, limit)
        await budget.pay(make_model(), make_request(None), ask=answer(0))
        server = Server(budget)
        for name in ("a", "b", "c"):
            await server.send(name, None)
        assert server.asked == ["a", "b", "c"]
        await server.reply("a", UNBOUNDED_REPLY + 10)  # so b and c may cost as much
        last = await server.send("d", 15)
        assert server.asked == ["a", "b", "c"]
        await server.reply("b", 1)
        server._replies["d"].set_result(2)
        await last
        assert server.asked == ["a", "b", "c", "d"]
        await server.reply("c", 3)

    asyncio.run(run())
    spent = UNBOUNDED_REPLY + 10 + 1 + 2 + 3
    assert store.spent("s") == spent
    assert store.reserve("s", limit - spent, limit), "nothing stays reserved"


def test_a_long_reply_of_one_model_says_nothing_about_another(store: Store) -> None:
    async def run() -> None:
        budget, other = make_budget(store, 3.0 * UNBOUNDED_REPLY + 2), make_model()
        other.label = "other"
        await budget.pay(make_model(), make_request(None), ask=answer(2 * UNBOUNDED_REPLY))
        await budget.pay(other, make_request(None), ask=answer(1))
        await budget.pay(other, make_request(None), ask=answer(1))
        with pytest.raises(BudgetSpent):
            await budget.pay(make_model(), make_request(None), ask=answer(1))

    asyncio.run(run())


@pytest.mark.parametrize(
    ("price", "completion", "cost"),
    [
        (None, reply(3), None),
        (Price(2e6, 1e6), reply(3), 5.0),
        (Price(2e6, 1e6), reply(None), None),
        (Price(2e6, 1e6), Completion(text="", finish="too-long"), 0.0),
        (Price(2e6, 1e6), replace(reply(3), finish="too-long"), 5.0),
        (Price(2e6, 1e6), Completion(text="", finish="refused"), None),
    ],
)
def test_the_price_of_a_reply(price: Price | None, completion: Completion, cost: float | None) -> None:
    assert price_completion(price, completion) == cost


def ask_of(texts: list[str], prefill: str = "", max_tokens: int | None = 7) -> Request:
    asked = request(prefill=prefill, sampling=Sampling(max_tokens=max_tokens))
    return replace(asked, ask=replace(asked.ask, messages=tuple(Message("user", text) for text in texts)))


def test_tokens_are_counted_by_the_model_or_by_characters() -> None:
    asked = ask_of(["12345", "678"], prefill="90")  # and one line break
    assert estimate_tokens(make_model(counts=True), asked) == (11, 7)
    assert estimate_tokens(make_model(), asked) == (math.ceil(11 / 3), 7)
    assert estimate_tokens(make_model(), ask_of(["123456"], max_tokens=None)) == (2, UNBOUNDED_REPLY)


def test_no_prompt_has_more_tokens_than_bytes_and_what_stands_around_messages() -> None:
    assert bound_prompt(ask_of(["12345", "678"])) == 9 + 2 * 20
    assert bound_prompt(ask_of(["12345", "678"], prefill="90")) == 11 + 3 * 20
    assert bound_prompt(ask_of(["é€\ud800"])) == 2 + 3 + 3 + 20


def test_the_highest_cost_counts_the_prompt_too(store: Store) -> None:
    model = make_model()
    model.price = Price(1e6, 1e6)
    with pytest.raises(BudgetSpent, match=r"may cost \$31\.0000, more than the \$30\.5000 that are left"):
        asyncio.run(make_budget(store, 30.5).pay(model, make_request(10), ask=answer(1)))
