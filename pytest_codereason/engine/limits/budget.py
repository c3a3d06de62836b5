"""Limits the cost of a session over all its processes: no request is sent that might cost more than is left."""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pytest_codereason.core import Completion, Model, Price, Request
from pytest_codereason.engine.storage.store import ROUNDING, Store
from pytest_codereason.errors import BudgetSpent, ModelError, blame

#: Tokens assumed for a reply without a limit of its own.
UNBOUNDED_REPLY = 16_384
#: Tokens that a server may put around each message.
AROUND_MESSAGE = 20
#: How often, in seconds, to check whether answers in flight have freed their reservations.
POLL_S = 0.05


def estimate_tokens(model: Model, request: Request) -> tuple[int, int]:
    """About how many tokens a prompt has, and the most tokens of its reply.

    The model counts the prompt's tokens. If it cannot, every 3 characters count as a token.
    """
    text = _join_texts(request)
    with blame(model):
        count = model.count_tokens(text)
    prompt = count if count is not None else math.ceil(len(text) / 3)
    return prompt, request.sampling.max_tokens or UNBOUNDED_REPLY


def price_completion(price: Price | None, completion: Completion) -> float | None:
    """US dollars for a completion, ``None`` if they are unknown. A prompt that is too long for the server is free."""
    if price is None:
        return None
    cost = price.compute_cost(completion.usage)
    return 0.0 if cost is None and completion.finish == "too-long" else cost


def bound_request(price: Price | None, request: Request) -> float:
    """The most US dollars for a request, 0 if the price is unknown. A reply without a limit counts as a long one."""
    reply = request.sampling.max_tokens or UNBOUNDED_REPLY
    return 0.0 if price is None else price.compute_highest(bound_prompt(request), reply)


def make_budget_error(limit: float, amount: float, spent: float) -> BudgetSpent:
    """The reason why a request of ``amount`` dollars is not sent."""
    return BudgetSpent(
        f"--eval-max-cost {limit:g}: the next question may cost ${amount:.4f}, "
        f"more than the ${max(0.0, limit - spent):.4f} that are left"
    )


def bound_prompt(request: Request) -> int:
    """The most tokens of a prompt: no tokenizer makes more tokens of a text than it has bytes."""
    messages = len(request.ask.messages) + bool(request.ask.prefill)
    return len(_join_texts(request).encode("utf-8", "surrogatepass")) + AROUND_MESSAGE * messages


def _join_texts(request: Request) -> str:
    return "\n".join(message.content for message in request.ask.messages) + request.ask.prefill


#: Requests whose replies are alike in length: those to one model, by its label, with one limit of tokens.
_Kind = tuple[str, int | None]


@dataclass(eq=False)
class _Reservation:
    """The highest cost of a request in flight."""

    price: Price
    prompt: int  # the most tokens of its prompt
    amount: float = 0.0


class Budget:
    """The most that a session may spend. The store holds the sum, so that every worker sees it.

    The highest cost of each request is reserved before the request is sent, and the reply frees what it did not cost.
    So the sum never exceeds the limit, and what is left at the end is less than one request may cost.

    A reply without a limit of tokens may cost anything. It reserves the cost of the longest such reply so far, of
    16,384 tokens at least. The first such request of a process is sent alone, and a longer reply raises what all those
    in flight have reserved. So the sum exceeds the limit only by what requests in flight take beyond that.

    Args:
        store: holds the sums.
        session: the processes add up their costs under this name.
        limit: US dollars. ``None``: everything is sent, and the sum is kept all the same.
    """

    def __init__(self, store: Store, *, session: str, limit: float | None) -> None:
        self._store = store
        self._session = session
        self._limit = limit
        self._turn = asyncio.Lock()
        self._first: defaultdict[_Kind, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._longest: dict[_Kind, int] = {}  # tokens of a reply
        self._flying: defaultdict[_Kind, list[_Reservation]] = defaultdict(list)

    async def pay(
        self, model: Model, request: Request, *, ask: Callable[[Request], Awaitable[Completion]]
    ) -> Completion:
        """The reply that ``ask`` gives. What it costs is taken from the budget.

        If nobody knows what the server charges, the highest cost counts as spent: a reply does not name its tokens, or
        got lost on its way.

        Raises:
            BudgetSpent: the request may cost more than is left.
        """
        kind = model.label, request.sampling.max_tokens
        if self._limit is not None and request.sampling.max_tokens is None and kind not in self._longest:
            async with self._first[kind]:
                if kind not in self._longest:
                    return await self._pay(kind, model, request, ask)
        return await self._pay(kind, model, request, ask)

    async def _pay(
        self, kind: _Kind, model: Model, request: Request, ask: Callable[[Request], Awaitable[Completion]]
    ) -> Completion:
        price = Price.of(model.price)
        assert price is not None, "a limit on a model without a price is refused before the run"
        held = _Reservation(price, bound_prompt(request))
        await self._reserve(kind, held)
        paid: float | None = None
        try:
            completion = await ask(request)
            paid = price_completion(price, completion)
            self._learn(kind, completion.usage.completion)
        except ModelError as error:
            paid = 0.0 if error.unbilled else None
            raise
        finally:
            self._flying[kind].remove(held)
            self._store.settle(self._session, held.amount, held.amount if paid is None else paid)
        return completion

    def _learn(self, kind: _Kind, tokens: int | None) -> None:
        """Raises what requests of this kind in flight have reserved, if a reply was longer than all before."""
        before = self._bound_reply(kind)
        self._longest[kind] = max(tokens or 0, before)
        if self._limit is None or self._longest[kind] == before:
            return
        for held in self._flying[kind]:
            more = held.price.compute_highest(held.prompt, self._longest[kind]) - held.amount
            self._store.reserve(self._session, more, math.inf)
            held.amount += more

    def _bound_reply(self, kind: _Kind) -> int:
        """The most tokens that are expected of a reply."""
        return self._longest.get(kind, kind[1] or UNBOUNDED_REPLY)

    async def _reserve(self, kind: _Kind, held: _Reservation) -> None:
        """Reserves the highest cost of a request, as soon as that much is left."""
        if self._limit is None:
            held.amount = held.price.compute_highest(held.prompt, self._bound_reply(kind))
            self._store.reserve(self._session, 0.0, math.inf)
            self._flying[kind].append(held)
            return
        async with self._turn:  # in order, so that cheap requests do not pass by one that waits for its money
            while True:
                amount = held.price.compute_highest(held.prompt, self._bound_reply(kind))  # it may grow meanwhile
                if self._store.reserve(self._session, amount, self._limit):
                    break
                spent = self._store.spent(self._session)
                # Half of the rounding, so that nobody waits for what it leaves reserved.
                if amount > self._limit - spent + ROUNDING / 2:
                    raise make_budget_error(self._limit, amount, spent)
                await asyncio.sleep(POLL_S)
            held.amount = amount
            self._flying[kind].append(held)
