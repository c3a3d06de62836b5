"""Calls in assertions of all libraries: which of them state the value of the call."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.literals import LiteralReader
from pytest_codereason.questions.replies.statements.assertions import AssertionReader
from pytest_codereason.registry import language


def read(text: str, name: str = "python", call: str = "f(3)") -> list[object]:
    reader = AssertionReader(LiteralReader(language(name), len(text)), call)
    found, _ = reader.find(text, lambda _: False)
    return [each.candidate.value.value for each in found if each.candidate.value is not None]


@pytest.mark.parametrize(
    "text",
    [
        "assert f(3) == 42",
        "assert 42 == f( 3 )",
        "self.assertEqual(42, f(3))",
        "assert f(n=3) == 42",
        "assert (f(3)) == 42",
        "f(3) = 6 * 7 = 42",
        ">>> f(3)\n42",
        "print(f(3))  # prints 42",
        "`f(3)` returns `42`",
        "| f(3) | 42 |",
        "assert f(4) == 56 and f(3) == 42",
    ],
)
def test_statements(text: str) -> None:
    assert read(text) == [42]


@pytest.mark.parametrize(
    "text",
    [
        "assert len(f(3)) == 42",
        "assert f(3)[0] == 42",
        "assert f(3).x == 42",
        "assert -f(3) == 42",
        "assert 1 + f(3) == 42",
        "assert f(3) + 1 == 42",
        "assert f(33) == 42",
        "assert ff(3) == 42",
        "assert x.f(3) == 42",
        "assert f(3) != 42",
        "assert not f(3) == 42",
        "assert f(3) == 42 or f(3) == 43",
        "if f(3) == 42:",
        "Is f(3) == 42?",
        "maybe f(3) == 42",
        "assertNotEqual(f(3), 42)",
        "assertGreater(f(3), 42)",
        "assertCount(42, f(3))",
        "f(3).length.should.equal(42)",
        "assertFalse(Objects.equals(42, f(3)))",
        "assert !Objects.equals(f(3), 42)",
        "print(f(3))  # n = 42",
        "g(f(3)) == 42",
    ],
)
def test_other_calls_state_nothing(text: str) -> None:
    assert read(text) == []


def test_a_value_that_is_written_out_is_read() -> None:
    assert read("assert(JSON.stringify(f(3)) === '[1,2]');", "javascript") == [[1, 2]]
    assert read("assert(JSON.stringify(f(3)) === JSON.stringify([1, 2]));", "javascript") == [[1, 2]]
    assert read('assert Arrays.toString(Main.f(3)).equals("[1, 2]");', "java", "Main.f(3)") == [[1, 2]]
    assert read("assert f(3) == '[1,2]'") == ["[1,2]"]


def test_a_string_may_hold_an_assertion() -> None:
    assert read("assert f(3) == 'f(3) == 1'") == ["f(3) == 1"]


def test_calls_with_other_arguments() -> None:
    reader = AssertionReader(LiteralReader(language("python"), 100), "f([1, 2], 'a')")
    found, _ = reader.find_misquoted("assert f([1], 'a') == 42", lambda _: False)
    assert [each.candidate.text for each in found] == ["42"]
