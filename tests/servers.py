"""A real HTTP server that speaks OpenAI's chat protocol and fails by script.

In a test::

    with Server(solve(accuracy=0.9), latency_s=0.01, script=[rate_limited("1"), None, reset()]) as server:
        ...  # server.url is the --model-url, server.requests what was asked, server.peak the most at once

For a benchmark, in a process of its own, printing its URL::

    python -m tests.servers --latency 0.05 --accuracy 0.8
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import itertools
import json
import math
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit

from aiohttp import web

Body = dict[str, Any]
#: Gives the reply to the messages of a request; the whole body of the request comes second.
Answer = Callable[[Sequence[Mapping[str, Any]], Body], str]


@dataclass(frozen=True, kw_only=True)
class Disruption:
    """What a request gets in place of an ordinary completion. The helpers below make the usual ones."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: object = None  #: sent as JSON, ``bytes`` as they are; ``None`` is the ordinary completion
    edit: Callable[[Body], object] | None = None  #: changes the ordinary completion in place
    reset_after: int | None = None  #: the connection breaks after so many bytes of the body
    silent: bool = False  #: nothing is sent, not even when the server closes
    when: Callable[[Body], bool] | None = None  #: the requests it strikes; others get an ordinary completion


def error(status: int, message: str, *, headers: Mapping[str, str] | None = None, **more: object) -> Disruption:
    """An error as OpenAI writes it; ``more`` may hold ``code``, ``type``, ``param``."""
    return Disruption(status=status, headers=headers or {}, body={"error": {"message": message, **more}})


def rate_limited(retry_after: str | None = "1") -> Disruption:
    """429, with a ``Retry-After`` unless it is ``None``."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return error(429, "Rate limit reached for requests", headers=headers, code="rate_limit_exceeded")


def no_quota() -> Disruption:
    """429 that no waiting heals."""
    return error(429, "You exceeded your current quota, please check your plan", code="insufficient_quota")


def overloaded(status: int = 503) -> Disruption:
    """A server error."""
    return error(status, "The server is overloaded")


def context_exceeded() -> Disruption:
    """400: the prompt is too long for the model."""
    message = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
    return error(400, message, code="context_length_exceeded")


def malformed() -> Disruption:
    """A completion whose JSON ends early."""
    return Disruption(body=b'{"id": "x", "choices": [{"index": 0, "mess')


def no_choices() -> Disruption:
    """A completion without choices."""
    return Disruption(edit=lambda body: body.update(choices=[]))


def no_usage() -> Disruption:
    """A completion that does not say how many tokens it took."""
    return Disruption(edit=lambda body: body.pop("usage"))


def finished(reason: str | None, content: str | None = "") -> Disruption:
    """A completion that ended for another reason: ``length``, ``content_filter``."""

    def edit(body: Body) -> None:
        body["choices"][0]["finish_reason"] = reason
        if content != "":
            body["choices"][0]["message"]["content"] = content

    return Disruption(edit=edit)


def fields(**message: object) -> Disruption:
    """A completion with other fields in its message."""
    return Disruption(edit=lambda body: body["choices"][0]["message"].update(message))


def reset(after: int = 20) -> Disruption:
    """The connection breaks in the middle of the body."""
    return Disruption(reset_after=after)


def silence() -> Disruption:
    """No answer at all."""
    return Disruption(silent=True)


@dataclass(frozen=True)
class Seen:
    """One request to ``/v1/chat/completions`` as it came in."""

    body: Body
    headers: Mapping[str, str]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Its messages."""
        return list(self.body["messages"])


class Server:
    """The server, in a thread of its own while the ``with`` block runs.

    Args:
        answer: makes the replies; :func:`solve` unless given.
        latency_s: how long each completion takes, without using the processor.
        script: what the requests get, in the order they arrive; ``None``, and every request past its end, get an
            ordinary completion. ``itertools.repeat(disruption)`` strikes all.
        models: the names it lists; any other gets 404.
        owned_by: the engine it says it is; ``vllm`` continues a last assistant message on request.
        key: the only key it takes; ``None`` takes all.
        lists_models: whether ``/v1/models`` is there.
        listing: what ``/v1/models`` gives in place of the list.
        together: every completion waits until so many requests have been in flight at once.
        max_model_len: the tokens of prompt and answer it takes, of four characters each; longer requests get the 400
            of vLLM, and its list of models says it.
        port: 0 takes a free one.
    """

    provider = "openai"  #: as whose it is asked
    _root = "/v1"  #: the path of its address

    def __init__(
        self,
        answer: Answer | None = None,
        *,
        latency_s: float = 0.0,
        script: Iterable[Disruption | None] = (),
        models: Sequence[str] = ("scripted",),
        owned_by: str = "vllm",
        key: str | None = None,
        lists_models: bool = True,
        listing: Disruption | None = None,
        together: int = 0,
        max_model_len: int | None = None,
        port: int = 0,
    ) -> None:
        self.url = ""
        self.requests: list[Seen] = []
        self.peak = 0  #: the most requests that were in flight at once
        self._answer = answer or solve()
        self.latency_s = latency_s  #: may be changed while the server runs
        self._script = iter(script)
        self._models = tuple(models)
        self._owned_by = owned_by
        self._key = key
        self._lists_models = lists_models
        self._listing = listing
        self._together = together
        self._max_model_len = max_model_len
        self._port = port
        self._in_flight = 0
        self._numbers = itertools.count()
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop
        self._closing = asyncio.Event()
        self._crowded = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="scripted-server", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(60):
            raise RuntimeError("the scripted server did not start")
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends it, also in the middle of its ``with`` block. Another one may then have its :attr:`port`."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join(10)

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return urlsplit(self.url).port or 0

    def wait(self) -> None:
        """Blocks until the server is closed."""
        self._thread.join()

    def _run(self) -> None:
        with asyncio.Runner() as runner:  # which ends the requests that are still in flight
            self._loop = runner.get_loop()
            runner.run(self._serve())

    async def _serve(self) -> None:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_get(f"{self._root}/models", self._list)
        app.router.add_post(f"{self._root}/chat/completions", self._complete)
        self._add_routes(app)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self._port, backlog=4096).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}{self._root}"
        self._ready.set()
        await self._closing.wait()
        await runner.cleanup()

    def _add_routes(self, app: web.Application) -> None:
        """Adds what a server of another kind has besides."""

    def _refused(self, request: web.Request) -> web.Response | None:
        if self._key is None or request.headers.get("Authorization") == f"Bearer {self._key}":
            return None
        key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return web.json_response(
            {"error": {"message": f"Incorrect API key provided: {key}", "code": "invalid_api_key"}}, status=401
        )

    async def _list(self, request: web.Request) -> web.StreamResponse:
        if refused := self._refused(request):
            return refused
        if not self._lists_models:
            raise web.HTTPNotFound
        if self._listing is not None:
            return await self._respond(request, {"model": self._models[0], "messages": []}, self._listing)
        known = {} if self._max_model_len is None else {"max_model_len": self._max_model_len}
        rows = [{"id": name, "object": "model", "owned_by": self._owned_by, **known} for name in self._models]
        return web.json_response({"object": "list", "data": rows})

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        if refused := self._refused(request):
            return refused
        body = json.loads(await request.read())
        self.requests.append(Seen(body, request.headers))
        disruption = next(self._script, None)
        if disruption and disruption.when and not disruption.when(body):
            disruption = None
        self._in_flight += 1
        self.peak = max(self.peak, self._in_flight)
        if self.peak >= self._together:
            self._crowded.set()
        try:
            await self._crowded.wait()
            if disruption and disruption.silent:
                await self._closing.wait()
                if request.transport is not None:
                    request.transport.abort()
            elif self.latency_s:
                await asyncio.sleep(self.latency_s)
            return await self._respond(request, body, disruption or Disruption())
        finally:
            self._in_flight -= 1

    async def _respond(self, request: web.Request, body: Body, disruption: Disruption) -> web.StreamResponse:
        if body["model"] not in self._models:
            message = f"The model `{body['model']}` does not exist."
            return web.json_response({"error": {"message": message, "code": "model_not_found"}}, status=404)
        needed = prompt_tokens(body) + int(body.get("max_tokens") or 1)
        if self._max_model_len is not None and needed > self._max_model_len:
            message = (
                f"This model's maximum context length is {self._max_model_len} tokens. However, your prompt contains"
            )
            wrong = {"message": f"{message} at least {needed} input tokens", "type": "BadRequestError", "code": 400}
            return web.json_response({"error": wrong}, status=400)
        reply = disruption.body
        if reply is None:
            reply = self._completion(body)
            if disruption.edit:
                disruption.edit(reply)
        data = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
        headers = {"Content-Type": "application/json", **disruption.headers}
        if disruption.reset_after is None:
            return web.Response(status=disruption.status, headers=headers, body=data)
        response = web.StreamResponse(headers={**headers, "Content-Length": str(len(data))})
        await response.prepare(request)
        await response.write(data[: disruption.reset_after])
        if request.transport is not None:
            request.transport.abort()
        return response

    def _completion(self, body: Body) -> Body:
        text = self._answer(body["messages"], body)
        prompt, completion = prompt_tokens(body), max(1, len(text) // 4)
        return {
            "id": f"chatcmpl-{next(self._numbers)}",
            "object": "chat.completion",
            "model": body["model"],
            "choices": [
                {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"},
            ],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
            },
        }


def prompt_tokens(body: Body) -> int:
    """A stand-in for a tokenizer: four characters are one token."""
    return sum(len(str(message["content"])) for message in body["messages"]) // 4


ASSIGNMENT = re.compile(r"^[ \t]*\$?\w+\[(\d+)\][ \t]*=[ \t]*\$?\w+[ \t]*([+-])[ \t]*(-?\d+);?[ \t]*$", re.MULTILINE)
SIGNATURE = re.compile(r"\b(?:def|function)\s+(\w+)\s*\(")


def solve(*, accuracy: float = 1.0, wrap: str = "{}") -> Answer:
    """Answers SemTrace prompts, in Python, JavaScript and PHP.

    It reads the last program of the last user message (lines such as ``arr[3] = x + 7``) and the last
    call of that function with a number, ``f(81)``.

    Args:
        accuracy: the share of prompts answered right; which ones, a hash of the prompt decides. A wrong
            answer is off by one in one element.
        wrap: what the value stands in where the reply continues no prefill: ``"[ANSWER]{}[/ANSWER]"``.
    """

    def answer(messages: Sequence[Mapping[str, Any]], body: Body) -> str:
        prompt = next(str(message["content"]) for message in reversed(messages) if message["role"] == "user")
        values = trace(prompt)
        if values and _fraction(prompt) >= accuracy:
            values[0] += 1
        text = json.dumps(values)
        return text if messages[-1]["role"] == "assistant" else wrap.replace("{}", text)

    return answer


def trace(prompt: str) -> list[int]:
    """The list that the last SemTrace program of ``prompt`` builds; empty where there is none."""
    signature = max(SIGNATURE.finditer(prompt), key=lambda match: match.start(), default=None)
    calls = re.findall(rf"\b{signature[1]}\((-?\d+)\)", prompt) if signature else []
    if signature is None or not calls:
        return []
    x, values = int(calls[-1]), {}
    for match in ASSIGNMENT.finditer(prompt, signature.end()):
        values[int(match[1])] = x + int(match[3]) * (1 if match[2] == "+" else -1)
    return [values[index] for index in sorted(values)]


def _fraction(text: str) -> float:
    """A number in [0, 1) that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8], "big") / 2**64


def main(argv: Sequence[str] | None = None) -> None:
    """Serves until killed; the first line of output is the URL."""
    parser = argparse.ArgumentParser(prog="python -m tests.servers", description=main.__doc__)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds each completion takes")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--accuracy", type=float, default=1.0, help="share of prompts answered right")
    parser.add_argument("--model", action="append", help="a model it has; repeatable (default: scripted)")
    options = parser.parse_args(argv)
    answer = solve(accuracy=options.accuracy)
    with Server(answer, latency_s=options.latency, port=options.port, models=options.model or ["scripted"]) as server:
        print(server.url, flush=True)
        server.wait()


if __name__ == "__main__":
    main()


class Quota:
    """A server's script: after some answers the quota is used up, until :meth:`refill`."""

    def __init__(self, answers: int) -> None:
        self.answers: float = answers

    def __iter__(self) -> Iterator[Disruption | None]:
        while True:
            self.answers -= 1
            yield None if self.answers >= 0 else no_quota()

    def refill(self) -> None:
        self.answers = math.inf
