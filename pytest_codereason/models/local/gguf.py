"""Reads the header of a GGUF file, and makes a copy that openvino-genai reads without loss.

``docs/gguf.md`` of the ggml project specifies the format: magic, version, counts, key-value pairs, a description of
each tensor, padding, data.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace
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
#: Most dimensions of a tensor.
MOST_DIMENSIONS = 8
#: The kinds of tokens that mark up a conversation and are never part of a text: control, user-defined.
SPECIAL = (3, 4)
#: Types of tensors. Q4_1 stores 32 weights in a block of 20 bytes. A weight is ``scale * nibble + minimum``.
F16, Q4_1 = 1, 3
Q4_1_WEIGHTS, Q4_1_BYTES = 32, 20


@dataclass(frozen=True, slots=True)
class Tensor:
    """The header's description of one tensor."""

    name: str
    shape: tuple[int, ...]
    type: int
    offset: int  #: of its data, from the start of all data


@dataclass(frozen=True, slots=True)
class Header:
    """The part of a GGUF file before the data."""

    pairs: Mapping[str, Any]  #: arrays as lists
    pairs_end: int  #: the byte at which the descriptions of the tensors start
    tensors: tuple[Tensor, ...]
    data_start: int

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
    def alignment(self) -> int:
        """Each tensor's data is padded to a multiple of so many bytes."""
        return int(self.pairs.get("general.alignment", 32))

    @property
    def loses_in_openvino(self) -> bool:
        """Whether openvino-genai would read other weights than the file holds.

        Version 2026.4 does so with Q4_1: most answers of a small model differ from those of other engines.
        With the same weights as F16 the answers agree. Probably openvino-genai rounds each block's minimum.
        """
        return any(tensor.type == Q4_1 for tensor in self.tensors)


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


def widen(source: Path, target: Path) -> None:
    """Copies a GGUF file with its Q4_1 tensors as F16, a type that every engine reads without loss."""
    old = read_header(source)
    by_offset = sorted(old.tensors, key=lambda tensor: tensor.offset)
    ends = [tensor.offset for tensor in by_offset[1:]] + [source.stat().st_size - old.data_start]
    sizes = {tensor.name: end - tensor.offset for tensor, end in zip(by_offset, ends, strict=True)}
    new, offset = [], 0
    for tensor in old.tensors:
        wide = tensor.type == Q4_1
        new.append(replace(tensor, type=F16 if wide else tensor.type, offset=offset))
        offset += _round_up(2 * math.prod(tensor.shape) if wide else sizes[tensor.name], old.alignment)
    with source.open("rb") as read, target.open("wb") as write:
        write.write(read.read(old.pairs_end))
        write.writelines(map(_encode_description, new))
        write.write(bytes(_round_up(write.tell(), old.alignment) - write.tell()))
        start = write.tell()
        for before, after in zip(old.tensors, new, strict=True):
            write.write(bytes(start + after.offset - write.tell()))
            read.seek(old.data_start + before.offset)
            if before.type == Q4_1:
                write.write(_convert_to_f16(read.read(math.prod(before.shape) // Q4_1_WEIGHTS * Q4_1_BYTES)))
            else:
                write.write(read.read(sizes[before.name]))


def _convert_to_f16(blocks: bytes) -> bytes:
    import numpy

    q4_1 = numpy.frombuffer(blocks, dtype=[("scale", "<f2"), ("minimum", "<f2"), ("nibbles", "u1", 16)])
    steps = numpy.concatenate([q4_1["nibbles"] & 15, q4_1["nibbles"] >> 4], axis=1)
    scale, minimum = (q4_1[name].astype("<f4")[:, None] for name in ("scale", "minimum"))
    wide: bytes = (scale * steps + minimum).astype("<f2").tobytes()
    return wide


def _encode_description(tensor: Tensor) -> bytes:
    name = tensor.name.encode()
    dimensions = len(tensor.shape)
    layout = f"<Q{len(name)}sI{dimensions}QIQ"
    return struct.pack(layout, len(name), name, dimensions, *tensor.shape, tensor.type, tensor.offset)


def _round_up(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


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
    known = {reader.string(): reader.value(*reader.unpack("I")) for _ in range(pairs)}
    pairs_end = reader.position
    described = tuple(reader.tensor() for _ in range(tensors))
    alignment = known.get("general.alignment", 32)
    if type(alignment) is not int or not 1 <= alignment <= 1 << 20:
        raise ValueError("no alignment")
    start = _round_up(reader.position, alignment)
    return Header(known, pairs_end, described, start)


class _HeaderReader:
    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._left = MOST_VALUES
        self._texts_left = MOST_TEXTS

    @property
    def position(self) -> int:
        return self._file.tell()

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

    def tensor(self) -> Tensor:
        name = self.string()
        (dimensions,) = self.unpack("I")
        if dimensions > MOST_DIMENSIONS:
            raise ValueError("too many dimensions")
        shape = self.unpack(f"{dimensions}Q")
        return Tensor(name, shape, *self.unpack("IQ"))
