"""The servers of one model: which one a request goes to, which of them are left out, and when they are asked again.

A request goes to the server of its program, which has the beginning of other prompts about it in its cache. If that one
has a quarter more to do than the idlest, the request goes to the idlest. A request that a server cannot answer goes to
another one at once, and its question does not count that as a try.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
import warnings
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum

from pytest_codereason.core import Completion
from pytest_codereason.errors import CodereasonError, ModelError, TransientModelError
from pytest_codereason.models.openai.client import Client

#: Failures in a row after which a server is left out.
MOST_FAILURES = 3
#: Seconds until a server that is left out is tried again, at first and at most. They double.
FIRST_PROBE_S, LAST_PROBE_S = 5.0, 60.0
#: How many times as many requests as the idlest server has, the server of a program may have.
AFFINITY = 1.25
#: Seconds that a server is spared that limits requests without naming a time, and the most where it names one.
REST_S, LONGEST_REST_S = 1.0, 60.0
#: Statuses by which a server says that it does not serve the model, or not to this key.
GONE = frozenset({401, 403, 404})


class Health(IntEnum):
    """Whether a server is asked, the best first."""

    WELL = 0
    FAILING = 1
    GONE = 2  #: it answers, and no longer with this model


@dataclass(eq=False)
class Server:
    """One address of a model."""

    url: str
    client: Client
    in_flight: int = 0
    health: Health = Health.WELL
    failures: int = 0  #: in a row
    rests_until: float = 0.0  #: by the monotonic clock: it has asked for a pause
    probing: asyncio.Task[None] | None = None  #: tries whether it answers again


class ServerPool:
    """The servers of one model, in one event loop.

    Args:
        label: of the model, for what is said of a server.
        check: raises a :class:`CodereasonError` unless a server answers and has the model.
        is_free: whether a reply that got lost costs nothing. Otherwise a request whose reply got lost is not sent to
            another server at once: the budget counts it first.
    """

    def __init__(
        self, label: str, servers: Sequence[Server], check: Callable[[Server], Awaitable[None]], *, is_free: bool
    ) -> None:
        self.servers = servers
        self._label, self._check, self._is_free = label, check, is_free

    async def ask(self, send: Callable[[Server], Awaitable[Completion]], family: str) -> Completion:
        """What ``send`` gives with one of the servers. A single server is asked as it is.

        Args:
            family: the program that the request is about.

        Raises:
            ModelError: the last of the servers that could be asked gave no answer.
        """
        if len(self.servers) == 1:
            return await send(self.servers[0])
        failed: list[Server] = []
        while True:
            server = self._choose(family, failed)
            server.in_flight += 1
            try:
                completion = await send(server)
            except ModelError as error:
                failed.append(server)
                if not self._note(server, error) or not self._may_try_another(error, failed):
                    raise
            else:
                self._welcome(server)
                return replace(completion, endpoint=server.url, failed_at=tuple(each.url for each in failed))
            finally:
                server.in_flight -= 1

    def leave_out(self, server: Server, error: CodereasonError, health: Health = Health.FAILING) -> None:
        """Asks a server no more, until it answers again."""
        if server.health == Health.WELL:
            self._say(f"{server.url} is not asked until it answers again: {error}")
        server.health = max(server.health, health)
        if server.probing is None or server.probing.done():
            server.probing = asyncio.create_task(self._probe(server))

    async def close(self) -> None:
        """Closes every connection."""
        for server in self.servers:
            if server.probing is not None:
                server.probing.cancel()
                await asyncio.wait([server.probing])
            await server.client.close()

    def _choose(self, family: str, failed: Sequence[Server]) -> Server:
        now = time.monotonic()
        ranks = [(server in failed, server.health, server.rests_until > now) for server in self.servers]
        best = min(ranks)
        able = [server for server, rank in zip(self.servers, ranks, strict=True) if rank == best]
        idlest = min(able, key=lambda server: server.in_flight)
        home = min(able, key=lambda server: _draw(family, server.url))
        return home if home.in_flight <= AFFINITY * idlest.in_flight else idlest

    def _note(self, server: Server, error: ModelError) -> bool:
        """Remembers an error of a server. Returns whether another server may do better."""
        if error.status in GONE:
            self.leave_out(server, error, Health.GONE)
            return True
        if not isinstance(error, TransientModelError):
            return False
        if error.status == 429:
            server.rests_until = time.monotonic() + min(error.retry_after or REST_S, LONGEST_REST_S)
            return True
        server.failures += 1
        if server.failures >= MOST_FAILURES:
            self.leave_out(server, error)
        return True

    def _may_try_another(self, error: ModelError, failed: Sequence[Server]) -> bool:
        now = time.monotonic()
        is_paid = not error.unbilled and not self._is_free
        return not is_paid and any(
            server.health == Health.WELL and server.rests_until <= now and server not in failed
            for server in self.servers
        )

    def _welcome(self, server: Server) -> None:
        """Asks a server as others are asked, because it answers."""
        if server.health != Health.WELL:
            self._say(f"{server.url} answers again")
        server.health, server.failures = Health.WELL, 0

    async def _probe(self, server: Server) -> None:
        wait_s = FIRST_PROBE_S
        while server.health != Health.WELL:
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, LAST_PROBE_S)
            with suppress(CodereasonError):
                await self._check(server)
                self._welcome(server)

    def _say(self, text: str) -> None:
        with suppress(Warning):  # where the user has warnings raised, no question is lost for one
            warnings.warn(f"{self._label}: {text}", stacklevel=2)


def _draw(family: str, url: str) -> bytes:
    """A number by which the servers of a program are ordered: if one is left out, only its programs move."""
    return hashlib.blake2b(f"{family} {url}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
