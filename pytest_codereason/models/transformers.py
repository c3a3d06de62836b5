"""``transformers:PATH_OR_ID``: runs a model in this process with transformers, with an adapter if there is one.

For a model that was just trained. It answers one question at a time; vLLM answers many.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_codereason.core import Completion, Finish, Model, ModelExample, Request, Usage, derive_seed, digest
from pytest_codereason.errors import FatalModelError, ModelError, UsageError
from pytest_codereason.models.shared.arguments import ModelArguments
from pytest_codereason.models.shared.markup import Shield, encode
from pytest_codereason.models.shared.weights import hash_file

PACKAGES = ("torch", "transformers")

#: What ``--model-arg dtype=`` takes.
DTYPES = ("auto", "float32", "bfloat16")


class TransformersModel(Model):
    """A causal language model of transformers. ``--model-arg adapter=FOLDER`` adds an adapter of peft."""

    concurrency = 1
    takes_url = False
    draws_by_seed = True
    price = (0.0, 0.0)

    def __init__(self, name: str, adapter: Path | None, device: str, dtype: str) -> None:
        self.label = f"transformers:{name}"
        self._name, self._adapter, self._device, self._dtype = name, adapter, device, dtype
        self._model: Any = None
        self._turn = asyncio.Lock()

    @classmethod
    def examples(cls) -> Sequence[ModelExample]:
        """A model of the hub, by name."""
        return [ModelExample("transformers:Qwen/Qwen2.5-Coder-1.5B-Instruct", args={"device": "cpu"})]

    @classmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> TransformersModel:
        """A model by the path of a folder in Hugging Face's layout, or by its name on the hub.

        Arguments: ``adapter`` (a folder that ``codereason finetune`` wrote), ``device`` (``auto``, ``cpu``, ``cuda``),
        ``dtype`` (``float32``, ``bfloat16``, or ``auto``: ``bfloat16`` on a graphics card, ``float32`` elsewhere).
        """
        label = f"transformers:{name}"
        if url is not None:
            raise UsageError(f"{label} runs in this process and takes no --model-url; a server is openai:NAME")
        if not name:
            raise UsageError("transformers: names no model: write transformers:/path/to/folder or OWNER/NAME")
        path = Path(name).expanduser()
        if name.startswith(("/", "./", "../", "~")) and not path.is_dir():
            raise UsageError(f"{label}: there is no folder {path}")
        arguments = ModelArguments(label, args)
        adapter, device = arguments.text("adapter"), arguments.text("device", "auto")
        dtype = arguments.text("dtype", "auto", choices=DTYPES)
        arguments.check_rest()
        folder = Path(adapter).expanduser().resolve() if adapter else None
        if folder is not None and not (folder / "adapter_config.json").is_file():
            raise UsageError(f"{label}: --model-arg adapter={adapter}: the folder holds no adapter_config.json")
        return cls(str(path.resolve()) if path.is_dir() else name, folder, str(device), str(dtype))

    @cached_property
    def _weights(self) -> str | None:
        """The digest of the files of model and adapter, ``None`` for a model of the hub."""
        folders = [Path(self._name), *([self._adapter] if self._adapter else [])]
        if not folders[0].is_dir():
            return None
        files = [file for folder in folders for file in sorted(folder.iterdir()) if file.is_file()]
        return digest([(file.name, hash_file(file)) for file in files])

    @property
    def identity(self) -> Mapping[str, object]:
        """The digest of the files of model and adapter, or the name on the hub, and the versions of what runs it."""
        return {
            "model": "transformers",
            "name": self._name,
            "weights": self._weights,
            "engine": " ".join(f"{package} {self._find_version(package)}" for package in PACKAGES),
            "device": self._device,
            "dtype": self._dtype,
        }

    @property
    def pinned(self) -> bool:
        """True for a folder: the identity holds the digest of its files."""
        return self._weights is not None

    async def check(self) -> None:
        """Checks that the packages are installed."""
        for package in (*PACKAGES, *(["peft"] if self._adapter else [])):
            self._find_version(package)

    def _find_version(self, package: str) -> str:
        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError as error:
            message = f"transformers: models need {package}: pip install 'pytest-codereason[train]'"
            raise UsageError(message) from error

    async def start(self) -> None:
        """Loads the model and the adapter."""
        self._model = await asyncio.to_thread(self._load)

    def _load(self) -> Any:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        device = self._device
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        dtype = self._dtype
        if dtype == "auto":
            dtype = "bfloat16" if device.startswith("cuda") else "float32"
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(self._name)
            model = AutoModelForCausalLM.from_pretrained(self._name, dtype=getattr(torch, dtype))
            if self._adapter is not None:
                from peft import PeftModel

                model = PeftModel.from_pretrained(model, str(self._adapter)).merge_and_unload()
            model = model.to(device).eval()
        except (OSError, ValueError, ImportError, RuntimeError) as error:
            raise UsageError(f"{self.label} cannot be loaded: {' '.join(str(error).split())[:300]}") from error
        if not self._tokenizer.chat_template:
            raise UsageError(f"{self.label} has no chat template; take an instruction-tuned model")
        self._shield = Shield([*self._tokenizer.all_special_tokens, *self._tokenizer.get_added_vocab()])
        self._most_tokens = int(getattr(model.config, "max_position_embeddings", 0) or 1 << 20)
        return model

    async def answer(self, request: Request) -> Completion:
        """One completion. It always continues the prefill."""
        if self._model is None:
            raise FatalModelError(f"{self.label} was not started")
        if request.sampling.reasoning_effort is not None:
            raise FatalModelError(f"{self.label} does not support reasoning_effort; remove it from the suite")
        async with self._turn:
            return await asyncio.to_thread(self._generate, request)

    def _generate(self, request: Request) -> Completion:
        import torch

        begun, ask, sampling = time.perf_counter(), request.ask, request.sampling
        tokens = self._encode(request)
        room = self._most_tokens - len(tokens)
        if room < (sampling.max_tokens or 1):
            return Completion(text="", finish="too-long", prefilled=bool(ask.prefill))
        settings: dict[str, object] = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        if sampling.temperature > 0:
            settings |= {
                "do_sample": True,
                "temperature": sampling.temperature,
                "top_p": sampling.top_p or 1.0,
                "top_k": 0,
            }
            torch.manual_seed(derive_seed(request.instance.seed, "sampling", *request.draw) >> 1)
        if ask.prefill and ask.prefill_stop:
            settings |= {"stop_strings": list(ask.prefill_stop), "tokenizer": self._tokenizer}
        prompt = torch.tensor([tokens], device=self._model.device)
        try:
            with torch.inference_mode():
                output = self._model.generate(
                    prompt,
                    attention_mask=torch.ones_like(prompt),
                    max_new_tokens=sampling.max_tokens or room,
                    pad_token_id=self._tokenizer.pad_token_id or self._tokenizer.eos_token_id,
                    **settings,
                )
        except (RuntimeError, ValueError) as error:
            raise ModelError(f"transformers gave no answer: {' '.join(str(error).split())[:300]}") from error
        reply = output[0, len(tokens) :].tolist()
        finish: Finish = "length" if len(reply) >= (sampling.max_tokens or room) else "stop"
        text = self._tokenizer.decode(reply, skip_special_tokens=True)
        for stop in ask.prefill_stop if ask.prefill else ():
            text = text.partition(stop)[0]
        return Completion(
            text=text,
            finish=finish,
            prefilled=bool(ask.prefill),
            usage=Usage(prompt=len(tokens), completion=len(reply)),
            latency_s=time.perf_counter() - begun,
        )

    async def close(self) -> None:
        """Frees the model's memory."""
        self._model = None

    def count_tokens(self, text: str) -> int | None:
        """The number of tokens of ``text``. ``None`` before :meth:`start`."""
        return len(self._tokenize(text)) if self._model is not None else None

    def _tokenize(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False))

    def _encode(self, request: Request) -> list[int]:
        cut, ask = self._shield.cut, request.ask
        messages = [{"role": message.role, "content": cut(message.content)} for message in ask.messages]
        rendered = self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        return encode(rendered + cut(ask.prefill), self._tokenize)
