from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.errors import UsageError
from pytest_codereason.models.local.gguf import Header, read_header
from tests.models.gguf_files import small, write_weights


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


@pytest.mark.parametrize(
    ("pairs", "each_token"),
    [
        ({"block_count": 2, "embedding_length": 64, "attention.head_count": 4}, 2 * 2 * 2 * 64),
        ({"block_count": 2, "embedding_length": 64, "attention.head_count": 4, "attention.head_count_kv": 1}, 128),
        (  # a width of its own for keys and for values
            {"block_count": 1, "attention.head_count": 4, "attention.key_length": 10, "attention.value_length": 6},
            2 * 4 * 16,
        ),
        ({"embedding_length": 64, "attention.head_count": [4, 4], "attention.head_count_kv": [2, 0]}, 2 * 2 * 2 * 16),
        ({}, 0),
        ({"block_count": "two", "embedding_length": [None], "attention.head_count_kv": ["x"]}, 0),  # it lies
    ],
)
def test_the_memory_of_attention_is_that_of_keys_and_values(pairs: dict[str, object], each_token: int) -> None:
    header = Header({"general.architecture": "m", **{f"m.{key}": value for key, value in pairs.items()}})
    assert header.count_cache_bytes(1) == each_token
    assert header.count_cache_bytes(1000) == 1000 * each_token


def test_the_chat_template_is_a_text(tmp_path: Path) -> None:
    assert Header({"tokenizer.chat_template": "{{ x }}"}).chat_template == "{{ x }}"
    assert read_header(write_weights(tmp_path, small())).chat_template == ""
