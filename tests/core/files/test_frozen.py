"""Frozen files: what is written is read again, and every damage is named with its line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core.files.frozen import freeze, open_frozen
from pytest_codereason.errors import UsageError

COLUMNS = ("name", "value")
ROWS = [{"name": "a", "value": "2"}, {"name": "b", "value": "é\u2028\r\n"}]


def read(path: Path, kind: str = "hint") -> list[dict[str, str]]:
    return [dict(row) for row in open_frozen(path, kind).rows(COLUMNS)]


def test_what_is_frozen_is_read_again(tmp_path: Path) -> None:
    sha256 = freeze(tmp_path / "t.jsonl", "hint", ROWS, writers=["openai:x"])
    assert read(tmp_path / "t.jsonl") == ROWS
    header = open_frozen(tmp_path / "t.jsonl").header
    assert (header["kind"], header["count"], header["sha256"]) == ("hint", 2, sha256)
    assert [path.name for path in tmp_path.iterdir()] == ["t.jsonl"]


def test_line_ends_do_not_matter_but_texts_do(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    sha256 = freeze(path, "hint", ROWS)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read(path) == ROWS
    assert freeze(path, "hint", ROWS[:1]) != sha256


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(COLUMNS, st.text())), max_size=3))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, str]]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    freeze(path, "hint", rows)
    assert read(path) == rows


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (
            lambda text: text.replace('"value": "2', '"value": "3'),
            "t.jsonl:1: the rows were changed: their sha256 is",
        ),
        (lambda text: text.replace('"name"', "name", 1), "t.jsonl:2: damaged"),
        (lambda text: text[: text.rindex("{")], "t.jsonl:2: ends after 1 of 2 rows"),
        (lambda text: text.replace('"name"', '"nom"', 1), "t.jsonl:2: the column 'name' is missing"),
        (lambda text: text.replace('"2"', "2"), "t.jsonl:2: the column 'value' must be a text"),
        (lambda text: text + "\n", "t.jsonl:4: damaged"),
        (lambda text: text + "[]\n", "t.jsonl:4: damaged: not a JSON object"),
        (lambda text: "[]\n", "t.jsonl:1: damaged: not a JSON object"),
        (lambda text: "[" * 100_000, "t.jsonl:1: damaged"),
        (lambda text: "", "t.jsonl:1: damaged"),
        (lambda text: '{"format": 3}', "t.jsonl:1: format 3 was written by a later version"),
        (lambda text: '{"id": 1}', "t.jsonl:1: not a frozen file of kind hint"),
        (lambda text: text.replace('"kind": "hint"', '"kind": "pool"'), "t.jsonl:1: a file of kind pool, not hint"),
    ],
)
def test_damage_is_named_with_its_line(tmp_path: Path, damage: Callable[[str], str], message: str) -> None:
    path = tmp_path / "t.jsonl"
    freeze(path, "hint", ROWS)
    path.write_text(damage(path.read_text()))
    with pytest.raises(UsageError, match=message):
        read(path)


def test_a_file_that_is_no_text_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read"):
        read(tmp_path / "t.jsonl")
    with pytest.raises(UsageError, match="cannot be read"):
        read(tmp_path / "gone.jsonl")


def test_translations_of_before_are_read(tmp_path: Path) -> None:
    body = "".join(json.dumps(row) + "\n" for row in ROWS)
    header = {"translations": 1, "source": "cruxeval", "sha256": hashlib.sha256(body.encode()).hexdigest()}
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(header) + "\n" + body)
    assert read(path, "translation") == ROWS
    path.write_text(path.read_text().replace('"2"', '"3"'))
    with pytest.raises(UsageError, match=r"t.jsonl:1: the rows were changed"):
        read(path, "translation")


def test_pools_of_before_have_no_header(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    assert read(path, "pool") == ROWS
    path.write_text(path.read_text() + "{}\n")
    with pytest.raises(UsageError, match=r"t.jsonl:3: the column 'name' is missing"):
        read(path, "pool")


def test_a_first_line_that_is_too_long_for_a_header_is_the_first_row_of_an_old_pool(tmp_path: Path) -> None:
    path, rows = tmp_path / "pool.jsonl", [{"name": "a", "value": "x" * 1_100_000}, {"name": "b", "value": "y"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read(path, "pool") == rows
    with pytest.raises(UsageError, match=r"pool.jsonl:1: not a frozen file: its first line is longer than 1,000,000"):
        open_frozen(path, "hint")
