"""Domains of calls: in words, as a test of values, and as draws."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip
from pytest_codereason.questions.pairs.domains import describe_arguments, describe_values, make_pool
from pytest_codereason.registry import language

PYTHON = language("python")
TEXT = "a text of 0 to 5 printable ASCII characters"
SEEN: list[tuple[str, Any, str]] = [
    ("python", 4, "a whole number from 0 to 10"),
    ("python", -400, "a whole number from -1000 to 1000"),
    ("python", 2.5, "a floating-point number from 0 to 10"),
    ("python", True, "True or False"),
    ("python", None, "None"),
    ("python", "banana", "a text of 0 to 12 printable ASCII characters"),
    ("python", "a\nb", "a text of 0 to 6 printable ASCII characters (or '\\n')"),
    ("python", [4, -1], "a list of 0 to 5 items (each a whole number from -10 to 10)"),
    ("python", [], "an empty list"),
    (
        "python",
        (1, "a"),
        f"a tuple of 2 items (a whole number from 0 to 10; {TEXT})",
    ),
    ("python", {1, 2, 3}, "a set of 0 to 6 items (each a whole number from 0 to 10)"),
    (
        "python",
        {"a": 1},
        f"a mapping of 0 to 5 keys (each {TEXT}) to values (each a whole number from 0 to 10)",
    ),
    ("python", {}, "an empty mapping"),
    (
        "python",
        [1, None],
        "a list of 0 to 5 items (each either a whole number from 0 to 10 or None)",
    ),
    ("javascript", True, "true or false"),
]


@pytest.mark.parametrize(("name", "value", "words"), SEEN, ids=[words for *_, words in SEEN])
def test_a_domain_has_words_holds_what_was_seen_and_what_it_draws(name: str, value: Any, words: str) -> None:
    lang, domain = language(name), describe_values([value])
    assert domain.words(lang) == words
    assert domain.holds(lang, value)
    draws, pool = Draws(3), make_pool([value, 3, "zz"])
    drawn = [domain.draw(draws, pool) for _ in range(200)]
    assert all(domain.holds(lang, each) for each in drawn)
    different = {repr(each) for each in drawn}
    assert len(different) >= (8 if any(word in words for word in ("whole", "text", "floating")) else 1)


@pytest.mark.parametrize(
    ("seen", "outside"),
    [
        (4, [-1, 11, "a", 4.0, True, None, [4]]),
        (-4, [-11, 11]),
        (2.5, [3, -0.5, float("nan"), float("inf"), "a"]),
        (True, [0, 1, None]),
        (None, [False, 0]),
        ("abc", ["abcdefg", "\n", "é", b"abc", 3]),
        ([1, 2], [(1, 2), [1] * 6, ["a"], [11], {1}]),
        ((1, "a"), [("a", 1), (1,), (1, "a", 2), [1, "a"]]),
        ({"a": 1}, [{1: 1}, {"a": "b"}, {str(n): 1 for n in range(6)}]),
        ([], [[1]]),
        ({}, [{1: 1}]),
    ],
    ids=str,
)
def test_what_lies_outside(seen: Any, outside: list[Any]) -> None:
    domain = describe_values([seen])
    assert [value for value in outside if domain.holds(PYTHON, value)] == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), b"abc", 1j])
def test_some_values_have_no_domain(value: Any) -> None:
    with pytest.raises(Skip, match="no domain in words"):
        describe_values([value])


def test_a_number_of_another_type_counts_where_the_language_takes_the_two_for_equal() -> None:
    java, script = language("java"), language("javascript")
    long, short = (java.values.read(text).value for text in ("3L", "3"))
    assert describe_values([long]).holds(java, short)
    letter, text = (java.values.read(text).value for text in ("'a'", '"a"'))
    assert describe_values([letter]).words(java) == "one printable ASCII character"
    assert not describe_values([letter]).holds(java, text)
    big, plain = (script.values.read_arguments(text).values[0] for text in ("1n", "1"))
    assert not describe_values([big]).holds(script, plain)


def test_arguments_are_counted() -> None:
    one, two = describe_values([4]), describe_values([True])
    assert describe_arguments(PYTHON, [one]) == "one argument, a whole number from 0 to 10"
    assert describe_arguments(PYTHON, [one, two]) == ("2 arguments: (1) a whole number from 0 to 10; (2) True or False")
