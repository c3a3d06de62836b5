"""The texts of frozen files, in the format of today and in that of before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.core import Program, Text, TextKind, TextRequest, digest
from pytest_codereason.core.files.frozen import freeze
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.authoring.frozen_texts import load

PROGRAM = Program.from_source(language="python", source="def f():\n    return 1\n", call="f()")
VALUES = [
    ("a", "python", PROGRAM.sha, "output", "2", "openai:x", ""),
    ("b", "php", "0" * 64, "input", "", "rule", "refused"),
]
ROWS = [dict(zip(TextKind.columns, values, strict=True)) for values in VALUES]


def write_format_1(path: Path) -> None:
    """A file of hints as the first version of ``codereason prepare`` wrote it."""
    header = {"format": 1, "texts": 2, "writers": ["openai:x", "rule"], "sha256": digest(VALUES)}
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *ROWS]))


@pytest.mark.parametrize("file_format", [1, 2])
def test_texts_are_found_by_their_program(tmp_path: Path, file_format: int) -> None:
    path = tmp_path / "h.jsonl"
    if file_format == 1:
        write_format_1(path)
    else:
        freeze(path, "hint", ROWS)
    frozen = load(path, "hint")
    assert (frozen.kind, frozen.sha) == ("hint", digest(VALUES))
    assert frozen.text(TextRequest("hint", PROGRAM, "output")) == Text("2", "openai:x")
    missing = frozen.text(TextRequest("hint", PROGRAM, "input"))
    assert (missing.value, missing.author) == ("", "rule: missing in h.jsonl")
    assert frozen.texts["0" * 64, "input"].author == "rule: refused"


def test_a_changed_file_of_format_1_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    write_format_1(path)
    path.write_text(path.read_text().replace('"value": "2', '"value": "3'))
    with pytest.raises(UsageError, match=r"h.jsonl:1: the rows were changed"):
        load(path)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    freeze(tmp_path / "n.jsonl", "tests.own:Names", ROWS)
    assert load(tmp_path / "n.jsonl").kind == "tests.own:Names"
    with pytest.raises(UsageError, match=r"n.jsonl:1: a file of kind tests.own:Names, not hint"):
        load(tmp_path / "n.jsonl", "hint")
