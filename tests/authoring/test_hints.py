"""Files of frozen hints."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.authoring.hints import Row, Text, load, write
from pytest_codereason.core import Program
from pytest_codereason.errors import UsageError

PROGRAM = Program.from_source(language="python", source="def f():\n    return 1\n", call="f()")
ROWS = [
    Row("a", "python", PROGRAM.sha, "output", "2", "openai:x", ""),
    Row("b", "php", "0" * 64, "input", "", "rule", "refused"),
]


def test_what_is_frozen_is_found_again(tmp_path: Path) -> None:
    sha = write(tmp_path / "h.jsonl", ROWS)
    found = load(tmp_path / "h.jsonl")
    assert found.sha == sha
    assert asyncio.run(found.text(PROGRAM, "output")) == Text("2", "openai:x")
    missing = asyncio.run(found.text(PROGRAM, "input"))
    assert (missing.value, missing.author) == ("", "rule: missing in h.jsonl")
    assert found.texts["0" * 64, "input"].author == "rule: refused"


def test_line_ends_do_not_matter_but_texts_do(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    sha = write(path, ROWS)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert load(path).sha == sha
    assert write(path, ROWS[:1]) != sha


@given(st.lists(st.builds(Row, *[st.text() for _ in Row._fields]), max_size=3))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, rows: list[Row]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    assert write(path, rows) == load(path).sha


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text.replace('"value": "2', '"value": "3'), "h.jsonl:1: .*checksum differs"),
        (lambda text: text.replace('"of"', "of", 1), "h.jsonl:2: damaged"),
        (lambda text: text[: text.rindex("{")], "h.jsonl:2: ends after 1 of 2 texts"),
        (lambda text: text.replace('"of"', '"off"', 1), "h.jsonl:2: no text of a hint"),
        (lambda text: text.replace('"2"', "2"), "h.jsonl:2: no text of a hint"),
        (lambda text: text + "\n", "h.jsonl:4: damaged"),
        (lambda text: "[]\n", "h.jsonl:1: damaged: no object"),
        (lambda text: "", "h.jsonl:1: damaged"),
        (lambda text: '{"format": 2}', "h.jsonl:1: no file of hints in format 1"),
    ],
)
def test_damage_is_named_with_its_line(tmp_path: Path, damage: Callable[[str], str], message: str) -> None:
    path = tmp_path / "h.jsonl"
    write(path, ROWS)
    path.write_text(damage(path.read_text()))
    with pytest.raises(UsageError, match=message):
        load(path)


def test_a_file_that_is_no_text_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "h.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path / "h.jsonl")
