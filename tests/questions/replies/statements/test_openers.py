"""What stands right before a call."""

from __future__ import annotations

from pytest_codereason.questions.replies.statements.openers import drop_casts, find_opener


def test_a_function_with_its_bracket_is_found() -> None:
    for before, name in (("assertEquals(", "assertEquals"), ("x = self.check( ", "self.check"), ("((", None)):
        opener = find_opener(before)
        assert opener is not None
        assert opener["name"] == name
    assert find_opener("assertEquals") is None


def test_casts_and_words_that_change_nothing_are_dropped() -> None:
    assert drop_casts("assertEquals((long) ") == "assertEquals("
    assert drop_casts("expect(await ") == "expect("
    assert drop_casts("print(") == "print("
