"""What is left of a reply without its reasoning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.questions.replies.pieces.final_text import MAX_REPLY, drop_thoughts, read_spoken, strip_reasoning


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("38", "38"),
        ("<think>is it 1?</think>38", "\n38"),
        ("before\n<think>\n1\n</think>\nafter", "before\n\n\nafter"),
        ("<THINKING>1</THINKING>38", "\n38"),
        ("is it 1?\n</think>\n38", "\n38"),
        ("is it 1?\n</think> \t\n38", " \t\n38"),
        ("is it 1?\n</think>  ", "  "),
        ("38\n<think>or 39", "38\n"),
        ("'<think>'", "'<think>'"),
        ("is it 1? </think> 38", " 38"),
        ("a `</think>` b", "a `</think>` b"),
        ("'a </think> b'", "'a </think> b'"),
    ],
)
def test_reasoning_is_stripped(text: str, spoken: str) -> None:
    assert strip_reasoning(text) == spoken


@given(st.lists(st.sampled_from(["<think>", "</think>", "\n", "a", " "])).map("".join))
def test_nothing_is_made_up(text: str) -> None:
    rest = iter(text)
    assert all(character == "\n" or character in rest for character in strip_reasoning(text))


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("[THOUGHT]is it 1?[/THOUGHT][ANSWER]2", "[ANSWER]2"),
        ("in [ANSWER] tags\n[/thought]\n[answer]2[/answer]", "\n[answer]2[/answer]"),
        ("[THOUGHT][ANSWER]2[/ANSWER][/THOUGHT]", "[THOUGHT][ANSWER]2[/ANSWER][/THOUGHT]"),
        ("[THOUGHT]it is 2", "[THOUGHT]it is 2"),
    ],
)
def test_thoughts_are_dropped_where_an_answer_follows(text: str, rest: str) -> None:
    assert drop_thoughts(text) == rest


def test_line_ends_are_plain_and_only_the_end_is_read() -> None:
    assert read_spoken("a\r\nb") == "a\nb"
    assert read_spoken("x" + "y" * MAX_REPLY) == "y" * MAX_REPLY
