"""Lines of a program that a reply copies."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.pieces.copies import Copies

PROGRAM = "def f(n):\n    x = n + 1\n\n    return 38\n"


@pytest.mark.parametrize(
    ("text", "line", "copied"),
    [
        (PROGRAM, "return 38", True),
        (PROGRAM, "x = n", True),
        (PROGRAM, "def f", True),
        ("def f(n):\n\n\nx = n + 1", "x = n", True),  # blanks between and before the lines do not count
        ("x = n + 1\nreturn 38", "return 38", True),
        ("return 38", "return 38", False),  # without the line above
        ("def f(n):\nreturn 38", "return 38", False),
        ("x = n + 1\nreturn 39", "return 39", False),
        ("x = n + 1\nreturn 38 # so", "return 38", False),
        ("x = n + 1", "x = n", False),
        ("The program: def f(n):\n    x = n + 1\n", "The program", True),  # a prefill stands before the first line
        ("The program: def f(n):\n    x = n + 1\n", "x = n", True),
        ("def f(n):", "def f", False),
        ("def f(n):\n    return 38\n", "def f", False),
        ("x = n + 1\nfirst\nreturn 38", "return 38", False),
        ("\nreturn 38", "return 38", False),
        ("a\nx = n + 1\nreturn 38", "return 38", True),
    ],
)
def test_a_line_is_a_copy_with_the_same_line_above(text: str, line: str, copied: bool) -> None:
    place = text.index(line)
    assert Copies(PROGRAM).has_line(text, place) is copied
    assert Copies(PROGRAM).has_line(text, place + len(line) - 1) is copied


@pytest.mark.parametrize("program", ["", "\n \n", "return 38", "\nreturn 38\n"])
def test_a_program_of_one_line_has_no_copies(program: str) -> None:
    assert not Copies(program).has_line("return 38", 0)
    assert not Copies(program).has_line("\nreturn 38\n", 3)


def test_line_ends_of_other_systems_do_not_count() -> None:
    assert Copies(PROGRAM.replace("\n", "\r\n")).has_line(PROGRAM, PROGRAM.index("return"))


def test_a_line_that_stands_twice_is_a_copy_at_both_places() -> None:
    program = "a()\nb()\nc()\nb()\n"
    assert [Copies(program).has_line(text, len(text) - 1) for text in ("a()\nb()", "c()\nb()", "b()\nb()")] == [
        True,
        True,
        False,
    ]
