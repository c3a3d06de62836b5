"""``local:NAME_OR_GGUF``: runs a GGUF file on this machine's processor, with openvino-genai.

All questions in flight share one batch: each step of the pipeline makes one more token for each of them.
A question joins or leaves the batch between two steps. The common beginning of prompts is computed once
(prefix cache).
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.metadata
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from pytest_codereason.core import Ask, Completion, Finish, Model, ModelExample, Request, Usage, derive_seed
from pytest_codereason.core.files.fetching import make_once
from pytest_codereason.core.files.locations import cache_folder
from pytest_codereason.errors import FatalModelError, ModelError, UsageError
from pytest_codereason.models.local import gguf
from pytest_codereason.models.local.batch import Batch, find_last_line
from pytest_codereason.models.shared import weights as weight_files
from pytest_codereason.models.shared.arguments import ModelArguments
from pytest_codereason.models.shared.markup import Shield, encode

#: ``repeatable`` computes and caches in 32 bits. In all comparisons so far, an answer did then not depend on the
#: other questions in its batch, or on the cache. ``fast`` uses the defaults of openvino-genai, which round
#: activations and cache to 8 bits. It is 1.4 times as fast, and one greedy answer in ten changes.
PRECISIONS: Mapping[str, Mapping[str, str]] = {
    "repeatable": {
        "INFERENCE_PRECISION_HINT": "f32",
        "KV_CACHE_PRECISION": "f32",
        "DYNAMIC_QUANTIZATION_GROUP_SIZE": "0",
    },
    "fast": {},
}
#: Prompt tokens computed in one step. With more, a new prompt would hold up the answers in the batch.
STEP_TOKENS = 1024


class LocalModel(Model):
    """A GGUF file that runs in this process, in batches. Each process takes memory for the weights and the cache.

    ``--model-arg``: ``threads`` (default: all cores, shared out among xdist workers), ``cache_gb``
    (memory for the attention cache, default 2), ``context`` (tokens of prompt and answer together,
    default the model's own), ``precision`` (``repeatable`` or ``fast``).
    """

    concurrency = 32
    takes_url = False
    draws_by_seed = True
    price = (0.0, 0.0)

    def __init__(self, label: str, weights: Path | weight_files.Pin, args: ModelArguments) -> None:
        self.label = label
        self._weights = weights
        self._threads = args.integer("threads", _count_own_cores(), low=1)
        self._cache_gb = args.integer("cache_gb", 2, low=1)
        self._context = args.integer("context", low=1)
        self._precision = str(args.text("precision", "repeatable", choices=tuple(PRECISIONS)))
        args.check_rest()
        self._batch: Batch | None = None

    @classmethod
    def examples(cls) -> Sequence[ModelExample]:
        """The weights that are fetched by name."""
        return [ModelExample("local:smollm2", args={"threads": "1", "context": "512"})]

    @classmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> LocalModel:
        """A model by its name (``smollm2``) or by the path of a GGUF file."""
        label = f"local:{name}"
        if url is not None:
            raise UsageError(f"{label} runs in this process and takes no --model-url")
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
            "engine": f"openvino-genai {_find_engine_version()}",
            "settings": dict(PRECISIONS[self._precision]),
            "q4_1": "f16",  # Q4_1 tensors are read as F16, because openvino-genai would round them
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
        self._batch = await asyncio.to_thread(self._load)

    def _load(self) -> Batch:
        path = weight_files.fetch(self._weights) if isinstance(self._weights, weight_files.Pin) else self._weights
        header = gguf.read_header(path)
        made_for = header.context_length or sys.maxsize
        self._most_tokens = self._context or made_for
        if self._most_tokens > made_for:
            raise UsageError(f"{self.label}: --model-arg context={self._context} is more than the model's {made_for}")
        self._shield = Shield(header.special_tokens)
        if header.loses_in_openvino:
            wide = cache_folder() / "widened" / f"{weight_files.hash_file(path)[:16]}.gguf"
            path = make_once(wide, partial(gguf.widen, path))
        openvino, genai = _import_quietly("openvino"), _import_quietly("openvino_genai")
        scheduler = genai.SchedulerConfig()
        scheduler.cache_size = self._cache_gb
        scheduler.enable_prefix_caching = True
        scheduler.max_num_batched_tokens = STEP_TOKENS
        properties: dict[str, object] = dict(PRECISIONS[self._precision])
        if self._threads:
            properties["INFERENCE_NUM_THREADS"] = self._threads
        try:
            pipeline = genai.ContinuousBatchingPipeline(str(path), scheduler, "CPU", properties)
        except RuntimeError as error:
            raise UsageError(f"{self.label}: openvino-genai cannot load {path}: {find_last_line(error)}") from error
        self._openvino, self._genai = openvino, genai
        self._tokenizer = pipeline.get_tokenizer()
        if not self._tokenizer.chat_template:
            raise UsageError(f"{self.label}: {path} holds no chat template; take an instruction-tuned model")
        return Batch(pipeline, genai.GenerationStatus.RUNNING)

    async def answer(self, request: Request) -> Completion:
        """One completion. It always continues the prefill."""
        ask, sampling = request.ask, request.sampling
        if self._batch is None:
            raise FatalModelError(f"{self.label} was not started")
        if sampling.reasoning_effort is not None:
            raise FatalModelError(
                f"{self.label} does not support reasoning_effort; remove it from [sampling] of the suite"
            )
        begun = time.perf_counter()
        tokens = self._encode(ask)
        room = self._most_tokens - len(tokens)
        if room < (sampling.max_tokens or 1):
            return Completion(text="", finish="too-long", prefilled=bool(ask.prefill))
        settings = self._make_settings(request, sampling.max_tokens or room)
        output = await self._batch.run(self._make_tensor(tokens), settings)
        if output is None:
            raise ModelError(
                f"a prompt of {len(tokens)} tokens does not fit into the attention cache of {self._cache_gb} GB; "
                f"make it larger with --model-arg cache_gb={2 * (self._cache_gb or 1)}"
            )
        text = self._tokenizer.decode(list(output.generated_ids))
        finish: Finish = "length" if output.finish_reason == self._genai.GenerationFinishReason.LENGTH else "stop"
        return Completion(
            text=text,
            finish=finish,
            prefilled=bool(ask.prefill),
            usage=Usage(prompt=len(tokens), completion=len(output.generated_ids)),
            latency_s=time.perf_counter() - begun,
        )

    async def close(self) -> None:
        """Ends the thread of the batch and frees the model's memory."""
        batch, self._batch = self._batch, None
        if batch is not None:
            await asyncio.to_thread(batch.close)

    def count_tokens(self, text: str) -> int | None:
        """The number of tokens of ``text``, at most the model's context. ``None`` before :meth:`start`."""
        return len(self._tokenize(text)) if self._batch is not None else None

    def context_length(self) -> int | None:
        """The argument ``context``, else the context in the header of the weights. ``None`` if they are not here."""
        path = weight_files.locate(self._weights) if isinstance(self._weights, weight_files.Pin) else self._weights
        return self._context or (gguf.read_header(path).context_length if path.is_file() else None)

    def _tokenize(self, text: str) -> list[int]:
        return [int(token) for token in self._tokenizer.encode(text, add_special_tokens=False).input_ids.data[0]]

    def _encode(self, ask: Ask) -> list[int]:
        cut = self._shield.cut
        history = [{"role": message.role, "content": cut(message.content)} for message in ask.messages]
        return encode(self._tokenizer.apply_chat_template(history, True) + cut(ask.prefill), self._tokenize)

    def _make_tensor(self, tokens: list[int]) -> Any:
        import numpy

        return self._openvino.Tensor(numpy.array([tokens], dtype=numpy.int64))

    def _make_settings(self, request: Request, max_tokens: int) -> Any:
        sampling, ask = request.sampling, request.ask
        settings = self._genai.GenerationConfig()
        settings.apply_chat_template = False
        settings.set_eos_token_id(self._tokenizer.get_eos_token_id())
        settings.max_new_tokens = max_tokens
        settings.stop_strings = set(ask.prefill_stop if ask.prefill else ())
        settings.do_sample = sampling.temperature > 0
        if settings.do_sample:
            settings.temperature = sampling.temperature
            settings.top_p = 1.0 if sampling.top_p is None else sampling.top_p
            settings.rng_seed = derive_seed(request.instance.seed, "sampling", *request.draw)
        return settings


def _count_own_cores() -> int | None:
    """How many cores this xdist worker may use. ``None`` without workers: openvino then decides."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    return max(1, len(os.sched_getaffinity(0)) // workers) if workers > 1 else None


def _find_engine_version() -> str:
    try:
        return importlib.metadata.version("openvino-genai")
    except importlib.metadata.PackageNotFoundError as error:
        raise UsageError("local: models need openvino-genai: pip install 'pytest-codereason[local]'") from error


def _import_quietly(module: str) -> Any:
    with _hide_telemetry():
        return importlib.import_module(module)


@contextmanager
def _hide_telemetry() -> Iterator[None]:
    """Hides the package openvino_telemetry during an import, because openvino reports its import to a server by it."""
    before = sys.modules.get("openvino_telemetry")
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # import then raises ImportError
    try:
        yield
    finally:
        del sys.modules["openvino_telemetry"]
        if before is not None:
            sys.modules["openvino_telemetry"] = before
