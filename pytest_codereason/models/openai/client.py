"""Connections to an endpoint: raw bytes in and out, and nothing is sent again.

It is aiohttp alone. The client of the package ``openai`` takes four times as much processor time for a request, and a
second to import. aiohttp itself is imported just before the first request.
"""

from __future__ import annotations

import asyncio
import os
import ssl
import sys
import urllib.request
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import aiohttp
from multidict import CIMultiDict

from pytest_codereason import __version__
from pytest_codereason.core.secrets import Secret
from pytest_codereason.errors import TransientModelError, UsageError
from pytest_codereason.models.openai.body_limit import (
    MAX_BODY,
    PACKINGS,
    BodyTooLong,
    UnknownPacking,
    read_body,
    read_lines,
)
from pytest_codereason.models.openai.problems import clip, join_lines, read_problem

CONNECT_S = 10.0
#: Seconds that a connection is kept for the next request.
_KEPT_S = 30.0


@cache
def _read_certificates(paths: ssl.DefaultVerifyPaths) -> ssl.SSLContext:
    """What servers are checked against, read once for all clients: to read it takes longer than to ask a question.

    Where it is read from, ``paths``, depends on the environment.
    """
    if sys.platform == "darwin":  # its certificates are no files, and Python itself does not find them
        import truststore

        return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return ssl.create_default_context()


def find_proxy(url: str) -> str | None:
    """The proxy through which an address is reached, by the usual variables of the environment.

    Raises:
        UsageError: it is none that speaks HTTP.
    """
    parts, proxies = urlsplit(url), urllib.request.getproxies()
    if urllib.request.proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy:
        return None
    scheme, named, _ = proxy.partition("://")
    if named and scheme not in ("http", "https"):
        raise UsageError(
            f"{url} is to be reached through a proxy of the kind {scheme}, which is not known here: "
            f"name one of http:// in {parts.scheme}_proxy, or exempt the address with no_proxy"
        )
    return proxy if named else f"http://{proxy}"


class Reply(NamedTuple):
    """A reply of the server, with any status."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    too_long: bool = False  #: whether the body is longer than is read; ``content`` is then empty

    @property
    def succeeded(self) -> bool:
        """Whether its status is one of success. The body may report an error all the same."""
        return 200 <= self.status < 300


def bear(key: Secret) -> Mapping[str, Secret]:
    """The header that carries a key where a form says nothing else."""
    return {"Authorization": Secret(f"Bearer {key.reveal() or 'none'}")}


class Client:
    """Connections to one endpoint, made and used in one event loop.

    Args:
        base_url: address up to and including ``/v1``.
        key: the headers that carry the key.
        headers: sent with every request, in place of ours if they have the same name.
        timeout_s: the longest that a request and its reply may take.
        idle_timeout_s: the longest that the server may be silent meanwhile.
    """

    def __init__(
        self,
        base_url: str,
        key: Mapping[str, Secret],
        *,
        headers: Mapping[str, Secret],
        timeout_s: float,
        idle_timeout_s: float,
    ) -> None:
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._idle_timeout_s = idle_timeout_s
        self._proxy = find_proxy(base_url)  # trust_env would read .netrc for each request, and send what stands there
        sent = CIMultiDict(
            {
                "Accept": "application/json",
                "Accept-Encoding": PACKINGS,
                "Content-Type": "application/json",
                "User-Agent": f"pytest-codereason/{__version__}",
            }
        )
        for each in (key, headers):
            sent.update({name: header.reveal() for name, header in each.items()})
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=0, keepalive_timeout=_KEPT_S, ssl=_read_certificates(ssl.get_default_verify_paths())
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=sent,
            auto_decompress=False,  # read_body unpacks, within its limit
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_S, sock_read=idle_timeout_s),
        )

    async def get(self, path: str, *, timeout_s: float, most: int = MAX_BODY) -> Reply:
        """Fetches at most so many bytes of ``path`` within ``timeout_s``. Raises the same errors as :meth:`post`."""
        return await self._exchange("GET", path, None, timeout_s, most=most)

    async def post(
        self, path: str, content: bytes, *, headers: Mapping[str, str] | None = None, timeout_s: float | None = None
    ) -> Reply:
        """Sends a body, of JSON unless ``headers`` say otherwise. The reply comes within ``timeout_s``, or the usual.

        Raises:
            TransientModelError: no whole reply arrived.
        """
        return await self._exchange("POST", path, content, timeout_s or self._timeout_s, headers)

    async def read_lines(self, path: str) -> AsyncIterator[bytes]:
        """The lines of a file of any length, as they arrive.

        Raises:
            TransientModelError: the file did not arrive as a whole.
            ModelError: the server refuses it.
        """
        try:
            async with self._request("GET", path) as response:
                if response.status != 200:
                    content = await read_body(response.headers, response.content.iter_any())
                    raise read_problem(response.status, response.headers, content).make_error()
                async for line in read_lines(response.headers, response.content.iter_any()):
                    yield line
        except (BodyTooLong, UnknownPacking, zlib.error, aiohttp.ClientError, OSError) as error:
            raise TransientModelError(self._explain_error(error, self._timeout_s)) from None

    async def close(self) -> None:
        """Closes every connection."""
        await self._session.close()

    def _request(self, method: str, path: str, **more: Any) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        # A redirected POST would arrive as a GET, and perhaps at another company's server.
        return self._session.request(method, self._base_url + path, proxy=self._proxy, allow_redirects=False, **more)

    async def _exchange(
        self,
        method: str,
        path: str,
        content: bytes | None,
        timeout_s: float,
        headers: Mapping[str, str] | None = None,
        most: int = MAX_BODY,
    ) -> Reply:
        try:
            async with (
                asyncio.timeout(timeout_s),
                self._request(method, path, data=content, headers=headers) as response,
            ):
                try:
                    body = await read_body(response.headers, response.content.iter_any(), most)
                except BodyTooLong:
                    return Reply(response.status, response.headers, b"", too_long=True)
        except (UnknownPacking, zlib.error) as error:
            raise TransientModelError(f"the reply cannot be unpacked: {error}") from None
        except (aiohttp.ClientError, OSError) as error:
            # A connection that was not made has sent nothing.
            unbilled = isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError)
            raise TransientModelError(self._explain_error(error, timeout_s), unbilled=unbilled) from None
        return Reply(response.status, response.headers, body)

    def _explain_error(self, error: BaseException, timeout_s: float) -> str:
        if isinstance(error, aiohttp.ConnectionTimeoutError):
            return f"no connection within {CONNECT_S:g} seconds"
        if isinstance(error, aiohttp.SocketTimeoutError):
            return f"the server was silent for {self._idle_timeout_s:g} seconds"
        if isinstance(error, TimeoutError):
            return f"no answer within {timeout_s:g} seconds"
        return f"the connection failed: {clip(join_lines(_describe(error))) or type(error).__name__}"


def _describe(error: BaseException) -> str:
    """``127.0.0.1:8000: Connection refused``. The host may be that of a proxy."""
    if not isinstance(error, aiohttp.ClientConnectorError):
        return str(error)
    cause = error.os_error
    if isinstance(cause, ssl.SSLError) and cause.reason == "WRONG_VERSION_NUMBER":
        why = "it does not speak https; write http:// if it needs no encryption"
    elif cause.errno and cause.errno > 0 and not isinstance(cause, ssl.SSLError):
        why = os.strerror(cause.errno)
    else:
        why = cause.strerror or type(cause).__name__
    return f"{error.host}:{error.port}: {why}"
