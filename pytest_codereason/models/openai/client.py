"""The ``openai`` client at its fastest: on aiohttp, with raw bytes in and out, and without its own retries.

The import takes more than a second, so it is made just before the first request.
"""

from __future__ import annotations

import asyncio
import ssl
import zlib
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import aiohttp
import httpx2
import openai

from pytest_codereason.core.secrets import Secret
from pytest_codereason.errors import TransientModelError
from pytest_codereason.models.openai.body_limit import PACKINGS, BodyTooLong, UnknownPacking, limit_body
from pytest_codereason.models.openai.problems import clip, join_lines

CONNECT_S = 10.0


@cache
def _read_certificates(paths: ssl.DefaultVerifyPaths) -> ssl.SSLContext:
    """What servers are checked against, read once for all clients: to read it takes longer than to ask a question.

    Where it is read from, ``paths``, depends on the environment.
    """
    return httpx2.create_ssl_context()


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


class Client:
    """Connections to one endpoint, used from one event loop.

    Args:
        base_url: address up to and including ``/v1``.
        key: sent as the bearer token.
        headers: sent with every request.
        timeout_s: the longest that a request and its reply may take.
        idle_timeout_s: the longest that the server may be silent meanwhile.
    """

    def __init__(
        self, base_url: str, key: Secret, *, headers: Mapping[str, Secret], timeout_s: float, idle_timeout_s: float
    ) -> None:
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._idle_timeout_s = idle_timeout_s
        self._openai = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=key.reveal() or "none",
            default_headers={
                "Accept-Encoding": PACKINGS,
                **{name: header.reveal() for name, header in headers.items()},
            },
            max_retries=0,
            http_client=openai.DefaultAioHttpClient(
                verify=_read_certificates(ssl.get_default_verify_paths()),
                # 0 means "no limit" to aiohttp. With None it would allow 100 connections, its default.
                limits=httpx2.Limits(max_connections=0, keepalive_expiry=30.0),
                timeout=httpx2.Timeout(idle_timeout_s, connect=CONNECT_S, pool=None),
                # A redirected POST arrives as a GET, and perhaps at another company's server.
                follow_redirects=False,
                event_hooks={"response": [limit_body]},
            ),
        )

    async def get(self, path: str, *, timeout_s: float) -> Reply:
        """Fetches ``path`` within ``timeout_s``. Raises the same errors as :meth:`post`."""
        return await self._exchange("get", path, None, timeout_s)

    async def post(self, path: str, content: bytes) -> Reply:
        """Sends a JSON body.

        Raises:
            TransientModelError: no whole reply arrived.
        """
        return await self._exchange("post", path, content, self._timeout_s)

    async def close(self) -> None:
        """Closes every connection."""
        await self._openai.close()

    async def _exchange(self, method: str, path: str, content: bytes | None, timeout_s: float) -> Reply:
        url = self._base_url + path  # the client would take as long to join the two as to read the reply
        try:
            async with asyncio.timeout(timeout_s):
                if content is None:
                    response = await self._openai.get(url, cast_to=httpx2.Response)
                else:
                    response = await self._openai.post(url, cast_to=httpx2.Response, content=content)
        except openai.APIStatusError as error:
            response = error.response
        except BodyTooLong as error:
            return Reply(error.response.status_code, error.response.headers, b"", too_long=True)
        except (UnknownPacking, zlib.error) as error:
            raise TransientModelError(f"the reply cannot be unpacked: {error}") from None
        except TimeoutError:
            raise TransientModelError(f"no answer within {timeout_s:g} seconds") from None
        except (openai.APIConnectionError, aiohttp.ClientError, OSError) as error:
            unbilled = isinstance(_find_cause(error), aiohttp.ClientConnectorError)  # nothing was sent
            raise TransientModelError(self._explain_error(error), unbilled=unbilled) from None
        return Reply(response.status_code, response.headers, response.content)

    def _explain_error(self, error: BaseException) -> str:
        """The root cause of an error. The client itself says only "Connection error."."""
        error = _find_cause(error)
        if isinstance(error, aiohttp.SocketTimeoutError):
            return f"the server was silent for {self._idle_timeout_s:g} seconds"
        return f"the connection failed: {clip(join_lines(str(error))) or type(error).__name__}"


def _find_cause(error: BaseException) -> BaseException:
    while cause := error.__cause__:
        error = cause
    return error
