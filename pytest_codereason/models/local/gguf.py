"""Reads the header of a GGUF file.

``docs/gguf.md`` of the ggml project specifies the format: magic, version, counts, key-value pairs. Behind them stand
the tensors, which only llama.cpp reads.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from pytest_codereason.errors import UsageError

#: The format's scalar types by their number, as :mod:`struct` names them.
SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, ARRAY = 8, 9
#: Most values of all arrays of a header, and arrays within arrays. A large vocabulary has 300,000 tokens.
MOST_VALUES, MOST_DEPTH = 4_000_000, 4
#: Bytes of the largest text and of all texts, most keys and most tensors. Honest files have some 50 keys.
MOST_TEXT, MOST_TEXTS, MOST_KEYS, MOST_TENSORS = 16 << 20, 64 << 20, 10_000, 100_000
#: The kinds of tokens that mark up a conversation and are never part of a text: control, user-defined.
SPECIAL = (3, 4)


@dataclass(frozen=True, slots=True)
class Header:
    """What stands at the beginning of a GGUF file."""

    pairs: Mapping[str, Any]  #: arrays as lists

    @property
    def context_length(self) -> int | None:
        """The most tokens of prompt and answer together that the model was trained for."""
        length = self.pairs.get(f"{self.pairs.get('general.architecture')}.context_length")
        return int(length) if length else None

    @property
    def special_tokens(self) -> tuple[str, ...]:
        """The texts of the special tokens, such as ``<|im_start|>``."""
        tokens = self.pairs.get("tokenizer.ggml.tokens", ())
        kinds = self.pairs.get("tokenizer.ggml.token_type", ())
        return tuple(token for token, kind in zip(tokens, kinds, strict=False) if kind in SPECIAL)

    @property
    def chat_template(self) -> str:
        """The template of a conversation, empty if there is none."""
        return str(self.pairs.get("tokenizer.chat_template") or "")

    def count_cache_bytes(self, tokens: int) -> int:
        """The memory that the attention of so many tokens takes, in 16 bits; more where a layer needs less."""
        layers, width, heads = map(self._count, ("block_count", "embedding_length", "attention.head_count"))
        key = self._count("attention.key_length") or width // max(1, heads)
        value = self._count("attention.value_length") or key
        shared = self._find("attention.head_count_kv")
        if isinstance(shared, list):  # each layer has its own number
            every = sum(number for number in shared if type(number) is int)
        else:
            every = layers * (self._count("attention.head_count_kv") or heads)
        return int(2 * tokens * every * (key + value))

    def _count(self, key: str) -> int:
        """A number of the model's own kind, the largest of all layers; 0 where the header has none."""
        value = self._find(key)
        numbers = value if isinstance(value, list) else [value]
        return max((number for number in numbers if type(number) is int), default=0)

    def _find(self, key: str) -> Any:
        return self.pairs.get(f"{self.pairs.get('general.architecture')}.{key}")


@cache
def read_header(path: Path) -> Header:
    """The header of a GGUF file.

    Raises:
        UsageError: the file cannot be read, or is not a whole GGUF file.
    """
    try:
        with path.open("rb") as file:
            return _read_from(_HeaderReader(file, path.stat().st_size), path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from error
    except (EOFError, KeyError, ValueError, struct.error) as error:
        raise UsageError(f"{path} is a damaged GGUF file: its header cannot be read") from error


def _read_from(reader: _HeaderReader, path: Path) -> Header:
    if reader.take(4) != b"GGUF":
        raise UsageError(f"{path} is not a GGUF file")
    version, tensors, pairs = reader.unpack("IQQ")
    if version not in (2, 3):
        raise UsageError(f"{path} is GGUF version {version}; versions 2 and 3 are known")
    if tensors > MOST_TENSORS:
        raise UsageError(f"{path} is a damaged GGUF file: it has {tensors:,} tensors")
    if pairs > MOST_KEYS:
        raise UsageError(f"{path} is a damaged GGUF file: it has {pairs:,} keys")
    return Header({reader.string(): reader.value(*reader.unpack("I")) for _ in range(pairs)})


class _HeaderReader:
    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._left = MOST_VALUES
        self._texts_left = MOST_TEXTS

    def take(self, count: int) -> bytes:
        if count > self._size - self._file.tell():  # checked before reading: a damaged length may be any number
            raise EOFError
        return self._file.read(count)

    def unpack(self, layout: str) -> tuple[Any, ...]:
        layout = f"<{layout}"
        return struct.unpack(layout, self.take(struct.calcsize(layout)))

    def string(self) -> str:
        (length,) = self.unpack("Q")
        self._texts_left -= length
        if length > MOST_TEXT or self._texts_left < 0:
            raise ValueError("too long a text")
        return self.take(length).decode("utf-8", "replace")

    def value(self, kind: int, depth: int = 0) -> Any:
        if kind == STRING:
            return self.string()
        if kind == ARRAY:
            inner, count = self.unpack("IQ")
            self._left -= count
            if self._left < 0 or depth == MOST_DEPTH:
                raise ValueError("too many values, or too deep")
            if inner in SCALARS:
                return list(self.unpack(f"{count}{SCALARS[inner]}"))
            return [self.value(inner, depth + 1) for _ in range(count)]
        return self.unpack(SCALARS[kind])[0]
