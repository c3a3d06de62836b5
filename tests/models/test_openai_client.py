"""Connections to an endpoint: what is sent and through whom, and which failures have cost nothing."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest
from aiohttp import web

from pytest_codereason.core.secrets import Secret
from pytest_codereason.errors import TransientModelError, UsageError
from pytest_codereason.models.openai.client import Client, bear, find_proxy
from tests.servers import Disruption, Server

BODY = b'{"model": "scripted", "messages": [{"role": "user", "content": "f(1)?"}]}'
T = TypeVar("T")
Headers = Mapping[str, str]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)


def use(url: str, act: Callable[[Client], Awaitable[T]], **headers: str) -> T:
    async def run() -> T:
        client = Client(
            url,
            bear(Secret("sk-of-the-variable")),
            headers={name.replace("_", "-"): Secret(value) for name, value in headers.items()},
            timeout_s=20.0,
            idle_timeout_s=10.0,
        )
        try:
            return await act(client)
        finally:
            await client.close()

    return asyncio.run(run())


def test_a_header_of_a_users_own_stands_in_place_of_ours_in_any_letters() -> None:
    with Server() as server:
        use(server.url, lambda client: client.post("/chat/completions", BODY), authorization="Token x", X_More="y")
        (sent,) = (request.headers for request in server.requests)
    assert [value for name, value in sent.items() if name.lower() == "authorization"] == ["Token x"]
    assert sent["X-More"] == "y"
    assert sent["User-Agent"].startswith("pytest-codereason/")


def test_no_password_of_the_netrc_file_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Server() as server:
        use(server.url, lambda client: client.post("/chat/completions", BODY))
        assert server.requests[0].headers["Authorization"] == "Bearer sk-of-the-variable"


def test_no_cookie_of_a_server_is_sent_back() -> None:
    async def ask_twice(client: Client) -> None:
        await client.post("/chat/completions", BODY)
        await client.post("/chat/completions", BODY)

    with Server(script=[Disruption(headers={"Set-Cookie": "who=me"})]) as server:
        use(server.url, ask_twice)
        assert "Cookie" not in server.requests[1].headers


@pytest.mark.parametrize(
    ("variables", "url", "proxy"),
    [
        ({}, "https://api.example/v1", None),
        ({"https_proxy": "http://proxy:3128"}, "https://api.example/v1", "http://proxy:3128"),
        ({"https_proxy": "proxy:3128"}, "https://api.example/v1", "http://proxy:3128"),
        ({"https_proxy": "http://proxy:3128"}, "http://api.example/v1", None),
        ({"http_proxy": "http://me:pw@proxy:3128"}, "http://api.example:8000/v1", "http://me:pw@proxy:3128"),
        ({"ALL_PROXY": "http://proxy:1"}, "https://api.example/v1", "http://proxy:1"),
        ({"https_proxy": "http://proxy:1", "no_proxy": ".example"}, "https://api.example/v1", None),
        ({"https_proxy": "http://proxy:1", "no_proxy": "other"}, "https://api.example/v1", "http://proxy:1"),
        ({"http_proxy": "http://proxy:1", "no_proxy": "localhost"}, "http://user@localhost:8000/v1", None),
    ],
)
def test_the_proxy_of_an_address(
    monkeypatch: pytest.MonkeyPatch, variables: Headers, url: str, proxy: str | None
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert find_proxy(url) == proxy


def test_a_proxy_of_another_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("all_proxy", "socks5://proxy:1080")
    with pytest.raises(UsageError, match=r"a proxy of the kind socks5, .*: name one of http:// in https_proxy"):
        find_proxy("https://api.example/v1")


def test_a_request_goes_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    async def forward(request: web.Request) -> web.Response:
        asked.append((request.method, str(request.url), request.headers.get("Proxy-Authorization")))
        return web.json_response({"by": "proxy"})

    async def run() -> bytes:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", forward)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        monkeypatch.setenv("http_proxy", f"http://me:pw@127.0.0.1:{port}")
        client = Client("http://model.example/v1", bear(Secret("k")), headers={}, timeout_s=20.0, idle_timeout_s=10.0)
        try:
            return (await client.post("/chat/completions", BODY)).content
        finally:
            await client.close()
            await runner.cleanup()

    assert asyncio.run(run()) == b'{"by": "proxy"}'
    assert asked == [("POST", "http://model.example/v1/chat/completions", "Basic bWU6cHc=")]


@pytest.fixture
def closed_port() -> Iterator[int]:
    with closing(socket.socket()) as reserved:
        reserved.bind(("127.0.0.1", 0))
        yield reserved.getsockname()[1]


def test_what_was_never_sent_has_cost_nothing(closed_port: int) -> None:
    with pytest.raises(TransientModelError, match="the connection failed: ") as caught:
        use(f"http://127.0.0.1:{closed_port}/v1", lambda client: client.post("/chat/completions", BODY))
    assert caught.value.unbilled
    assert str(caught.value).endswith(f": 127.0.0.1:{closed_port}: Connection refused")


def test_a_server_without_encryption_is_not_asked_by_https() -> None:
    with Server() as server, pytest.raises(TransientModelError, match="does not speak https; write http://"):
        use(server.url.replace("http:", "https:"), lambda client: client.get("/models", timeout_s=5))


def test_a_host_that_nobody_knows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "nobody knows it")

    monkeypatch.setattr(socket, "getaddrinfo", find_nothing)  # a real name would be asked of a network
    with pytest.raises(TransientModelError, match=r"the connection failed: no-such-host\.invalid:80: nobody knows it"):
        use("http://no-such-host.invalid/v1", lambda client: client.get("/models", timeout_s=5))


def test_a_request_without_an_answer_may_have_been_paid() -> None:
    with Server(script=[Disruption(reset_after=5)]) as server, pytest.raises(TransientModelError) as caught:
        use(server.url, lambda client: client.post("/chat/completions", BODY))
    assert not caught.value.unbilled


def test_a_reply_takes_no_longer_than_it_may() -> None:
    async def run() -> None:
        async with await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0) as silent:
            url = f"http://127.0.0.1:{silent.sockets[0].getsockname()[1]}/v1"
            client = Client(url, bear(Secret("k")), headers={}, timeout_s=20.0, idle_timeout_s=10.0)
            with pytest.raises(TransientModelError, match=r"no answer within 0.1 seconds") as caught:
                await client.get("/models", timeout_s=0.1)
            assert not caught.value.unbilled
            await client.close()

    asyncio.run(run())
