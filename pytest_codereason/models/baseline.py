"""``baseline:NAME``: replies without a model, as a scale for the scores of models."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence

from pytest_codereason.core import Completion, Model, ModelExample, Request, derive_seed
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import MissingCapability, Skip, UsageError
from pytest_codereason.languages.call_graphs.resolving import resolve_calls
from pytest_codereason.models.shared.arguments import ModelArguments
from pytest_codereason.models.shared.readers import Reader
from pytest_codereason.registry import language


async def reply_truth(request: Request) -> str:
    """The right reply. A score below 1 shows a mistake in the task."""
    return request.ask.truth


async def guess_reply(request: Request) -> str:
    """A random guess. The same question and sample get the same guess in every process."""
    instance = request.instance
    seed = derive_seed(instance.seed, "baseline:chance", instance.suite, *request.draw)
    return request.ask.guess(random.Random(seed).random)


async def reply_by_looks(request: Request) -> str:
    """The reply of a reader who looks at the text and follows nothing: above chance where looks give it away."""
    if not request.ask.naive:
        raise Skip("nothing is said of a reader who goes by looks")
    return request.ask.naive


async def run_program(request: Request) -> str:
    """The reply of a perfect reader: the result of running the program as it is shown."""
    ask = request.ask
    if ask.run is None or ask.reply is None or request.run is None:
        raise Skip("this question cannot be answered by running its program")
    return ask.reply(await request.run(ask.run))


async def resolve_statically(request: Request) -> str:
    """The callees of each caller as a simple static tool finds them: by the text alone, without running it."""
    program = request.instance.program
    edges = program.facts.get("edges")
    if not edges or request.instance.asks != "edges":  # a harvested program has edges, whatever is asked about it
        raise Skip("this question is about no call graph, so static-calls cannot answer it")
    lang = language(program.language)
    try:
        lang.require(["calls"], "baseline:static-calls")
    except MissingCapability as error:
        raise Skip(str(error)) from error
    facts = lang.calls.read(program.files, program.entry)
    resolved = (await asyncio.to_thread(resolve_calls, facts)).edges
    callers = [caller for caller, callees in edges.items() if callees]
    return "\n".join(f"{i}. {', '.join(resolved.get(caller, ()))}".rstrip() for i, caller in enumerate(callers, 1))


BASELINES: Mapping[str, Callable[[Request], Awaitable[str]]] = {
    "truth": reply_truth,
    "chance": guess_reply,
    "looks": reply_by_looks,
    "interpreter": run_program,
    "static-calls": resolve_statically,
    "reader": Reader().reply,
}


class BaselineModel(Model):
    """Answers from the question itself. Answers cost nothing."""

    concurrency = 1024
    stored = False
    takes_sampling = False
    takes_url = False
    price = (0.0, 0.0)

    def __init__(self, name: str, reader: Reader | None = None) -> None:
        self.label = f"baseline:{name}"
        self._name = name
        self._reader = reader
        self._reply = reader.reply if reader else BASELINES[name]
        self.executes = name == "interpreter"
        self.draws_by_seed = name in ("chance", "reader")

    @classmethod
    def examples(cls) -> Sequence[ModelExample]:
        """Each baseline."""
        return [
            ModelExample("baseline:truth", reply="[88, 69]"),
            ModelExample("baseline:chance"),
            ModelExample("baseline:looks"),
            ModelExample("baseline:interpreter"),
            ModelExample("baseline:reader", args={"horizon": "16", "slope": "1.5", "axis": "digits"}),
        ]

    @classmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> BaselineModel:
        """See :meth:`Model.create`; only ``reader`` takes arguments."""
        if name not in BASELINES:
            raise UsageError(
                f"unknown baseline {name!r}{suggest_name(name, BASELINES)}: choose one of {', '.join(BASELINES)}"
            )
        arguments = ModelArguments(f"baseline:{name}", args, takes_sampling=False)
        reader = Reader.read(arguments) if name == "reader" else None
        arguments.check_rest()
        return cls(name, reader)

    @property
    def identity(self) -> Mapping[str, object]:
        """The name of the baseline, and how far a reader reads."""
        return {"baseline": self._name, **(self._reader._asdict() if self._reader else {})}

    @property
    def pinned(self) -> bool:
        """True: there are no weights that could change."""
        return True

    async def answer(self, request: Request) -> Completion:
        """The reply. It continues the prefill."""
        return Completion(text=await self._reply(request), prefilled=bool(request.ask.prefill), latency_s=0.0)
