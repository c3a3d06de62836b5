"""Caps the body of a reply while it arrives: a server may send gigabytes, or a megabyte that unpacks to gigabytes."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from typing import Any

import httpx2

#: Bytes of the longest body that is read, unpacked. An answer of 128,000 tokens and as much reasoning take half of it.
MAX_BODY = 4 * 2**20
#: Bytes that are unpacked at once.
STEP = 2**16
#: What a server may pack a body in. Sent as ``Accept-Encoding``.
PACKINGS = "gzip, deflate"
PACKED = frozenset(("gzip", "x-gzip", "deflate"))
#: Packings that a server uses although they were not asked for. Any other word, such as ``utf-8``, packs nothing.
UNWANTED = frozenset(
    ("br", "zstd", "compress", "x-compress", "dcb", "dcz", "lz4", "snappy", "bzip2", "xz", "exi", "pack200-gzip")
)
#: Bytes that are given to an unpacker at once. What follows the end of a member is copied.
PIECE = 2**12
#: What :mod:`zlib` calls gzip, deflate with its header, and deflate without.
_GZIP, _DEFLATE, _RAW_DEFLATE = 31, 15, -15
_GZIP_BEGINNING = 0x1F


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
    named = response.headers.pop("content-encoding", "").lower()
    packings = [word for word in map(str.strip, named.split(",")) if word in PACKED or word in UNWANTED]
    if len(packings) > 1 or UNWANTED & {*packings}:
        raise UnknownPacking(f"the server compresses replies by {named[:40]!r}, which the request did not allow")
    response.stream = _Body(response, response.stream, packed=bool(packings))


class _Body(httpx2.AsyncByteStream):
    """The bytes of a body, unpacked."""

    def __init__(self, response: httpx2.Response, stream: httpx2.AsyncByteStream, *, packed: bool) -> None:
        self._response = response
        self._stream = stream
        self._packed = packed

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._limit(self._unpack()) if self._packed else self._limit(self._stream):
            yield chunk

    async def _limit(self, chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
        room = MAX_BODY
        async for chunk in chunks:
            room -= len(chunk)
            if room < 0:
                raise BodyTooLong(self._response)
            yield chunk

    async def _unpack(self) -> AsyncIterator[bytes]:
        unpacker = _Unpacker()
        async for chunk in self._limit(self._stream):  # much may unpack to little, or to nothing
            for start in range(0, len(chunk), PIECE):
                for unpacked in unpacker.feed(chunk[start : start + PIECE]):
                    yield unpacked
        yield unpacker.flush()

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Unpacker:
    """Unpacks one body, piece by piece: members of gzip one after the other, or deflate with or without its header."""

    def __init__(self) -> None:
        self._member: Any = None
        self._ended = False  # what follows the last member is ignored

    def feed(self, packed: bytes) -> Iterator[bytes]:
        """What a piece unpacks to."""
        while packed and not self._ended:
            if self._member is None or (self._member.eof and packed[0] == _GZIP_BEGINNING):
                self._member = zlib.decompressobj(_find_bits(packed[0]))
            self._ended = self._member.eof
            if not self._ended:
                yield self._member.decompress(packed, STEP)
                packed = self._member.unused_data if self._member.eof else self._member.unconsumed_tail

    def flush(self) -> bytes:
        """A few last bytes, which may wait although the whole input was taken."""
        return b"" if self._member is None else bytes(self._member.flush())


def _find_bits(beginning: int) -> int:
    """The packing of a body by its first byte. Some servers send deflate without the header that the standard asks for.

    A header of deflate has 8 in its lower four bits. So has no body without it: they begin with an empty block only if
    its unused bits are set, and no program sets them.
    """
    if beginning == _GZIP_BEGINNING:
        return _GZIP
    return _DEFLATE if beginning & 15 == 8 and beginning < 128 else _RAW_DEFLATE
