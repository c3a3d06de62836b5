"""An address without ``/v1`` is told before the first question, if it is certainly wrong."""

from __future__ import annotations

import re

import pytest
from aiohttp import web

from pytest_codereason.errors import UsageError
from tests.models.openai_endpoints import make_model, start
from tests.servers import Server


class Above(Server):
    """Has its list below ``/v1``, and chat above it too. It remembers what it got there."""

    bodies: list[bytes]

    def _add_routes(self, app: web.Application) -> None:
        self.bodies = []

        async def refuse(request: web.Request) -> web.Response:
            self.bodies.append(await request.read())
            return web.json_response({"error": {"message": "names no model"}}, status=400)

        app.router.add_post("/chat/completions", refuse)


def test_an_address_that_lacks_its_version_is_told_with_the_right_one() -> None:
    with Server() as server:
        root = server.url.removesuffix("/v1")
        with pytest.raises(UsageError, match=re.escape(f"{root} has no models, but {server.url} has: write that")):
            start(make_model(root))
        start(make_model(server.url))
    assert server.requests == []


def test_an_address_at_which_there_is_chat_is_right() -> None:
    with Above() as server:
        start(make_model(server.url.removesuffix("/v1")))
        assert server.bodies == [b"{}"], "which costs nothing"
        start(make_model(server.url))
        assert server.bodies == [b"{}"], "a list says enough"


def test_without_a_list_or_with_another_version_nobody_knows() -> None:
    with Above(lists_models=False) as server:
        start(make_model(server.url))
        start(make_model(server.url.removesuffix("/v1")))
        start(make_model(server.url.replace("/v1", "/v2")))
    assert server.bodies == []
