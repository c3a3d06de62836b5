"""Assertions that say of themselves that they do not hold, and the words that deny a value."""

from __future__ import annotations

import re

import pytest

from pytest_codereason.questions.replies.statements import denials
from pytest_codereason.questions.replies.statements.denials import denies_after, denies_before, is_denied

CALL = "f(81)"


@pytest.mark.parametrize(
    ("before", "denied"),
    [
        ("assert not ", True),
        ("assert not (", True),
        ("assert NOT ((", True),
        ("!", True),
        ("!isEqual(", True),
        ("assertFalse(", True),
        ("assert_false( (", True),
        ("assertNotEqual(", True),
        ("self.assertNotEqual(", True),
        ("assert ", False),
        ("assertEqual(", False),
        ("not so: ", False),
        ("knot ", False),
        ("! ", False),
        ("", False),
    ],
)
def test_what_stands_before_a_call_denies_it(before: str, denied: bool) -> None:
    text = f"{before}{CALL} == 38"
    assert denies_before(text, len(before)) is denied
    assert is_denied(text, len(before), len(before) + len(CALL)) is denied


def test_what_stands_far_before_denies_nothing() -> None:
    assert denies_before("not " + " " * 56 + CALL, 60)
    assert not denies_before("not " + " " * 57 + CALL, 61)


@pytest.mark.parametrize(
    ("after", "denied"),
    [
        (" is False", True),
        (") is false", True),
        (") == False", True),
        (") === false", True),
        (" == not true", True),
        (" is True", False),
        (" is falsehood", False),
        (" = false", False),
        ("", False),
        (" and so is False", False),
    ],
)
def test_what_stands_behind_a_value_denies_it(after: str, denied: bool) -> None:
    assert denies_after(f"(f(81) == 38{after}", len("(f(81) == 38")) is denied


@pytest.mark.parametrize(
    ("after", "denied"),
    [
        (" == 38 or True", True),
        (" === 38 || x", True),
        (").not.toBe(38)", True),
        (") . not", True),
        (" == 38) is False", True),
        (" == 38) == not true", True),
        (" == 38", False),
        (" == 38; a or b", False),
        (" == 38 # or 39", False),
        (" == 'a or b'", False),
        (" == 38 order", False),
        (").nothing", False),
        (" == 38) is True", False),
        (" == 38 is False", False),  # a chain of comparisons
    ],
)
def test_what_stands_behind_a_call_denies_it(after: str, denied: bool) -> None:
    assert is_denied(f"{CALL}{after}", 0, len(CALL)) is denied


@pytest.mark.parametrize(
    ("words", "found", "other"),
    [
        (denials.NEGATIONS, ("not", "never", "cannot", "neither", "nor"), ("no", "know")),
        (denials.NEGATED, ("n't", "n’t"), ("nt",)),
        (denials.GUESSES, ("maybe", "perhaps", "possibly", "could", "might"), ("may", "should")),
        (denials.CONTRASTS, ("instead of", "rather than", "unlike", "except"), ("than", "like")),
        (denials.EXAMPLES, ("example", "examples", "example,", "such as", "e.g.", "e.g", "like"), ("eg", "such")),
        (denials.WRONG, ("wrong", "incorrect", "incorrectly", "false", "impossible"), ("correct", "right")),
        (denials.UNEQUAL, ("\\ne", "\\neq", "!=", "≠"), ("=", "\\new")),
    ],
)
def test_the_words_that_deny(words: str, found: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert all(re.fullmatch(words, word) for word in found)
    assert not any(re.fullmatch(words, word) for word in other)
