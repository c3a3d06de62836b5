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
        ("[ANSWER]\n```python\n2\n```\n[/ANSWER]", "2"),
        ("[ANSWER]The answer is `2`.[/ANSWER]", "2"),
        ("[ANSWER]**2**[/ANSWER]", "2"),
        ("The answer is 2.", "2"),
        ("Answer: 2", "2"),
        ("**Final answer:** 2", "2"),
        ("It runs so.\n\nSo the answer is **2**.", "2"),
        ("It runs so.\n\n### Answer\n\n2", "2"),
        ("It runs so.\n\n**2**", "2"),
        ("It runs so: $\\boxed{2}$.", "2"),
        ("\\boxed{2}", "2"),
        ("```\n2\n```", "2"),
        ("The answer is:\n```text\n2\n```", "2"),
        ("The values are:\n```\n2\n```", None),
        ("The answer is 2.\nOr 3, who knows?", None),
        ("It is not \\boxed{2}\nI do not know.", None),
        ("The answer is not 2.", "not 2"),
        ("The answer is 2 or 3.", "2 or 3"),
        ("The answer is 2?", "2?"),
        ("It could be 2.", "It could be 2"),
    ],
)
def test_the_last_tags_hold_the_answer(reply: str, answer: str | None) -> None:
    assert find_answer(reply, cut=False) == answer


def test_an_answer_before_the_limit_counts() -> None:
    assert find_answer("[ANSWER]2[/ANSWER] because", cut=True) == "2"
    assert find_answer("[ANSWER]2", cut=True) is None
    assert find_answer("2", cut=True) is None
    assert find_answer("It is so.\nThe answer is 2", cut=True) is None


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
        ("The answer is 3.\n[ANSWER]2[/ANSWER]", 2),
        ("The answer is 2.\n**Answer:** [ANSWER]2[/ANSWER]", 1),
        ("**Step 1**\n```\nn = 1\n```\n[ANSWER]2[/ANSWER]", 1),
        ("1\n2", 0),
        ("It runs so.\nThe answer is 2.", 1),
        ("The answer is 2.\nThe answer is 3.", 2),
        ("**1**\n\n**2**", 2),
        ("\\boxed{1}\nThe answer is 2.", 2),
        ("```\n1\n```\nThe answer is 2.", 2),
        ("The answer is 2.\n2 it is", 0),
        (" \n", 0),
    ],
)
def test_different_answers_are_counted(reply: str, answers: int) -> None:
    assert count_answers(reply) == answers
