"""Limits the cost of a session over all its processes: no request is sent that might cost more than is left."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable

from pytest_codereason.core import Completion, Model, Price, Request
from pytest_codereason.engine.store import ROUNDING, Store
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


def compute_highest_cost(model: Model, request: Request) -> float:
    """The most US dollars that a request may cost.

    No tokenizer makes more tokens of a text than it has bytes. A reply without a limit counts as 16,384 tokens.
    """
    price = Price.of(model.price)
    assert price is not None, "a limit on a model without a price is refused before the run"
    messages = len(request.ask.messages) + bool(request.ask.prefill)
    prompt = len(_join_texts(request).encode("utf-8", "surrogatepass")) + AROUND_MESSAGE * messages
    return price.compute_highest(prompt, request.sampling.max_tokens or UNBOUNDED_REPLY)


def _join_texts(request: Request) -> str:
    return "\n".join(message.content for message in request.ask.messages) + request.ask.prefill


class Budget:
    """The most that a session may spend. The store holds the sum, so that every worker sees it.

    The highest cost of each request is reserved before the request is sent, and the reply frees what it did not cost.
    So the sum never exceeds the limit, and what is left at the end is less than one request may cost.

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

    async def pay(
        self, model: Model, request: Request, *, ask: Callable[[Request], Awaitable[Completion]]
    ) -> Completion:
        """The reply that ``ask`` gives. What it costs is taken from the budget.

        If nobody knows what the server charges, the highest cost counts as spent: a reply does not name its tokens, or
        got lost on its way.

        Raises:
            BudgetSpent: the request may cost more than is left.
        """
        reserved = await self._reserve(compute_highest_cost(model, request))
        spent = reserved
        try:
            completion = await ask(request)
            cost = price_completion(Price.of(model.price), completion)
            spent = reserved if cost is None else cost
        except ModelError as error:
            spent = 0.0 if error.unbilled else reserved
            raise
        finally:
            self._store.settle(self._session, reserved, spent)
        return completion

    async def _reserve(self, amount: float) -> float:
        if self._limit is None:
            self._store.reserve(self._session, 0.0, math.inf)
            return amount
        async with self._turn:  # in order, so that cheap requests do not pass by one that waits for its money
            while not self._store.reserve(self._session, amount, self._limit):
                left = self._limit - self._store.spent(self._session)
                if amount > left + ROUNDING / 2:  # half of it, so that nobody waits for what rounding leaves reserved
                    raise BudgetSpent(
                        f"--eval-max-cost {self._limit:g}: the next question may cost ${amount:.4f}, "
                        f"more than the ${max(0.0, left):.4f} that are left"
                    )
                await asyncio.sleep(POLL_S)
        return amount
