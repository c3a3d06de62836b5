"""Boxes of LaTeX that state a result, and those that do not."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.pieces.boxes import Box, find_boxes


def contents(text: str, budget: int = 1_000_000) -> list[str]:
    left = budget

    def pay(cost: int) -> bool:
        nonlocal left
        left -= cost
        return left >= 0

    return [box.content for box in find_boxes(text, pay)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\boxed{39}", ["39"]),
        (r"\fboxed{39}", ["39"]),
        (r"\boxed {39}", ["39"]),
        (r"\boxed{ 39 }", ["39"]),
        (r"\boxed{\text{ab}}", ["ab"]),
        (r"\boxed{\texttt{ab}}", ["ab"]),
        (r"\boxed{{'a': [1]}}", ["{'a': [1]}"]),
        (r"\boxed{'}'}", ["'}'"]),
        (r"\boxed{1} and \boxed{2}", ["2", "1"]),
        (r"\boxed{}", []),
        (r"\boxed{39", []),
        ("boxed{39}", []),
        (r"\boxed{1,234}", []),
        (r"\boxed{-1,234,567}", []),
        (r"\boxed{1,23}", ["1,23"]),
        (r"\boxed{a\_b}", []),
        (r"\boxed{'a\nb'}", [r"'a\nb'"]),
    ],
)
def test_what_a_box_holds(text: str, expected: list[str]) -> None:
    assert contents(text) == expected


def test_a_box_knows_its_place() -> None:
    text = r"So \boxed{39}."
    [box] = find_boxes(text, lambda _: True)
    assert box == Box("39", 3, 13)
    assert text[box.start : box.end] == r"\boxed{39}"


@pytest.mark.parametrize(
    "text",
    [
        r"It is not \boxed{38}",
        r"It isn't \boxed{38}",
        r"never \boxed{38}",
        r"maybe \boxed{38}",
        r"It could be \boxed{38}",
        r"instead of \boxed{38}",
        r"rather than \boxed{38}",
        r"wrong: \boxed{38}",
        r"for example \boxed{38}",
        r"such as \boxed{38}",
        r"e.g. \boxed{38}",
        r"in the format \boxed{38}",
        r"$f(3) \ne \boxed{38}$",
        r"$f(3) \neq \boxed{38}$",
        r"f(3) != \boxed{38}",
        r"f(3) ≠ \boxed{38}",
        r"\boxed{38} is not right",
        r"\boxed{38} is clearly wrong",
        r"\boxed{38} was incorrect",
        r"$\boxed{38}$ cannot be",
        r"\boxed{38} isn't it",
        r"\boxed{38} fails",
        r"\boxed{38} \neq f(3)",
        r"\boxed{38} != f(3)",
        r"\boxed{38}?",
    ],
)
def test_a_box_that_is_denied_is_no_result(text: str) -> None:
    assert contents(text) == []


@pytest.mark.parametrize(
    "text",
    [
        r"It is not 38. It is \boxed{39}",
        r"It is not 38, so it is \boxed{39}",
        "It is not 38\n\\boxed{39}",
        r"not 38! \boxed{39}",
        r"\boxed{39} is right. It is not 38",
        r"\boxed{39}, not 38",
        r"Notice \boxed{39}",
        r"The origin is \boxed{39}",
    ],
)
def test_what_denies_something_else_leaves_the_box(text: str) -> None:
    assert contents(text) == ["39"]


def test_a_denial_far_away_leaves_the_box() -> None:
    assert contents("not " + "x" * 200 + r" \boxed{39}") == ["39"]
    assert contents("not " + "x" * 190 + r" \boxed{39}") == []


def test_the_last_five_boxes_are_read_and_each_is_paid() -> None:
    text = "".join(rf"\boxed{{{number}}} " for number in range(10))
    assert contents(text) == ["9", "8", "7", "6", "5"]
    # Behind the last box stand 2 characters, behind the one before 12.
    assert contents(text, 3) == ["9"]
    assert contents(text, 2) == []


def test_a_long_box_is_left_out() -> None:
    assert contents(rf"\boxed{{{'1' * 1_999}}}") == ["1" * 1_999]
    assert contents(rf"\boxed{{{'1' * 2_000}}}") == []
