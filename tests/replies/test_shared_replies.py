"""Replies of all kinds, of which a careful person said how they read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.registry import language
from pytest_codereason.replies.values import read_value

PATH = Path(os.environ.get("CODEREASON_DATA", ""), "replies", "replies.jsonl")
#: The share of replies that must be read as that person reads them.
LEAST = 0.97
#: Programs about which the replies speak. What they do is not read, but what they hold is no answer.
PROGRAMS = {
    "python": "def f(n):\n    return g(n)\n",
    "javascript": "function f(n) {\n  return g(n);\n}\n",
    "php": "<?php\nfunction f($n) {\n    return g($n);\n}\n",
    "java": "class Main {\n    static Object f(int n) {\n        return g(n);\n    }\n}\n",
}


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    if not PATH.is_file():
        pytest.skip("CODEREASON_DATA names no folder with replies/replies.jsonl")
    return [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]


def reads_as(row: dict[str, Any]) -> bool:
    """Whether a reply is read as the value of its row."""
    lang = language(row["language"])
    call = "Main.f(3)" if row["language"] == "java" else "f(3)"
    answer = read_value(row["text"], language=lang, call=call, program=PROGRAMS[row["language"]])
    expected = lang.values.read(row["value"]).value
    return answer is not None and answer.value is not None and lang.values.equal(answer.value.value, expected)


def test_what_is_no_answer_never_counts(rows: list[dict[str, Any]]) -> None:
    assert [row for row in rows if row["reads"] == "no answer" and reads_as(row)] == []


def test_nearly_all_replies_are_read_as_a_person_reads_them(rows: list[dict[str, Any]]) -> None:
    clear = [row for row in rows if row["reads"] in ("right", "no answer")]
    other = [row for row in clear if reads_as(row) != (row["reads"] == "right")]
    assert len(other) <= (1 - LEAST) * len(clear), other
