"""What may follow a value, and what makes it another one."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.statements.tails import ends_code, ends_prose

EXPLAINING = [
    "",
    ".",
    "!",
    "\nMore.",
    " because n is 3",
    ", since n is 3",
    " rather than 41",
    " (not 41)",
    " — as asked",
    "**",
    "`",
    " ✅",
    " です。",
    "입니다.",
    " zurück.",
    " is the answer",
    " in the end",
    "</b>",
    ", altogether.",
    "; done",
    " So it is.",
]
CHANGING = [
    " or 43",
    ", or maybe 43",
    " if n is odd",
    ", otherwise 43",
    " reversed",
    " repeated three times",
    " - 1",
    " + 1",
    "/3",
    " times two",
    " points",
    " lines of code",
    "?",
    " (or 43)",
    ", 43",
    ".upper()",
    "[0]",
    " oder 43",
    " ou 43",
    ", 或者 43",
    " is wrong",
    "% of it",
    ". No, wait, that is wrong.",
    " without the last",
    " in reverse order",
    ",500",
]


@pytest.mark.parametrize("tail", EXPLAINING)
def test_explanations_leave_a_value(tail: str) -> None:
    assert ends_prose(f"42{tail}", 2)
    assert ends_code(f"42{tail}", 2)


@pytest.mark.parametrize("tail", CHANGING)
def test_whatever_may_change_a_value_takes_it_away(tail: str) -> None:
    assert not ends_prose(f"42{tail}", 2)


@pytest.mark.parametrize(
    "tail", [", 'message'", ",)", ");", "  # not 41", " // six times seven", " and g(3) == 6", " && g(3) === 6", "\n"]
)
def test_code_goes_on_behind_an_assertion(tail: str) -> None:
    assert ends_code(f"42{tail}", 2)


@pytest.mark.parametrize(
    "tail", [" or f(3) == 43", " || f(3) === 43", "  # wrong", " // fails", " ❌", " ? 1 : 2", " if x else 43"]
)
def test_code_may_take_an_assertion_back(tail: str) -> None:
    assert not ends_code(f"42{tail}", 2)
