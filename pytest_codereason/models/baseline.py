"""``baseline:NAME``: replies made without a model, to see what a score is worth."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from pytest_codereason.core import Completion, Model, ModelExample, Request, derive_seed
from pytest_codereason.errors import ModelError, UsageError
from pytest_codereason.models.shared.arguments import ModelArguments


async def truth(request: Request) -> str:
    """A fully right reply: scores below 1 would show a fault of the task."""
    return request.ask.truth


async def chance(request: Request) -> str:
    """A guess, the same for the same question and sample in every process."""
    of = request.instance
    seed = derive_seed(of.seed, "baseline:chance", of.suite, of.id, request.sample, request.step)
    return request.ask.guess(random.Random(seed).random)


async def interpreter(request: Request) -> str:
    """What a perfect reader would say: the program is run, as it is shown."""
    ask = request.ask
    if ask.run is None or ask.reply is None or request.run is None:
        raise ModelError("the question is none that can be answered by running its program")
    return ask.reply(await request.run(ask.run))


BASELINES: Mapping[str, Callable[[Request], Awaitable[str]]] = {
    "truth": truth,
    "chance": chance,
    "interpreter": interpreter,
}


class BaselineModel(Model):
    """Answers from the question itself, for nothing."""

    concurrency = 1024
    stored = False
    price = (0.0, 0.0)

    def __init__(self, name: str) -> None:
        self.label = f"baseline:{name}"
        self._name = name
        self._reply = BASELINES[name]
        self.executes = name == "interpreter"

    @classmethod
    def examples(cls) -> Sequence[ModelExample]:
        """The truth, and a guess."""
        return [
            ModelExample("baseline:truth", reply="[88, 69]"),
            ModelExample("baseline:chance"),
            ModelExample("baseline:interpreter"),
        ]

    @classmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> BaselineModel:
        """See :meth:`Model.create`; takes no arguments."""
        if name not in BASELINES:
            raise UsageError(f"unknown baseline {name!r}: choose one of {', '.join(BASELINES)}")
        ModelArguments(f"baseline:{name}", args).done()
        return cls(name)

    @property
    def identity(self) -> Mapping[str, Any]:
        """Its name."""
        return {"baseline": self._name}

    @property
    def pinned(self) -> bool:
        """Always: there are no weights that could change."""
        return True

    async def answer(self, request: Request) -> Completion:
        """The reply, which continues the prefill."""
        return Completion(text=await self._reply(request), prefilled=bool(request.ask.prefill), latency_s=0.0)
