"""``local:NAME_OR_GGUF``: runs a GGUF file on this machine with llama.cpp.

    request → tokens (_encode) → a turn (turns) → the engine's process (engine, serving)

One prompt at a time is computed, in chunks of equal size. An answer at temperature 0 is then the same, bit for bit,
whatever else is asked, however many threads compute it, and however much of its prompt was computed before.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_codereason.core import Ask, Completion, Finish, Model, ModelExample, Request, Usage, derive_seed
from pytest_codereason.errors import FatalModelError, ModelError, UsageError
from pytest_codereason.models.local import gguf
from pytest_codereason.models.local.engine import EngineProcess, EngineSettings, Reply
from pytest_codereason.models.local.machine import count_cores, estimate_memory, measure_cores, read_free_memory
from pytest_codereason.models.local.turns import Turns
from pytest_codereason.models.shared import weights as weight_files
from pytest_codereason.models.shared.arguments import ModelArguments
from pytest_codereason.models.shared.markup import CUT, Shield


@dataclass(frozen=True, slots=True)
class Precision:
    """How an engine computes."""

    chunk: int  #: tokens of a prompt that are computed together
    kept: int  #: of an equal beginning, whole multiples of so many tokens are not computed again
    flash: bool  #: attention in parts, whose number depends on that of the threads


PRECISIONS: Mapping[str, Precision] = {
    "repeatable": Precision(chunk=32, kept=32, flash=False),
    "fast": Precision(chunk=512, kept=1, flash=True),
}
#: By this seed llama.cpp would draw another one each time.
_RANDOM_SEED = 2**32 - 1
#: Tokens of the first engine. A longer prompt starts it anew with a larger context.
FIRST_CONTEXT = 4096


class LocalModel(Model):
    """A GGUF file that runs in a process of its own. Each worker of xdist has one, with weights and cache.

    ``--model-arg``: ``threads`` (default: the cores that are free, shared out among xdist workers), ``cache_gb``
    (the most memory for the attention cache, default: what is free), ``context`` (tokens of prompt and answer
    together, default the model's own), ``precision`` (``repeatable`` or ``fast``).
    """

    concurrency = 64  # prompts from which the next one is chosen: see turns
    takes_url = False
    draws_by_seed = True
    forks = False
    price = (0.0, 0.0)

    def __init__(self, label: str, weights: Path | weight_files.Pin, args: ModelArguments) -> None:
        self.label = label
        self._weights = weights
        self._threads = args.integer("threads", low=1)
        self._cache_gb = args.integer("cache_gb", low=1)
        self._context = args.integer("context", low=1)
        self._precision = str(args.text("precision", "repeatable", choices=tuple(PRECISIONS)))
        args.check_rest()
        self._engine: EngineProcess | None = None

    @classmethod
    def examples(cls) -> Sequence[ModelExample]:
        """The weights that are fetched by name."""
        return [ModelExample("local:smollm2", args={"threads": "1", "context": "512"})]

    @classmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> LocalModel:
        """A model by its name (``smollm2``) or by the path of a GGUF file."""
        label = f"local:{name}"
        if url is not None:
            raise UsageError(f"{label} runs on this machine and takes no --model-url")
        weights: Path | weight_files.Pin
        if name in weight_files.PINS:
            weights = weight_files.PINS[name]
        elif os.sep in name or name.endswith(".gguf"):
            weights = Path(name).expanduser().resolve()
            if not weights.is_file():
                raise UsageError(f"{label}: there is no file {weights}")
        else:
            known = ", ".join(f"local:{pin}" for pin in weight_files.PINS)
            raise UsageError(f"{label} is not known; there are {known} and local:/path/to/model.gguf")
        return cls(label, weights, ModelArguments(label, args))

    @property
    def identity(self) -> Mapping[str, object]:
        """The digest of the GGUF file (it holds template and quantisation), the engine, and the settings."""
        weights = self._weights
        return {
            "model": "local",
            "weights": weights.sha256 if isinstance(weights, weight_files.Pin) else weight_files.hash_file(weights),
            "engine": f"xllamacpp {_find_engine_version()}",
            "precision": self._precision,
            "context": self._context,
        }

    @property
    def pinned(self) -> bool:
        """True: the identity holds the digest of the weights."""
        return True

    async def check(self) -> None:
        """Checks that the engine is installed. Fetches pinned weights that are not here yet."""
        _find_engine_version()
        if isinstance(self._weights, weight_files.Pin):
            await asyncio.to_thread(weight_files.fetch, self._weights)

    async def start(self) -> None:
        """Loads the weights."""
        await asyncio.to_thread(self._read_header)
        computing = PRECISIONS[self._precision]
        if self._threads is None:
            self._threads = await asyncio.to_thread(measure_cores, count_cores())
        self._turns = Turns(computing.kept)
        self._room = min(self._most_tokens, FIRST_CONTEXT)
        await asyncio.to_thread(self._check_memory, self._room)
        self._engine = await self._open(self._room)

    def _read_header(self) -> None:
        path = weight_files.fetch(self._weights) if isinstance(self._weights, weight_files.Pin) else self._weights
        header = gguf.read_header(path)
        made_for = header.context_length or sys.maxsize
        self._most_tokens = self._context or made_for
        if self._most_tokens > made_for:
            raise UsageError(f"{self.label}: --model-arg context={self._context} is more than the model's {made_for}")
        if not header.chat_template:
            raise UsageError(f"{self.label}: {path} holds no chat template; take an instruction-tuned model")
        self._path, self._header = path, header
        self._shield = Shield(header.special_tokens)

    async def _open(self, context: int) -> EngineProcess:
        """An engine for prompts with their answers of up to ``context`` tokens.

        Raises:
            UsageError: llama.cpp cannot load the weights.
        """
        computing = PRECISIONS[self._precision]
        settings = EngineSettings(
            path=str(self._path),
            context=context,
            chunk=computing.chunk,
            threads=self._threads or 1,
            flash=computing.flash,
        )
        try:
            return await EngineProcess.start(settings)
        except UsageError as error:
            raise UsageError(f"{self.label}: llama.cpp cannot load {self._path}: {error}") from error

    def _check_memory(self, context: int) -> None:
        """Does nothing if weights and cache fit into the memory that is free.

        Raises:
            UsageError: they do not fit; says what the user can do.
        """
        cache = self._header.count_cache_bytes(context)
        if self._cache_gb is not None and cache > self._cache_gb * 10**9:
            raise UsageError(
                f"{self.label}: {context:,} tokens take {cache / 1e9:.1f} GB of attention cache; "
                f"allow it by --model-arg cache_gb={-(-cache // 10**9)}"
            )
        needed, free = cache + estimate_memory(self._path.stat().st_size), read_free_memory()
        if free is not None and needed > free:
            raise UsageError(
                f"{self.label}: {context:,} tokens of context need {needed / 1e9:.1f} GB of memory, "
                f"and {free / 1e9:.1f} GB are free: end other programs, take a smaller model, or set a smaller "
                "max_tokens or --model-arg context"
            )

    async def answer(self, request: Request) -> Completion:
        """One completion. It always continues the prefill."""
        ask, sampling = request.ask, request.sampling
        if self._engine is None:
            raise FatalModelError(f"{self.label} was not started")
        if sampling.reasoning_effort is not None:
            raise FatalModelError(
                f"{self.label} does not support reasoning_effort; remove it from [sampling] of the suite"
            )
        tokens = await self._encode(ask)
        room = self._most_tokens - len(tokens)
        if room < (sampling.max_tokens or 1):
            return Completion(text="", finish="too-long", prefilled=bool(ask.prefill))
        reply = await self._complete(tokens, request, sampling.max_tokens or room)
        finish: Finish = "length" if reply["stop_type"] == "limit" else "stop"
        return Completion(
            text=reply["content"],
            finish=finish,
            prefilled=bool(ask.prefill),
            usage=Usage(prompt=len(tokens), completion=reply["tokens_predicted"], cached=reply["timings"]["cache_n"]),
            latency_s=reply["latency_s"],
        )

    async def _complete(self, tokens: list[int], request: Request, max_tokens: int) -> Reply:
        """The engine's reply to a prompt, at its turn, and as ``latency_s`` the seconds of this turn.

        Raises:
            ModelError: there is no answer.
        """
        await self._grow(len(tokens) + max_tokens)
        async with self._turns.take(tokens) as turn:
            begun = time.perf_counter()
            cache = {"cache_prompt": turn.shared > 0}
            if turn.more:  # another token in place of the next one makes the engine drop the rest
                other = next(token for token in (0, 1) if token != tokens[turn.shared])
                await self._post("/completion", {"prompt": [*tokens[: turn.shared], other], "n_predict": 0, **cache})
            reply = await self._post(
                "/completion", {"prompt": tokens, "n_predict": max_tokens, **cache, **_make_settings(request)}
            )
            return {**reply, "latency_s": time.perf_counter() - begun}

    async def _grow(self, tokens: int) -> None:
        """Starts the engine anew, with room for ``tokens``, unless it has that room.

        Raises:
            ModelError: there is too little memory.
        """
        while tokens > self._room:
            async with self._turns.take_empty():
                if tokens <= self._room:  # another prompt has made it grow
                    return
                old, room = self._engine, min(self._most_tokens, 1 << (tokens - 1).bit_length())
                try:
                    self._check_memory(room)
                    # The old engine makes tokens of texts until the new one does.
                    new = await self._open(room)
                except UsageError as error:
                    raise ModelError(str(error)) from error
                if self._engine is None or old is None:  # closed meanwhile
                    await new.close()
                    raise FatalModelError(f"{self.label} was closed")
                self._engine, self._room = new, room
                await old.close()

    async def close(self) -> None:
        """Ends the engine and frees its memory."""
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.close()

    def count_tokens(self, text: str) -> int | None:
        """The number of tokens of ``text``, at most the model's context. ``None`` before :meth:`start`."""
        if self._engine is None:
            return None
        return len(self._engine.post_now("/tokenize", _make_text(text, first=False))["tokens"])

    def context_length(self) -> int | None:
        """The argument ``context``, else the context in the header of the weights. ``None`` if they are not here."""
        path = weight_files.locate(self._weights) if isinstance(self._weights, weight_files.Pin) else self._weights
        return self._context or (gguf.read_header(path).context_length if path.is_file() else None)

    async def _encode(self, ask: Ask) -> list[int]:
        """The tokens of a prompt. What looks like markup in its texts is cut in two, so it stays text."""
        cut = self._shield.cut
        messages = [{"role": message.role, "content": cut(message.content)} for message in ask.messages]
        rendered = (await self._post("/apply-template", {"messages": messages}))["prompt"] + cut(ask.prefill)
        tokens: list[int] = []
        for number, part in enumerate(part for part in rendered.split(CUT) if part):
            tokens += (await self._post("/tokenize", _make_text(part, first=number == 0)))["tokens"]
        return tokens

    async def _post(self, path: str, body: object) -> Reply:
        """The reply of the engine, or of the one that takes its place meanwhile."""
        while True:
            engine = self._engine
            if engine is None:
                raise FatalModelError(f"{self.label} was closed")
            try:
                return await engine.post(path, body)
            except FatalModelError:
                if engine is self._engine:
                    raise


def _make_text(text: str, *, first: bool) -> dict[str, object]:
    """A text to make tokens of. Before the first one stands the token that begins a prompt, if the model has it."""
    return {"content": text.encode("utf-8", "replace").decode(), "add_special": first, "parse_special": True}


def _make_settings(request: Request) -> dict[str, object]:
    """How the engine draws an answer, and where it stops."""
    sampling, ask = request.sampling, request.ask
    seed = derive_seed(request.instance.seed, "sampling", *request.draw) % _RANDOM_SEED
    return {
        "temperature": sampling.temperature,
        "top_p": 1.0 if sampling.top_p is None else sampling.top_p,
        "seed": seed,
        "samplers": ["temperature", "top_p"] if sampling.temperature > 0 else ["temperature"],  # no others
        "stop": list(ask.prefill_stop if ask.prefill else ()),
    }


def _find_engine_version() -> str:
    try:
        return importlib.metadata.version("xllamacpp")
    except importlib.metadata.PackageNotFoundError as error:
        raise UsageError("local: models need llama.cpp: pip install 'pytest-codereason[local]'") from error
