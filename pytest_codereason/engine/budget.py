"""What an answer cost, and a limit on the cost of a session with all its processes."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass

from pytest_codereason.core import Model, Request, Usage
from pytest_codereason.engine.store import Store
from pytest_codereason.errors import BudgetSpent

#: Tokens assumed for a reply without a limit of its own.
UNBOUNDED_REPLY = 16_384
#: How long to wait for answers in flight to free what was reserved for them.
POLL_S = 0.05


def estimate_tokens(model: Model, request: Request) -> tuple[int, int]:
    """The tokens of a prompt, and the most tokens of its reply.

    Prompt tokens are the model's own count. Without one, 3 characters count as a token: a high estimate."""
    text = "\n".join(m.content for m in request.ask.messages) + request.ask.prefill
    counted = model.count_tokens(text)
    prompt = counted if counted is not None else math.ceil(len(text) / 3)
    return prompt, request.sampling.max_tokens or UNBOUNDED_REPLY


def price_usage(price: tuple[float, float] | None, usage: Usage) -> float | None:
    """US dollars for ``usage`` at ``price`` (dollars per million tokens); ``None`` where either is unknown."""
    if price is None:
        return None
    if price == (0.0, 0.0):
        return 0.0
    if usage.prompt is None or usage.completion is None:
        return None
    return (usage.prompt * price[0] + usage.completion * price[1]) / 1e6


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The most a session may spend. The sum is kept in the store, where every worker sees it."""

    session: str
    limit: float  #: US dollars

    async def reserve(self, store: Store, model: Model, request: Request) -> float:
        """Sets aside the most that this request can cost. Gives the amount.

        Raises:
            BudgetSpent: the limit does not allow it, even after all answers in flight are in.
        """
        prompt, reply = estimate_tokens(model, request)
        amount = price_usage(model.price, Usage(prompt=prompt, completion=reply))
        assert amount is not None, "a limit on a model without a price is refused before the run"
        while not store.reserve(self.session, amount, self.limit):
            if store.reserved(self.session) <= 0:
                raise BudgetSpent(
                    f"--eval-max-cost {self.limit:g}: the next question may cost ${amount:.4f} and would exceed it"
                )
            await asyncio.sleep(POLL_S)
        return amount
