"""``openai:NAME``: asks a model of an endpoint that speaks OpenAI's chat protocol."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pytest_codereason.core import Completion, Model, ModelExample, Request
from pytest_codereason.core.secrets import Secret, hides, remember, sign
from pytest_codereason.errors import TransientModelError, UsageError
from pytest_codereason.models.openai import problems, replies
from pytest_codereason.models.openai.endpoint import OPTIONAL_FIELDS, TOKENS_FIELDS, EndpointSettings, check_url
from pytest_codereason.models.providers import ENGINES, PRESETS, Prefill, Preset

if TYPE_CHECKING:
    from pytest_codereason.models.openai.client import Client, Reply

REACH_S = 5.0  #: seconds within which the endpoint must answer the first request


class OpenAIModel(Model):
    """One model of one endpoint."""

    def __init__(self, preset: Preset, name: str, base_url: str, settings: EndpointSettings) -> None:
        self.label = f"{preset.name}:{name}"
        self.price = settings.price
        self.omits = frozenset(settings.omit)
        self._name = name
        self._url = base_url
        self._settings = settings
        at_home = base_url == preset.base_url
        if preset.name == "openai" and not at_home:  # a compatible server of an unknown kind
            preset = Preset("openai", base_url, preset.key_env, prefill="auto")
        self._preset = preset
        self._key_env = settings.key_env or preset.key_env
        self._needs_key = settings.key_env is not None or (preset.key_env is not None and at_home)
        self._key = Secret("")
        self._asked_prefill: Prefill = preset.prefill if settings.prefill == "auto" else settings.prefill
        self._prefill = self._asked_prefill  # "auto" until start() has found out the server's engine
        self._refuses_prefill = False
        self._tokens_field = settings.tokens_field or preset.tokens_field
        self._tokens_field_settled = settings.tokens_field is not None
        self._client: Client | None = None
        self._context_length: int | None = None

    @classmethod
    def examples(cls) -> Sequence[ModelExample]:
        """A model of OpenAI, of another provider, and of a user's own server."""
        return [
            ModelExample("openai:gpt-x", args={"price_in": "1", "price_out": "2"}),
            ModelExample("groq:llama", args={"omit": "temperature"}),
            ModelExample("openai:qwen", url="http://localhost:8000/v1", args={"prefill": "never"}),
        ]

    @classmethod
    def create(
        cls, name: str, *, url: str | None, args: Mapping[str, str], preset: Preset | None = None
    ) -> OpenAIModel:
        """See :meth:`Model.create`. ``preset`` describes the endpoint; the default is OpenAI."""
        preset = preset or PRESETS["openai"]
        if not name:
            raise UsageError(f"{preset.name}: names no model: write {preset.name}:NAME")
        named = "--model-url"
        if not url and preset.name == "openai":
            url, named = os.environ.get("OPENAI_BASE_URL"), "OPENAI_BASE_URL"
        base_url = check_url(url, named) if url else preset.base_url
        return cls(preset, name, base_url, EndpointSettings.read(f"{preset.name}:{name}", args))

    @property
    def identity(self) -> Mapping[str, object]:
        """Endpoint, model and settings, the same before and after :meth:`start`.

        Whether a reply continues its prefill is not part of it: each completion says so.
        """
        return {
            "endpoint": self._url,
            "model": self._name,
            "prefill": self._asked_prefill,
            "omit": sorted(self._settings.omit),
            # A header may hold a secret, so only a digest of it is shown.
            "headers": {name.lower(): sign(header.reveal()) for name, header in sorted(self._settings.headers.items())},
            "body": {name: sign(value) if hides(value) else value for name, value in self._settings.body.items()},
        }

    @property
    def pinned(self) -> bool:
        """False: the model behind a name can change on any day."""
        return False

    async def check(self) -> None:
        """Does the same as :meth:`start`, then closes the connections."""
        await self.start()
        await self.close()

    async def start(self) -> None:
        """Finds the key, connects to the endpoint and reads its list of models, if it has one."""
        self._key = self._find_key()
        from pytest_codereason.models.openai.client import Client

        self._client = Client(
            self._url,
            self._key,
            headers=self._settings.headers,
            timeout_s=self._settings.timeout_s,
            idle_timeout_s=self._settings.idle_timeout_s,
        )
        try:
            await self._reach(self._client)
        except BaseException:
            await self.close()
            raise

    async def answer(self, request: Request) -> Completion:
        """Sends one request. It is sent again only if its error shows how this endpoint wants it."""
        assert self._client is not None, "start() comes first"
        while True:
            tokens_field = self._tokens_field
            body, prefill = self._make_body(request)
            started = time.perf_counter()
            reply = await self._client.post("/chat/completions", json.dumps(body).encode())
            latency_s = time.perf_counter() - started
            read = self._read(reply, prefill, latency_s)
            if isinstance(read, Completion):
                return read
            if instead := read.find_completion():
                return instead
            if not self._adapt(read, tokens_field, prefill):
                raise read.make_error(self._find_hint(read, body, reply.headers))

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    def context_length(self) -> int | None:
        """The context length in the server's list of models, ``None`` if the list does not say."""
        return self._context_length

    async def _reach(self, client: Client) -> None:
        """Checks that the endpoint answers, accepts the key and has the model, as far as its replies say."""
        try:
            reply = await client.get("/models", timeout_s=REACH_S)
        except TransientModelError as error:
            raise UsageError(
                f"{self.label}: {self._url} cannot be reached: {error}. "
                "Start the server, or correct its address: --model-url, or url in the model's table"
            ) from None
        if reply.status == 401:
            problem = problems.read_problem(reply.status, reply.headers, reply.content)
            raise UsageError(
                f"{self.label}: {self._url} refuses the key: {problems.clip(problem.message)} ({self._explain_key()})"
            )
        self._read_list(replies.list_models(reply.content) if reply.succeeded else [])

    def _read(self, reply: Reply, prefill: str, latency_s: float) -> Completion | problems.EndpointProblem:
        if not reply.succeeded:
            return problems.read_problem(reply.status, reply.headers, reply.content)
        if reply.too_long:
            return Completion(text="", finish="length", latency_s=latency_s)
        return replies.read_completion(reply.content, reply.headers, prefill=prefill, latency_s=latency_s)

    def _make_body(self, request: Request) -> tuple[dict[str, object], str]:
        """The body of a request, and the prefill that the reply will continue."""
        ask, sampling = request.ask, request.sampling
        messages: list[dict[str, object]] = [{"role": m.role, "content": m.content} for m in ask.messages]
        body: dict[str, object] = {"model": self._name, "messages": messages}
        prefill = "" if self._prefill == "never" or self._refuses_prefill else ask.prefill
        stop = ask.prefill_stop if prefill else ()
        if prefill:
            # Anthropic refuses a last message that ends in white space.
            messages.append(
                {"role": "assistant", "content": prefill if self._prefill != "assistant" else prefill.rstrip()}
            )
        if prefill and self._prefill == "continue":
            body |= {"continue_final_message": True, "add_generation_prompt": False}
        elif prefill and self._prefill == "prefix":
            messages[-1]["prefix"] = True
        settings = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "reasoning_effort": sampling.reasoning_effort,
            "stop": list(stop) or None,
        }
        body |= {key: value for key, value in settings.items() if value is not None and key not in self._settings.omit}
        if sampling.max_tokens is not None:
            body[self._tokens_field] = sampling.max_tokens
        return body | self._settings.body, prefill

    def _adapt(self, problem: problems.EndpointProblem, tokens_field: str, prefill: str) -> bool:
        """Changes how requests are sent, if an error shows how. Returns whether another try is worthwhile.

        Another request may have made the change already. Each change is made once, so the tries come to an end.
        The field for the limit of tokens does not change the answer. The completion says if a prefill was left out.
        """
        if problem.rejects_field(tokens_field):
            if not self._tokens_field_settled:
                self._tokens_field_settled = True
                self._tokens_field = next(field for field in TOKENS_FIELDS if field != tokens_field)
            return self._tokens_field != tokens_field
        if prefill and self._settings.prefill == "auto" and problem.refuses_prefill:
            self._refuses_prefill = True
            return True
        return False

    def _read_list(self, models: list[replies.ListedModel]) -> None:
        """Finds out the server's engine and the model's context length from the server's list of models."""
        engine = next((ENGINES[row.owned_by.lower()] for row in models if row.owned_by.lower() in ENGINES), None)
        if self._prefill == "auto":
            self._prefill = engine.prefill if engine else "never"
        ids = [row.id for row in models]
        names = (self._name, f"{self._name}:latest")
        self._context_length = next((row.context_length for row in models if row.id in names), None)
        if ids and (engine or self._preset).lists_all and not {*names} & {*ids}:
            near = get_close_matches(self._name, ids, 5, 0.4) or ids[:5]
            raise UsageError(
                f"{self.label}: {self._url} has no model {self._name!r}; it has {', '.join(map(problems.clip, near))}"
            )

    def _find_key(self) -> Secret:
        key = os.environ.get(self._key_env or "", "").strip()
        has_header = any(name.lower() == "authorization" for name in self._settings.headers)
        if not key and self._needs_key and not has_header:
            instead = "give a server that needs none with --model-url"
            if self._settings.key_env is not None:
                instead = "remove key_env if the server needs no key"
            raise UsageError(
                f"{self.label} needs a key: set the environment variable {self._key_env} "
                f"(export {self._key_env}=...), or {instead}"
            )
        if not (key.isascii() and key.isprintable()):
            raise UsageError(f"{self.label}: the key in {self._key_env} holds characters that a key cannot have")
        remember(key, "[key]")
        return Secret(key)

    def _find_hint(
        self, problem: problems.EndpointProblem, body: Mapping[str, object], headers: Mapping[str, str]
    ) -> str:
        """What the user can do about an error that stops the run."""
        if problem.status in (401, 403):
            return self._explain_key()
        if problem.status == 404:
            return (
                f"check that {self._url} has the model {self._name!r}, "
                "and that the address does not include /chat/completions"
            )
        if 300 <= problem.status < 400:
            address = problems.clip(headers.get("location", "?"))
            return f"{self._url} leads to {address}: give the final address (--model-url, or url in the model's table)"
        for field in OPTIONAL_FIELDS:
            if field in body and problem.rejects_field(field):
                return f"to leave it to the server: --model-arg omit={field}"
        return ""

    def _explain_key(self) -> str:
        return (
            f"check the key in {self._key_env}"
            if self._key_env
            else "name the key's variable: --model-arg key_env=NAME"
        )
