"""Caps the body of a reply while it arrives: a server may send gigabytes, or a megabyte that unpacks to gigabytes."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Mapping
from typing import Any

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
    """A body has more bytes than are read."""


class UnknownPacking(Exception):
    """A body is packed in a way that was not asked for."""


async def read_body(headers: Mapping[str, str], chunks: AsyncIterable[bytes], most: int = MAX_BODY) -> bytes:
    """The body of a response, unpacked.

    Args:
        headers: of the response.
        chunks: the bytes as they arrive.
        most: bytes that are read.

    Raises:
        BodyTooLong: it is longer than ``most``, packed or unpacked. Much may unpack to little, or to nothing.
        UnknownPacking: it is packed twice, or not by gzip or deflate.
        zlib.error: it cannot be unpacked.
    """
    unpacker = _Unpacker() if _is_packed(headers.get("content-encoding", "").lower()) else None
    body, room = bytearray(), most
    async for chunk in chunks:
        room -= len(chunk)
        if room < 0:
            raise BodyTooLong
        for piece in unpacker.unpack(chunk) if unpacker else (chunk,):
            body += piece
            if len(body) > most:
                raise BodyTooLong
    if unpacker:
        body += unpacker.flush()
    return bytes(body)


async def read_lines(headers: Mapping[str, str], chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """The lines of a response of any length, unpacked. A line that is longer than :data:`MAX_BODY` is left out.

    Raises:
        UnknownPacking, zlib.error: as :func:`read_body`.
    """
    unpacker = _Unpacker() if _is_packed(headers.get("content-encoding", "").lower()) else None
    rest, skips = bytearray(), False
    async for chunk in chunks:
        for piece in unpacker.unpack(chunk) if unpacker else (chunk,):
            *lines, end = piece.split(b"\n")
            for line in lines:
                if not skips and len(rest) + len(line) <= MAX_BODY:
                    yield bytes(rest + line)
                rest, skips = bytearray(), False
            rest += end
            if len(rest) > MAX_BODY:
                rest, skips = bytearray(), True
    if unpacker:
        rest += unpacker.flush()
    if rest and not skips:
        yield bytes(rest)


def _is_packed(named: str) -> bool:
    packings = [word for word in map(str.strip, named.split(",")) if word in PACKED or word in UNWANTED]
    if len(packings) > 1 or UNWANTED & {*packings}:
        raise UnknownPacking(f"the server compresses replies by {named[:40]!r}, which the request did not allow")
    return bool(packings)


class _Unpacker:
    """Unpacks one body, piece by piece: members of gzip one after the other, or deflate with or without its header."""

    def __init__(self) -> None:
        self._member: Any = None
        self._ended = False  # what follows the last member is ignored

    def unpack(self, chunk: bytes) -> Iterator[bytes]:
        """What a part of the body unpacks to."""
        for start in range(0, len(chunk), PIECE):
            yield from self._feed(chunk[start : start + PIECE])

    def _feed(self, packed: bytes) -> Iterator[bytes]:
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
