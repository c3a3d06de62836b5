"""Sends messages between pytest and a keeper. A message is a length, then JSON."""

from __future__ import annotations

import json
import os
import struct
from typing import Any

#: The word that comes with a job's descriptors: its memory in MiB, or 0 for a job whose memory is not counted.
MEMORY = struct.Struct("!I")
_LENGTH = struct.Struct("!I")
_PART = 1 << 20


def receive(descriptor: int) -> Any:
    """The next message, an object as the other process has made it.

    Raises:
        EOFError: the other process has closed the connection.
    """
    (length,) = _LENGTH.unpack(_read(descriptor, _LENGTH.size))
    return json.loads(_read(descriptor, length))


def send(descriptor: int, message: Any) -> None:
    """Sends a message."""
    body = json.dumps(message).encode()
    rest = _LENGTH.pack(len(body)) + body
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _read(descriptor: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(descriptor, min(size, _PART))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
