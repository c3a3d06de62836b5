"""Other arguments: of the same types, and broken ones."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core.random_draws import Draws
from pytest_codereason.questions.twins.mutations import list_broken, redraw
from pytest_codereason.registry import language


def shape(value: Any) -> Any:
    """Types and nesting, without lengths of lists."""
    if isinstance(value, (list, set)):
        return type(value), {str(shape(item)) for item in value}
    if isinstance(value, tuple):
        return tuple(map(shape, value))
    return (dict, {str(shape(item)) for item in value.values()}) if isinstance(value, dict) else type(value)


@pytest.mark.parametrize(
    "value",
    [4, -312, 0, 2.5, True, None, "Hello 42!", "", [4, 5, 6, 1], [], [[1, 2], [3]], (1, "a"), {"k": 3, "m": 4}, {1, 2}],
    ids=str,
)
def test_types_and_nesting_stay(value: Any) -> None:
    draws = Draws(1)
    for _ in range(50):
        other = redraw(value, draws)
        nested = value == [[1, 2], [3]] and all(type(item) is list for item in other)
        assert str(shape(other)) == str(shape(value)) or nested


def test_signs_digits_sorts_and_lengths_stay() -> None:
    draws = Draws(2)
    numbers = [redraw(-312, draws) for _ in range(100)]
    assert all(-999 <= number <= -100 for number in numbers)
    texts = [redraw("Abcdefgh-12", draws) for _ in range(100)]
    assert all(9 <= len(text) <= 13 for text in texts)
    assert all(each.isalnum() or each == "-" for text in texts for each in text)
    assert len({*numbers}) > 30
    assert len({*texts}) > 90
    lists = [redraw([1, 2, 3, 4, 5, 6, 7, 8], draws) for _ in range(100)]
    assert {6, 10} <= {*map(len, lists)} <= {6, 7, 8, 9, 10}


def test_a_character_stays_one() -> None:
    value = language("java").values.read("'a'").value
    drawn = [redraw(value, Draws(seed)) for seed in range(9)]
    assert {(type(each), len(each)) for each in drawn} == {(type(value), 1)}
    texts = {redraw("a", Draws(seed)) for seed in range(30)}
    assert {*map(len, texts)} == {1}
    assert len(texts) > 5


def test_one_argument_is_broken_at_a_time() -> None:
    broken = list(list_broken([[4, 5], {"k": 1, "m": 2}, "ab", 3]))
    assert [[], {"k": 1, "m": 2}, "ab", 3] in broken
    assert [[4, None], {"k": 1, "m": 2}, "ab", 3] in broken
    assert [[4, 5], {"m": 2}, "ab", 3] in broken
    assert [[4, 5], {"k": 1, "m": 2}, "", 3] in broken
    assert [[4, 5], {"k": 1, "m": 2}, "ab", None] in broken
    usual = [[4, 5], {"k": 1, "m": 2}, "ab", 3]
    assert all(sum(one != other for one, other in zip(each, usual, strict=True)) == 1 for each in broken)
