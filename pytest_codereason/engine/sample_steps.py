"""Collects the steps of one sample: one of several answers to a question, with every request and reply."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_codereason.core import Ask, Completion, Price, RecordStep, Usage, shallow
from pytest_codereason.engine.limits.budget import price_completion


@dataclass
class SampleSteps:
    """The steps of one sample, with their tokens, money and time."""

    steps: list[RecordStep] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    #: US dollars for the steps that were asked in this run; if none was, for those from the store
    cost: float | None = 0.0
    latency_s: float | None = 0.0  #: of all steps
    reused: bool = True  #: whether every step comes from the store
    sandbox: str = "none"  #: the isolation in which programs were run

    def add(
        self,
        ask: Ask,
        completion: Completion,
        price: Price | None,
        *,
        created: float | None,
        reused: bool = False,
    ) -> None:
        """Appends a step; ``reused`` says whether its answer comes from the store."""
        paid = price_completion(price, completion)
        self.steps.append(
            RecordStep(
                messages=[shallow(m) for m in ask.messages],
                prefill=ask.prefill,
                prefilled=completion.prefilled,
                response=completion.text,
                reasoning=completion.reasoning,
                finish=completion.finish,
                served_by=completion.served_by,
                endpoint=completion.endpoint,
                failed_at=completion.failed_at,
                usage=shallow(completion.usage),
                cost=paid,
                latency_s=completion.latency_s,
                answered_at=created,
                reused=reused,
            )
        )
        self.usage = self.usage + completion.usage
        if self.reused and not reused:
            self.cost = 0.0  # another question has paid for the steps before
        if self.reused or not reused:
            self.cost = None if self.cost is None or paid is None else self.cost + paid
        self.reused = self.reused and reused
        more = completion.latency_s
        self.latency_s = None if self.latency_s is None or more is None else self.latency_s + more
