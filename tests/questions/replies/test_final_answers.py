"""The answer of a reply as plain text: what stands in its last answer tags."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.final_answers import count_answers, find_answer, write_answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("[ANSWER]1[/ANSWER] no: [ANSWER]2[/ANSWER]", "2"),
        ("<think>[ANSWER]1[/ANSWER]</think>\n2", "2"),
        ("[ANSWER]2", "2"),
        (" 2.\n", "2"),
        ("first\nsecond", None),
        ("x" * 101, None),
    ],
)
def test_the_last_tags_hold_the_answer(reply: str, answer: str | None) -> None:
    assert find_answer(reply, cut=False) == answer


def test_an_answer_before_the_limit_counts() -> None:
    assert find_answer("[ANSWER]2[/ANSWER] because", cut=True) == "2"
    assert find_answer("[ANSWER]2", cut=True) is None
    assert find_answer("2", cut=True) is None


@pytest.mark.parametrize("answer", ["7", "TTFF", "line 3, KeyError", "EQUAL", "f([1, 2])"])
def test_what_is_written_is_found(answer: str) -> None:
    assert find_answer(write_answer(answer), cut=False) == answer


@pytest.mark.parametrize(
    ("reply", "answers"),
    [
        ("[ANSWER]2[/ANSWER]", 1),
        ("1 and 1 are 2.\n[ANSWER]2[/ANSWER]\n", 1),
        ("[ANSWER]2[/ANSWER] [ANSWER] 2 [/ANSWER]", 1),
        ("[ANSWER]2", 1),
        ("2", 1),
        ("[ANSWER]1[/ANSWER] [ANSWER]2[/ANSWER]", 2),
        ("[ANSWER]1[/ANSWER] [ANSWER]2", 2),
        ("[ANSWER]2[/ANSWER]\nOr: 3", 2),
        ("'[ANSWER]1[/ANSWER]' [ANSWER]2[/ANSWER]", 2),
        ("<think>[ANSWER]1[/ANSWER]</think>[ANSWER]2[/ANSWER]", 1),
        ("1\n2", 0),
        (" \n", 0),
    ],
)
def test_different_answers_are_counted(reply: str, answers: int) -> None:
    assert count_answers(reply) == answers
