"""Draws that are the same everywhere, and a few draws that are split from one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core.random_draws import Draws, FewDraws

NUMBERS = st.integers(0, 2**64 - 1)


def test_draws_are_those_of_pythons_generator() -> None:
    draws, known = Draws(7), Random(7)
    assert [draws.uniform() for _ in range(5)] == [known.random() for _ in range(5)]
    assert draws.choice("abcdefgh") == "abcdefgh"[int(known.random() * 8)]
    assert draws.below(100) == int(known.random() * 100)


@given(NUMBERS, st.lists(st.integers(1, 300), max_size=30))
def test_a_few_draws_stay_below_their_counts_and_repeat(number: int, counts: list[int]) -> None:
    first, second = FewDraws(number), Draws(number).few()
    numbers = [first.below(count) for count in counts]
    assert numbers == [second.below(count) for count in counts]
    assert all(0 <= number < count for number, count in zip(numbers, counts, strict=True))


@pytest.mark.parametrize("before", [0, 8])
def test_a_few_draws_fall_evenly_and_do_not_depend_on_each_other(before: int) -> None:
    """Also where draws before them have used up the bits of the number."""
    rounds = 6_000
    triples: Counter[tuple[int, str, int]] = Counter()
    for number in Draws(3).list_numbers(rounds):
        few = FewDraws(number)
        for _ in range(before):
            few.below(160)
        triples[few.below(3), few.choice("ab"), few.below(5)] += 1
    assert len(triples) == 3 * 2 * 5
    assert all(abs(count - rounds / 30) < 5 * (rounds / 30) ** 0.5 for count in triples.values())


@given(NUMBERS, st.integers(0, 40), st.integers(0, 40))
def test_the_first_numbers_are_the_same_however_many_are_drawn(seed: int, fewer: int, more: int) -> None:
    longer = Draws(seed).list_numbers(fewer + more)
    assert longer[:fewer] == Draws(seed).list_numbers(fewer)
    assert all(0 <= number < 2**64 for number in longer)
    assert len(set(longer)) == len(longer)


def test_numbers_do_not_depend_on_other_draws() -> None:
    draws = Draws(5)
    draws.uniform()
    assert draws.list_numbers(4) == Draws(5).list_numbers(4) != Draws(6).list_numbers(4)


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20))
def test_skipping_leaves_the_draws_that_drawing_leaves(before: int, skipped: int, again: int) -> None:
    drawn, skipping = Draws(11), Draws(11)
    for _ in range(before):
        assert drawn.uniform() == skipping.uniform()
    for count in (skipped, again):
        for _ in range(count):
            drawn.uniform()
        skipping.skip(count)
    assert drawn.uniform() == skipping.uniform()
