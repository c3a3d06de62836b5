"""Collects the requests and replies of one sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_codereason.core import Ask, Completion, Usage, shallow
from pytest_codereason.engine.budget import price_usage


@dataclass
class Exchange:
    """The steps of one sample, with their tokens, money and time."""

    steps: list[Mapping[str, Any]] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    cost: float | None = 0.0
    latency_s: float | None = 0.0
    reused: bool = True
    sandbox: str = "none"

    def add(
        self, ask: Ask, completion: Completion, price: tuple[float, float] | None, *, created: float | None
    ) -> None:
        """Appends a step."""
        paid = price_usage(price, completion.usage)
        self.steps.append(
            {
                "messages": [shallow(m) for m in ask.messages],
                "prefill": ask.prefill,
                "prefilled": completion.prefilled,
                "response": completion.text,
                "reasoning": completion.reasoning,
                "finish": completion.finish,
                "served_by": completion.served_by,
                "usage": shallow(completion.usage),
                "cost": paid,
                "latency_s": completion.latency_s,
                "answered_at": created,
            }
        )
        self.usage = self.usage + completion.usage
        self.cost = None if self.cost is None or paid is None else self.cost + paid
        known = self.latency_s is not None and completion.latency_s is not None
        self.latency_s = (self.latency_s or 0.0) + (completion.latency_s or 0.0) if known else None
