"""Replies of every kind, each with its value and with how it reads: ``right`` or ``no answer``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.questions.replies.values import read_value
from pytest_codereason.registry import language
from tests.questions.replies.judged_replies import reads_as

ROWS = [json.loads(line) for line in Path(__file__).with_name("kinds.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", sorted({row["language"] for row in ROWS}))
@pytest.mark.parametrize("reads", ["right", "no answer"])
def test_each_reply_is_read_as_it_reads(name: str, reads: str) -> None:
    rows = [row for row in ROWS if (row["language"], row["reads"]) == (name, reads)]
    assert len(rows) > 10
    assert [row for row in rows if reads_as(row) != (reads == "right")] == []


def test_a_cut_reply_is_complete_only_where_something_follows() -> None:
    python = language("python")
    for text, complete in (
        ("The answer is 42", False),
        ("The answer is 42.\n\nIt", True),
        ("f(3) returns 42 bec", False),
    ):
        answer = read_value(text, language=python, call="f(3)", cut=True)
        assert (answer is not None and answer.value is not None and answer.complete) == complete


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("def f(n):\n    return g(n)\n", 42),
        ("def f(n):\n    answer = g(n)\n    return answer\n", 42),
        ("def f(n):\n    return {'answer': g(n)}\n", {"answer": 42}),
        ('def f(n):\n    return {"answer": g(n)}\n', {"answer": 42}),
    ],
)
@pytest.mark.parametrize("text", ['{"answer": 42}', '```json\n{"answer": 42}\n```', "[ANSWER]{'answer': 42}[/ANSWER]"])
def test_an_object_of_the_program_is_no_wrapper(program: str, expected: Any, text: str) -> None:
    answer = read_value(text, language=language("python"), call="f(3)", program=program)
    assert answer is not None
    assert answer.value is not None
    assert answer.value.value == expected


def test_a_variable_of_the_program_is_no_label() -> None:
    program = "def f(n):\n    result = 6\n    return result * 7\n"
    text = "First result = 6.\n\nassert f(3) == 42\n\nThere, result = 6."
    answer = read_value(text, language=language("python"), call="f(3)", program=program)
    assert answer is not None
    assert answer.text == "42"
