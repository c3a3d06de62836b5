"""The forms in which a server of these tests takes batches: a file for each, with a class ``ServerForm``."""

from __future__ import annotations

import importlib
import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from aiohttp import web

from tests.servers import Body

if TYPE_CHECKING:
    from tests.batch_servers import BatchServer

Step = Callable[[web.Request], Awaitable[web.Response]]
#: A method, a path, the name of the step, and what it does.
Route = tuple[str, str, str, Step]


class Line(NamedTuple):
    """A request of a batch."""

    key: str
    body: Body  #: in OpenAI's form


class Result(NamedTuple):
    """What became of a request."""

    key: str
    status: int  #: 0 of one that was not answered before the batch ended
    body: Body  #: in OpenAI's form


class ServerForm(ABC):
    """How a provider speaks of batches.

    Args:
        server: keeps files and batches.
    """

    root: ClassVar[str] = "/v1"  #: the path of its address in OpenAI's form
    header: ClassVar[str] = "Authorization"  #: what carries the key in requests about batches
    #: the steps at which a run may die, each but the first after it has taken effect
    deaths: ClassVar[Sequence[str]] = ("before upload", "upload", "before create", "create", "look", "content")

    def __init__(self, server: BatchServer) -> None:
        self.server = server

    @abstractmethod
    def list_routes(self) -> Iterable[Route]:
        """What the server has for batches."""

    @abstractmethod
    def keep(self, batch: Body, results: Sequence[Result]) -> None:
        """Writes the results of a batch that has ended."""

    @abstractmethod
    def spell(self, batch: Body) -> Body:
        """What the server says of a batch."""

    def show(self, id: str) -> web.Response:
        """The reply that says how far a batch is."""
        return self.reply(self.spell(self.server.batches[id]))

    def reply(self, body: object) -> web.Response:
        """A reply, which asks for another look soon."""
        return web.json_response(body, headers={"Retry-After": str(self.server.again_s)})

    def page(self, request: web.Request, after: str) -> tuple[list[Body], bool]:
        """A page of the list of batches, the newest first, and whether there is another one. It is small."""
        ids = [*self.server.batches][::-1]
        first = ids.index(after) + 1 if after else 0
        return [self.spell(self.server.batches[id]) for id in ids[first : first + 2]], len(ids) > first + 2

    async def look(self, request: web.Request) -> web.Response:
        """Says how far a batch is."""
        id = request.match_info["id"]
        self.server.lookers[request.headers.get(self.header, "").removeprefix("Bearer ")] += 1
        return self.show(id) if self.server.advance(id) else refuse(404, "no such batch")

    async def cancel(self, request: web.Request) -> web.Response:
        """Cancels a batch."""
        id = request.match_info["id"]
        if id not in self.server.batches:
            return refuse(404, "no such batch")
        self.server.end(id, "cancelled")
        return self.show(id)

    async def content(self, request: web.Request) -> web.Response:
        """Gives a file."""
        return web.Response(body=self.server.files[request.match_info["id"]])


def find_server_form(name: str) -> type[ServerForm]:
    """The form of that name."""
    return cast("type[ServerForm]", importlib.import_module(f"{__name__}.{name}").ServerForm)


def refuse(status: int, message: str) -> web.Response:
    """An error."""
    return web.json_response({"error": {"message": message}}, status=status)


def write_lines(rows: Iterable[object]) -> bytes:
    """A file of JSON."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)
