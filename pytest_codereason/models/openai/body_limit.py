"""Caps the body of a reply while it arrives: a server may send gigabytes, or a megabyte that unpacks to gigabytes."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

import httpx2

#: Bytes of the longest body that is read, unpacked. An answer of 128,000 tokens and as much reasoning take half of it.
MAX_BODY = 4 * 2**20
#: Bytes that are unpacked at once.
STEP = 2**16
#: What a server may pack a body in. Sent as ``Accept-Encoding``.
PACKINGS = "gzip, deflate"
#: Both packings, each with or without its header.
_GZIP, _RAW_DEFLATE = 47, -15


class BodyTooLong(Exception):
    """The body of ``response`` has more than :data:`MAX_BODY` bytes."""

    def __init__(self, response: httpx2.Response) -> None:
        super().__init__(f"a body of more than {MAX_BODY:,} bytes")
        self.response = response


class UnknownPacking(Exception):
    """A body is packed in a way that was not asked for."""


async def limit_body(response: httpx2.Response) -> None:
    """Makes a response read no more than :data:`MAX_BODY` bytes. It is meant as an event hook of a client.

    Raises:
        UnknownPacking: the body is packed twice, or not by gzip or deflate.
    """
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    packing = response.headers.pop("content-encoding", "identity").strip().lower()
    if packing not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise UnknownPacking(f"the server compresses replies by {packing[:40]!r}, which the request did not allow")
    response.stream = _Body(response, response.stream, packed=packing not in ("", "identity"))


class _Body(httpx2.AsyncByteStream):
    """The bytes of a body, unpacked."""

    def __init__(self, response: httpx2.Response, stream: httpx2.AsyncByteStream, *, packed: bool) -> None:
        self._response = response
        self._stream = stream
        self._packed = packed

    async def __aiter__(self) -> AsyncIterator[bytes]:
        room = MAX_BODY
        async for chunk in self._unpack() if self._packed else self._stream:
            room -= len(chunk)
            if room < 0:
                raise BodyTooLong(self._response)
            yield chunk

    async def _unpack(self) -> AsyncIterator[bytes]:
        unpacker, room = None, MAX_BODY
        async for chunk in self._stream:
            room -= len(chunk)
            if room < 0:  # much may unpack to little, or to nothing
                raise BodyTooLong(self._response)
            if unpacker is None:
                # Some servers send deflate without the header that the standard asks for.
                headed = chunk[:1] == b"\x1f" or chunk[:1] == b"\x78"
                unpacker = zlib.decompressobj(_GZIP if headed else _RAW_DEFLATE)
            packed = chunk
            while packed and not unpacker.eof:  # what comes after the end would be kept, and copied each time
                yield unpacker.decompress(packed, STEP)
                packed = unpacker.unconsumed_tail
        if unpacker is not None:  # a few last bytes may wait in it, although it has taken the whole input
            yield unpacker.flush()

    async def aclose(self) -> None:
        await self._stream.aclose()
