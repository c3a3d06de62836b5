from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.errors import UsageError
from pytest_codereason.models.local.gguf import Tensor, read_header, widen
from tests.models.gguf_files import small, text, write_weights


def test_reads_what_is_in_the_header(tmp_path: Path) -> None:
    path = write_weights(tmp_path, small() + b"tensors follow")
    assert read_header(path).pairs == {
        "general.architecture": "llama",
        "llama.context_length": 8192,
        "llama.rope.freq_base": 10000.0,
        "tokenizer.ggml.add_bos_token": False,
        "tokenizer.ggml.tokens": ["<|im_end|>", "a", "é"],
        "tokenizer.ggml.token_type": [3, 1, 1],
    }
    assert read_header(path).context_length == 8192
    assert read_header(path).special_tokens == ("<|im_end|>",)


def test_what_is_not_told_is_unknown(tmp_path: Path) -> None:
    path = write_weights(tmp_path, b"GGUF" + struct.pack("<IQQ", 3, 0, 0))
    assert read_header(path).context_length is None
    assert read_header(path).special_tokens == ()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"PK\x03\x04", "not a GGUF file"),
        (b"", "damaged"),
        (small(version=1), "GGUF version 1"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 62), "damaged"),
    ],
)
def test_anything_else_is_said(tmp_path: Path, content: bytes, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        read_header(write_weights(tmp_path, content))


@given(cut=st.integers(0, len(small()) - 1))
def test_a_header_cut_short_is_an_error_wherever_it_is_cut(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    with pytest.raises(UsageError):
        read_header(write_weights(tmp_path_factory.mktemp("gguf"), small()[:cut]))


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_header(tmp_path / "none.gguf")


def model(tensors: list[tuple[str, tuple[int, ...], int, bytes]]) -> bytes:
    """A GGUF file of some tensors: name, shape, type, data."""
    described, data = b"", b""
    for name, shape, kind, content in tensors:
        described += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, len(data))
        data += content + bytes(-len(content) % 32)
    pair = text("general.architecture") + struct.pack("<I", 8) + text("llama")
    start = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), 1) + pair + described
    return start + bytes(-len(start) % 32) + data


def stored(path: Path, tensor: Tensor, size: int) -> bytes:
    start = read_header(path).data_start + tensor.offset
    return path.read_bytes()[start : start + size]


def test_widening_keeps_every_weight_and_every_other_tensor(tmp_path: Path) -> None:
    # One block: scale 0.5, minimum -1.25; low nibbles are its first 16 weights, high ones the other 16.
    block = struct.pack("<2e", 0.5, -1.25) + bytes(n | (15 - n) << 4 for n in range(16))
    norm, other = struct.pack("<3f", 1.5, -2.5, 3.5), bytes(range(34))
    source = write_weights(
        tmp_path, model([("norm", (3,), 0, norm), ("layer", (32, 2), 3, block * 2), ("embedding", (32,), 8, other)])
    )
    assert read_header(source).loses_in_openvino
    target = tmp_path / "wide.gguf"
    widen(source, target)
    assert not read_header(target).loses_in_openvino
    assert read_header(target).pairs == read_header(source).pairs
    first, second, third = read_header(target).tensors
    assert [t.shape for t in (first, second, third)] == [(3,), (32, 2), (32,)]
    assert [t.type for t in (first, second, third)] == [0, 1, 8]
    assert all(t.offset % 32 == 0 for t in (first, second, third))
    assert stored(target, first, 12) == norm
    assert stored(target, third, 34) == other
    row = [0.5 * n - 1.25 for n in range(16)] + [0.5 * (15 - n) - 1.25 for n in range(16)]
    assert struct.unpack("<64e", stored(target, second, 128)) == (*row, *row)
