"""Objects that name a value as the answer, and values that are written out."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason import registry
from pytest_codereason.questions.replies.literals import LiteralReader
from pytest_codereason.questions.replies.wrappers import find_key, read_written, unwrap

NOTHING = object()


def read(text: str, name: str = "python", program: str = "") -> Any:
    reader = LiteralReader(registry.language(name), len(text))
    value = unwrap(reader, reader.read(text), program).value
    return NOTHING if value is None else value.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"answer": 42}', 42),
        ('{"answer": 42, "confidence": 0.9}', 42),
        ('{"reasoning": "so", "final_answer": [1]}', [1]),
        ('{"Final Answer": "ab"}', "ab"),
        ('{"answer": "[1, 2]"}', [1, 2]),
        ('{"answer": "\'ab\'"}', "ab"),
        ('{"answer": "42"}', "42"),  # a text stays one
        ('{"answer": "[1, x]"}', "[1, x]"),
        ('{"answer": null}', NOTHING),
        ('{"answer": true, "note": false}', True),
        ('{"answer": [1, null]}', [1, None]),
        ("{'answer': 42}", 42),
        ('{"answer": 42, "total": 1}', {"answer": 42, "total": 1}),
        ('{"answer": 42, "output": 42}', {"answer": 42, "output": 42}),
        ('{"total": 42}', {"total": 42}),
        ("42", 42),
        ("{1: 2}", {1: 2}),
        ('{"answer": 42', NOTHING),
        ('{"total": null}', NOTHING),
        ('["answer"]', ["answer"]),
        ("f(1)", NOTHING),
    ],
)
def test_an_object_may_name_the_answer(text: str, value: Any) -> None:
    read_value = read(text)
    assert read_value == value
    assert type(read_value) is type(value)


@pytest.mark.parametrize("name", ["javascript", "php", "java"])
def test_an_object_names_the_answer_in_every_language(name: str) -> None:
    assert read('{"answer": 42, "steps": ["a"]}', name) == 42


@pytest.mark.parametrize(
    ("program", "key"),
    [
        ("", "answer"),
        ("answer = 1", "answer"),
        ("'answers'", "answer"),
        ("return {'answer': 1}", None),
        ('return {"answer": 1}', None),
        ("return { answer : 1 }", None),
        ("'answer\"", "answer"),
        ("final_answer: 1", "answer"),
    ],
)
def test_a_key_of_the_program_names_no_answer(program: str, key: str | None) -> None:
    assert find_key({"answer": 1}, program) == key


def test_keys_may_be_others() -> None:
    assert find_key({"Input!": 1, "type": 2}, "", {"input"}) == "Input!"
    assert find_key({"answer": 1}, "", {"input"}) is None
    assert find_key({3: 1, "answer": 1}, "") is None
    assert find_key({}, "") is None


def test_whether_an_answer_is_complete_and_resolved_is_kept() -> None:
    reader = LiteralReader(registry.language("python"), 100)
    inner = unwrap(reader, reader.read('{"answer": 6 * 7}', complete=False), "")
    assert inner.value is not None
    assert (inner.value.value, inner.value.unresolved, inner.complete) == (42, True, False)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("python", "[1, 2]", [1, 2]),
        ("python", "{'a': 1}", {"a": 1}),
        ("python", '{"a": null}', {"a": None}),
        ("python", "[true]", [True]),
        ("php", '{"a": 1}', {"a": 1}),
        ("php", "42", 42),
        ("python", "null", NOTHING),
        ("python", "{a", NOTHING),
        ("php", "(true", NOTHING),
    ],
)
def test_a_value_may_be_written_out_as_json(name: str, text: str, value: Any) -> None:
    read = read_written(LiteralReader(registry.language(name), len(text)), text)
    assert (NOTHING if read.value is None else read.value.value) == value
    assert (read.value is None) == bool(read.reason)


def test_no_json_is_read_that_cannot_be_paid() -> None:
    text = '{"answer": null}'
    reader = LiteralReader(registry.language("python"), 0)
    candidate = reader.read(text)
    reader.pay(20_000 - 100 - 4 * len(text) - 4 * len(text) + 1)
    assert unwrap(reader, candidate, "") is candidate
    assert read_written(reader, "{x").value is None
