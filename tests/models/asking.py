"""Requests to put to a model without a suite around them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytest_codereason.core import (
    Ask,
    Completion,
    Instance,
    Message,
    Model,
    Program,
    Request,
    Sampling,
    Template,
)

CODE = "def f(x):\n    arr = [0] * 2\n    arr[1] = x - 12\n    arr[0] = x + 7\n    return arr\n"
PROMPT = f"What is f(81)?\n\n{CODE}"


class NoTemplate(Template):
    """Stands where a template must; renders nothing."""

    sha = "none"

    def render(
        self, shots: Sequence[Mapping[str, Any]], question: Mapping[str, Any]
    ) -> tuple[tuple[Message, ...], str]:
        return (), ""


def request(
    prompt: str = PROMPT,
    *,
    id: str = "python/0007[digits:2]",
    suite: str = "semtrace",
    seed: int = 0,
    sample: int = 0,
    prefill: str = "",
    stop: tuple[str, ...] = (),
    truth: str = "[88, 69]",
    guess: Callable[[Callable[[], float]], str] = lambda draw: str(draw()),
    sampling: Sampling | None = None,
) -> Request:
    """One question about ``f(81)``."""
    program = Program.from_source(language="python", source=CODE, call="f(81)")
    return Request(
        ask=Ask(messages=(Message("user", prompt),), prefill=prefill, prefill_stop=stop, truth=truth, guess=guess),
        sampling=sampling or Sampling(),
        instance=Instance(
            id=id, family=id, suite=suite, program=program, axes={}, matrix={}, template=NoTemplate(), seed=seed
        ),
        sample=sample,
    )


def answers(model: Model, *requests: Request) -> list[Completion]:
    """Starts the model, puts every request at once, closes it."""

    async def run() -> list[Completion]:
        await model.start()
        try:
            return list(await asyncio.gather(*map(model.answer, requests)))
        finally:
            await model.close()

    return asyncio.run(run())
