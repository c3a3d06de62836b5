"""``openai:NAME``: asks a model of an endpoint that speaks OpenAI's chat protocol."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from pytest_codereason.core import Completion, Model, ModelExample, Price, Request
from pytest_codereason.core.secrets import Secret, hides, remember, sign
from pytest_codereason.errors import TransientModelError, UsageError
from pytest_codereason.models.openai import problems, replies
from pytest_codereason.models.openai.endpoint import (
    CHAT,
    OPTIONAL_FIELDS,
    TOKENS_FIELDS,
    EndpointSettings,
    read_urls,
)
from pytest_codereason.models.openai.forms import HOSTS, find_form
from pytest_codereason.models.openai.replies import ListedModel
from pytest_codereason.models.providers import ENGINES, PRESETS, Prefill, Preset

if TYPE_CHECKING:
    from pytest_codereason.models.openai.client import Client, Reply
    from pytest_codereason.models.openai.forms._http import HttpBatching
    from pytest_codereason.models.openai.pool import Server, ServerPool

B = TypeVar("B", bound="HttpBatching")
REACH_S = 5.0  #: seconds within which the endpoint must answer the first request


class OpenAIModel(Model):
    """One model of one endpoint: of one server, or of several that have the same."""

    takes_several_urls = True

    def __init__(self, preset: Preset, name: str, urls: tuple[str, ...], settings: EndpointSettings) -> None:
        self.label = f"{preset.name}:{name}"
        self.price = settings.price
        self.omits = frozenset(settings.omit)
        self._name = name
        self._urls = urls
        self.concurrency = Model.concurrency * len(urls)
        self._settings = settings
        at_home = urls == (preset.base_url,)
        if preset.name == "openai" and not at_home:  # a compatible server of an unknown kind
            host = urlsplit(urls[0]).hostname or ""
            batch = next((form for end, form in HOSTS.items() if host.endswith(end)), preset.batch)
            preset = Preset("openai", urls[0], preset.key_env, prefill="auto", batch=batch)
        self._preset = preset
        self._key_env = settings.key_env or preset.key_env
        self._needs_key = settings.key_env is not None or (preset.key_env is not None and at_home)
        self._key = Secret("")
        self._asked_prefill: Prefill = preset.prefill if settings.prefill == "auto" else settings.prefill
        self._prefill = self._asked_prefill  # "auto" until start() has found out the server's engine
        self._refuses_prefill = False
        self._tokens_field = settings.tokens_field or preset.tokens_field
        self._tokens_field_settled = settings.tokens_field is not None
        self._pool: ServerPool | None = None
        self._batch_client: Client | None = None
        self._served: ListedModel | None = None
        self._context_length: int | None = None

    @classmethod
    def examples(cls) -> Sequence[ModelExample]:
        """A model of OpenAI, of another provider, and of a user's own server."""
        return [
            ModelExample("openai:gpt-x", args={"price_in": "1", "price_out": "2"}),
            ModelExample("groq:llama", args={"omit": "temperature"}),
            ModelExample("openai:qwen", url="http://localhost:8000/v1", args={"prefill": "never"}),
            ModelExample("openai:qwen", url="http://a:8000/v1,http://b:8000/v1", args={"endpoint_name": "cluster-a"}),
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
        urls = cls._read_urls(url, named) if url else (preset.base_url,)
        return cls(preset, name, urls, EndpointSettings.read(f"{preset.name}:{name}", args))

    @classmethod
    def _read_urls(cls, url: str, named: str) -> tuple[str, ...]:
        return read_urls(url, named)

    @property
    def identity(self) -> Mapping[str, object]:
        """Endpoint, model and settings, the same before and after :meth:`start`.

        Whether a reply continues its prefill is not part of it: each completion says so.
        """
        return {
            "endpoint": self._settings.endpoint_name or (self._urls[0] if len(self._urls) == 1 else sorted(self._urls)),
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
        """Finds the key, connects to each server and reads its list of models, if it has one."""
        self._key = self._find_key()
        from pytest_codereason.models.openai.client import bear
        from pytest_codereason.models.openai.pool import Server, ServerPool

        price, key = Price.of(self.price), bear(self._key)
        servers = [Server(url, self._connect(url, key)) for url in self._urls]
        self._pool = ServerPool(self.label, servers, self._check_server, is_free=price is None or price.is_free)
        try:
            await self._reach(self._pool)
        except BaseException:
            await self.close()
            raise

    async def answer(self, request: Request) -> Completion:
        """Sends one request, to another server if one cannot answer it."""
        assert self._pool is not None, "start() comes first"
        return await self._pool.ask(partial(self._send, request), request.instance.family)

    async def _send(self, request: Request, server: Server) -> Completion:
        """Sends one request. It is sent again only if its error shows how this endpoint wants it."""
        while True:
            tokens_field = self._tokens_field
            body, prefill = self._make_body(request)
            started = time.perf_counter()
            reply = await server.client.post(CHAT, json.dumps(body).encode())
            latency_s = time.perf_counter() - started
            read = self._read(reply, prefill, latency_s)
            if isinstance(read, Completion):
                return read
            if instead := read.find_completion():
                return instead
            if not self._adapt(read, tokens_field, prefill):
                raise read.make_error(self._find_hint(read, body, reply.headers, server.url))

    @property
    def batching(self) -> HttpBatching | None:
        """Batches, where the provider takes them and is one server."""
        if not self._preset.batch or len(self._urls) > 1:
            return None
        return self._make_batching(find_form(self._preset.batch))

    def _make_batching(self, kind: type[B]) -> B:
        key_env = {} if self._settings.key_env is None else {"key_env": self._settings.key_env}
        return kind(
            self._name,
            {"url": self._urls[0], "args": key_env},
            find_client=lambda: self._find_client(kind),
            write_body=self._write_batched,
            read=self._read_batched,
            explain=lambda status: self._explain_key() if status in (401, 403) else "",
        )

    def _find_client(self, form: type[HttpBatching]) -> Client:
        """The connections to batches: those of all requests, unless the key is sent in another way."""
        assert self._pool is not None, "start() comes first"
        if (key := form.sign(self._key)) is None:
            return self._pool.servers[0].client
        if self._batch_client is None:
            self._batch_client = self._connect(form.find_root(self._urls[0]), key)
        return self._batch_client

    def _connect(self, url: str, key: Mapping[str, Secret]) -> Client:
        from pytest_codereason.models.openai.client import Client

        settings = self._settings
        limits = {"timeout_s": settings.timeout_s, "idle_timeout_s": settings.idle_timeout_s}
        return Client(url, key, headers=settings.headers, **limits)

    def _write_batched(self, request: Request) -> tuple[dict[str, object], str]:
        body, prefill = self._make_body(request)
        return body, json.dumps([prefill, self._tokens_field])

    def _read_batched(self, reply: Reply, memo: str) -> Completion:
        prefill, tokens_field = json.loads(memo)
        read = self._read(reply, prefill, None)
        completion = read if isinstance(read, Completion) else read.find_completion()
        if completion is not None:
            return completion
        assert isinstance(read, problems.EndpointProblem)
        if self._adapt(read, tokens_field, prefill):
            raise TransientModelError(f"sent again as this endpoint wants it: {problems.clip(read.message)}")
        raise read.make_error(self._find_hint(read, dict.fromkeys(OPTIONAL_FIELDS), reply.headers, self._urls[0]))

    async def close(self) -> None:
        """Closes the connections."""
        if self._pool is not None:
            await self._pool.close()
            self._pool = None
        if self._batch_client is not None:
            await self._batch_client.close()
            self._batch_client = None

    def context_length(self) -> int | None:
        """The context length in the server's list of models, ``None`` if the list does not say."""
        return self._context_length

    async def _reach(self, pool: ServerPool) -> None:
        """Checks that a server answers, and that all that do accept the key and have the same model, as far as their
        replies say. A server that does not answer yet is asked once it does.
        """
        found = await asyncio.gather(*map(self._examine, pool.servers), return_exceptions=True)
        others = [each for each in found if not isinstance(each, TransientModelError)]
        if not others:
            raise UsageError(
                f"{self.label}: {self._urls[0]} cannot be reached: {found[0]}. "
                "Start the server, or correct its address: --model-url, or url in the model's table"
            )
        first = None
        for server, served in zip(pool.servers, found, strict=True):
            if isinstance(served, TransientModelError):
                pool.leave_out(server, served)
            elif isinstance(served, BaseException):
                raise served
            elif first is None:
                first = server
                self._serve(served)
            else:
                self._check_same(served, server.url, first.url)

    async def _examine(self, server: Server) -> ListedModel:
        """What a server lists of the model; nothing where its list is missing or may be incomplete.

        Raises:
            TransientModelError: it does not answer.
            UsageError: it refuses the key, or does not have the model.
        """
        from pytest_codereason.models.openai.versions import VERSION, lacks_version

        reply = await server.client.get("/models", timeout_s=REACH_S)
        if reply.status == 401:
            problem = problems.read_problem(reply.status, reply.headers, reply.content)
            raise UsageError(
                f"{self.label}: {server.url} refuses the key: {problems.clip(problem.message)} ({self._explain_key()})"
            )
        listed = replies.list_models(reply.content) if reply.succeeded else []
        if not listed and await lacks_version(server.url, server.client, timeout_s=REACH_S):
            raise UsageError(
                f"{self.label}: {server.url} has no models, but {server.url}{VERSION} has: write that address "
                "(--model-url, or url in the model's table)"
            )
        return self._find_listed(listed, server.url)

    async def _check_server(self, server: Server) -> None:
        """Checks that a server that was left out has the model again."""
        served = await self._examine(server)
        self._check_same(served, server.url, "the first server")

    def _check_same(self, served: ListedModel, url: str, first: str) -> None:
        """Checks that a server has the model that the ``first`` has: the same name may stand for two revisions."""
        known = self._served
        if known is None or served == known:
            return
        here, there = ({**each._asdict(), **dict(each.weights)} for each in (served, known))
        keys = ("id", "owned_by", "context_length", *replies.WEIGHTS)
        key = next(key for key in keys if here.get(key) != there.get(key))
        mine, other = (problems.clip(str(each.get(key) or "nothing")) for each in (here, there))
        raise UsageError(
            f"{self.label}: {url} serves another model than {first}: its list of models has {mine} as {key!r}, not "
            f"{other}; give servers of one model alone"
        )

    def _read(self, reply: Reply, prefill: str, latency_s: float | None) -> Completion | problems.EndpointProblem:
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

    def _find_listed(self, models: list[ListedModel], url: str) -> ListedModel:
        """The model in the list of a server. Its ``owned_by`` is the server's engine, if that is known."""
        owner = next((row.owned_by.lower() for row in models if row.owned_by.lower() in ENGINES), "")
        ids = [row.id for row in models]
        names = (self._name, f"{self._name}:latest")
        if listed := next((row for row in models if row.id in names), None):
            return listed._replace(owned_by=owner)
        if ids and ENGINES.get(owner, self._preset).lists_all:
            near = get_close_matches(self._name, ids, 5, 0.4) or ids[:5]
            hint = "" if len(self._urls) == 1 else ". To ask one model there alone, write --model-arg MODEL:url=URL"
            raise UsageError(
                f"{self.label}: {url} has no model {self._name!r}; it has {', '.join(map(problems.clip, near))}{hint}"
            )
        return ListedModel("", owner)

    def _serve(self, served: ListedModel) -> None:
        """Settles how requests are sent, by the list of a server."""
        self._served, self._context_length = served, served.context_length
        if self._prefill == "auto":
            self._prefill = ENGINES[served.owned_by].prefill if served.owned_by else "never"

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
        self, problem: problems.EndpointProblem, body: Mapping[str, object], headers: Mapping[str, str], url: str
    ) -> str:
        """What the user can do about an error that stops the run."""
        if problem.status in (401, 403):
            return self._explain_key()
        if problem.status == 404:
            return f"check that {url} is the address before {CHAT}, and has the model {self._name!r}"
        if 300 <= problem.status < 400:
            address = problems.clip(headers.get("location", "?"))
            return f"{url} leads to {address}: give the final address (--model-url, or url in the model's table)"
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
