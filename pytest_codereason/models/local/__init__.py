"""``local:NAME_OR_GGUF``: a GGUF file on this machine's processor, with openvino-genai.

Questions in flight share one batch: each step of the pipeline makes one more token for all of them,
and a question joins or leaves between two steps. What prompts have in common at their beginning is
computed once (prefix cache).
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
from pytest_codereason.errors import FatalModelError, ModelError, UsageError
from pytest_codereason.files.fetching import make_once
from pytest_codereason.files.locations import cache_folder
from pytest_codereason.models.local import gguf
from pytest_codereason.models.local.batch import Batch, last_line
from pytest_codereason.models.shared import weights as weight_files
from pytest_codereason.models.shared.arguments import ModelArguments
from pytest_codereason.models.shared.markup import Shield, encode

#: ``repeatable`` computes and caches in 32 bits, and in all comparisons made the answer to a question
#: was then the same whatever else was in its batch or cached. ``fast`` leaves it to openvino-genai,
#: which rounds activations and cache to 8 bits: 1.4 times the speed, and one greedy answer in ten changes.
PRECISIONS: Mapping[str, Mapping[str, str]] = {
    "repeatable": {
        "INFERENCE_PRECISION_HINT": "f32",
        "KV_CACHE_PRECISION": "f32",
        "DYNAMIC_QUANTIZATION_GROUP_SIZE": "0",
    },
    "fast": {},
}
#: Prompt tokens computed in one step: more would make the answers already begun wait for a new prompt.
STEP_TOKENS = 1024


class LocalModel(Model):
    """A GGUF file in this process, batched. Memory is per process: the weights and up to ``cache_gb`` more.

    ``--model-arg``: ``threads`` (default: all cores, shared out among xdist workers), ``cache_gb``
    (memory for the attention cache, default 2), ``context`` (tokens of prompt and answer together,
    default the model's own), ``precision`` (``repeatable`` or ``fast``).
    """

    concurrency = 32
    price = (0.0, 0.0)

    def __init__(self, label: str, weights: Path | weight_files.Pin, args: ModelArguments) -> None:
        self.label = label
        self._weights = weights
        self._threads = args.integer("threads", _share_of_cores(), low=1)
        self._cache_gb = args.integer("cache_gb", 2, low=1)
        self._context = args.integer("context", low=1)
        self._precision = str(args.text("precision", "repeatable", choices=tuple(PRECISIONS)))
        args.done()
        self._batch: Batch | None = None

    @classmethod
    def examples(cls) -> Sequence[ModelExample]:
        """The weights that are fetched by their name."""
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
    def identity(self) -> Mapping[str, Any]:
        """Digest of the GGUF (template and quantisation are inside), engine and settings."""
        weights = self._weights
        return {
            "model": "local",
            "weights": weights.sha256 if isinstance(weights, weight_files.Pin) else weight_files.sha256_of(weights),
            "engine": f"openvino-genai {_engine_version()}",
            "settings": dict(PRECISIONS[self._precision]),
            "q4_1": "f16",  # how the tensors are read that openvino-genai would round
            "context": self._context,
        }

    @property
    def pinned(self) -> bool:
        """Always: the weights are named by digest."""
        return True

    async def check(self) -> None:
        """Whether the engine is installed; fetches the weights where they are pinned and not here yet."""
        _engine_version()
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
            wide = cache_folder() / "widened" / f"{weight_files.sha256_of(path)[:16]}.gguf"
            path = make_once(wide, partial(gguf.widen, path))
        openvino, genai = _import("openvino"), _import("openvino_genai")
        scheduler = genai.SchedulerConfig()
        scheduler.cache_size = self._cache_gb
        scheduler.enable_prefix_caching = True
        scheduler.max_num_batched_tokens = STEP_TOKENS
        properties: dict[str, Any] = dict(PRECISIONS[self._precision])
        if self._threads:
            properties["INFERENCE_NUM_THREADS"] = self._threads
        try:
            pipeline = genai.ContinuousBatchingPipeline(str(path), scheduler, "CPU", properties)
        except RuntimeError as error:
            raise UsageError(f"{self.label}: openvino-genai cannot load {path}: {last_line(error)}") from error
        self._openvino, self._genai = openvino, genai
        self._tokenizer = pipeline.get_tokenizer()
        if not self._tokenizer.chat_template:
            raise UsageError(f"{self.label}: {path} holds no chat template; take an instruction-tuned model")
        return Batch(pipeline, genai.GenerationStatus.RUNNING)

    async def answer(self, request: Request) -> Completion:
        """One completion; the prefill is always continued."""
        ask, wanted = request.ask, request.sampling
        if self._batch is None:
            raise FatalModelError(f"{self.label} was not started")
        if wanted.reasoning_effort is not None:
            raise FatalModelError(f"{self.label} knows no reasoning_effort; take it out of the suite's [sampling]")
        begun = time.perf_counter()
        tokens = self._encode(ask)
        room = self._most_tokens - len(tokens)
        if room < (wanted.max_tokens or 1):
            return Completion(text="", finish="too-long", prefilled=bool(ask.prefill))
        settings = self._settings(request, wanted.max_tokens or room)
        output = await self._batch.run(self._tensor(tokens), settings)
        if output is None:
            raise ModelError(
                f"a prompt of {len(tokens)} tokens does not fit the attention cache of {self._cache_gb} GB; "
                f"give more by --model-arg cache_gb={2 * (self._cache_gb or 1)}"
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
        """Ends the batch's thread and frees the model's memory."""
        batch, self._batch = self._batch, None
        if batch is not None:
            await asyncio.to_thread(batch.close)

    def count_tokens(self, text: str) -> int | None:
        """Tokens of ``text``, at most the model's context; ``None`` before :meth:`start`."""
        return len(self._tokens(text)) if self._batch is not None else None

    def context_length(self) -> int | None:
        """``context``, else what the weights were made for, where they are here."""
        path = weight_files.locate(self._weights) if isinstance(self._weights, weight_files.Pin) else self._weights
        return self._context or (gguf.read_header(path).context_length if path.is_file() else None)

    def _tokens(self, text: str) -> list[int]:
        return [int(token) for token in self._tokenizer.encode(text, add_special_tokens=False).input_ids.data[0]]

    def _encode(self, ask: Ask) -> list[int]:
        cut = self._shield.cut
        history = [{"role": message.role, "content": cut(message.content)} for message in ask.messages]
        return encode(self._tokenizer.apply_chat_template(history, True) + cut(ask.prefill), self._tokens)

    def _tensor(self, tokens: list[int]) -> Any:
        import numpy

        return self._openvino.Tensor(numpy.array([tokens], dtype=numpy.int64))

    def _settings(self, request: Request, max_tokens: int) -> Any:
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
            about = (request.instance.id, request.sample, request.step)
            settings.rng_seed = derive_seed(request.instance.seed, "sampling", *about)
        return settings


def _share_of_cores() -> int | None:
    """This xdist worker's share of the cores; ``None``, which leaves it to openvino, where there are no workers."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    return max(1, len(os.sched_getaffinity(0)) // workers) if workers > 1 else None


def _engine_version() -> str:
    try:
        return importlib.metadata.version("openvino-genai")
    except importlib.metadata.PackageNotFoundError as error:
        raise UsageError("local: models need openvino-genai: pip install 'pytest-codereason[local]'") from error


def _import(module: str) -> Any:
    with _no_telemetry():
        return importlib.import_module(module)


@contextmanager
def _no_telemetry() -> Iterator[None]:
    """Openvino reports its import to a server unless its telemetry package is missing: let it be missing."""
    before = sys.modules.get("openvino_telemetry")
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # import then raises ImportError
    try:
        yield
    finally:
        del sys.modules["openvino_telemetry"]
        if before is not None:
            sys.modules["openvino_telemetry"] = before
