"""What a model's tokens cost."""

from __future__ import annotations

import math
from typing import NamedTuple

from pytest_codereason.core.answers import Usage


class Price(NamedTuple):
    """US dollars per million tokens: ``Price(2.0, 8.0, cached=0.5)``."""

    prompt: float
    completion: float
    cached: float | None = None  #: prompt tokens that the server had in its cache; ``None``: as ``prompt``
    reasoning: float | None = None  #: tokens of reasoning, a part of the reply; ``None``: as ``completion``

    @classmethod
    def of(cls, price: tuple[float, float] | Price | None) -> Price | None:
        """The price of a model, see :attr:`Model.price`.

        Raises:
            ValueError: a price is not of two to four numbers from 0.
        """
        if price is None:
            return None
        try:
            made = cls(*price)
            whole = all(part is None or 0 <= part < math.inf for part in made[2:])
            if whole and 0 <= made.prompt < math.inf and 0 <= made.completion < math.inf:
                return made
        except TypeError:
            pass
        raise ValueError(f"the price {price!r} must be (prompt, completion), dollars per million tokens")

    @property
    def is_free(self) -> bool:
        """Whether every token costs nothing."""
        return not any(self)

    def scale(self, part: float) -> Price:
        """This part of the price, such as half of it."""
        return Price(*(None if each is None else each * part for each in self))  # type: ignore[arg-type]

    def compute_cost(self, usage: Usage) -> float | None:
        """US dollars for these tokens, ``None`` if a number that is needed is unknown."""
        if self.is_free:
            return 0.0
        if usage.prompt is None or usage.completion is None:
            return None
        # A server that reports more of a part than of the whole would make the rest negative.
        cached = min(usage.cached or 0, usage.prompt)
        reasoning = min(usage.reasoning or 0, usage.completion)
        dollars = (usage.prompt - cached) * self.prompt + (usage.completion - reasoning) * self.completion
        dollars += cached * (self.prompt if self.cached is None else self.cached)
        dollars += reasoning * (self.completion if self.reasoning is None else self.reasoning)
        return dollars / 1e6

    def compute_highest(self, prompt: int, reply: int) -> float:
        """The most US dollars for so many tokens of a prompt and of a reply, whatever part of them is cached."""
        one_in, one_out = max(self.prompt, self.cached or 0.0), max(self.completion, self.reasoning or 0.0)
        return (prompt * one_in + reply * one_out) / 1e6
