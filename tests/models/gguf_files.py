"""GGUF files made by hand."""

from __future__ import annotations

import struct
from pathlib import Path


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def small(version: int = 3) -> bytes:
    """A small header with every kind of value that matters."""
    pairs = [
        text("general.architecture") + struct.pack("<I", 8) + text("llama"),
        text("llama.context_length") + struct.pack("<II", 4, 8192),
        text("llama.rope.freq_base") + struct.pack("<If", 6, 10000.0),
        text("tokenizer.ggml.add_bos_token") + struct.pack("<I?", 7, False),
        text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 3) + text("<|im_end|>") + text("a") + text("é"),
        text("tokenizer.ggml.token_type") + struct.pack("<IIQ3i", 9, 5, 3, 3, 1, 1),
    ]
    return b"GGUF" + struct.pack("<IQQ", version, 0, len(pairs)) + b"".join(pairs)


def write_weights(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    return path
