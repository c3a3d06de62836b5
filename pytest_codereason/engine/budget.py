"""Computes the price of an answer, and limits the cost of a session over all its processes."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass

from pytest_codereason.core import Model, Request, Usage
from pytest_codereason.engine.store import Store
from pytest_codereason.errors import BudgetSpent, blame

#: Tokens assumed for a reply without a limit of its own.
UNBOUNDED_REPLY = 16_384
#: How often, in seconds, to check whether answers in flight have freed their reservations.
POLL_S = 0.05


def estimate_tokens(model: Model, request: Request) -> tuple[int, int]:
    """The tokens of a prompt, and the most tokens of its reply.

    The model counts the prompt's tokens. If it cannot, every 3 characters count as a token, which is a high estimate.
    """
    text = "\n".join(m.content for m in request.ask.messages) + request.ask.prefill
    with blame(model):
        count = model.count_tokens(text)
    prompt = count if count is not None else math.ceil(len(text) / 3)
    return prompt, request.sampling.max_tokens or UNBOUNDED_REPLY


def price_usage(price: tuple[float, float] | None, usage: Usage) -> float | None:
    """US dollars for ``usage`` at ``price`` (dollars per million tokens). ``None`` if either is unknown."""
    if price is None:
        return None
    if price == (0.0, 0.0):
        return 0.0
    if usage.prompt is None or usage.completion is None:
        return None
    return (usage.prompt * price[0] + usage.completion * price[1]) / 1e6


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The most that a session may spend. The store holds the sum, so that every worker sees it."""

    session: str
    limit: float  #: US dollars

    async def reserve(self, store: Store, model: Model, request: Request) -> float:
        """Reserves the highest cost of this request. Returns the amount.

        Raises:
            BudgetSpent: the amount exceeds the limit, even after all answers in flight have arrived.
        """
        prompt, reply = estimate_tokens(model, request)
        amount = price_usage(model.price, Usage(prompt=prompt, completion=reply))
        assert amount is not None, "a limit on a model without a price is refused before the run"
        while not store.reserve(self.session, amount, self.limit):
            if store.reserved(self.session) <= 0:
                raise BudgetSpent(
                    f"--eval-max-cost {self.limit:g}: the next question may cost ${amount:.4f}, more than is left"
                )
            await asyncio.sleep(POLL_S)
        return amount
