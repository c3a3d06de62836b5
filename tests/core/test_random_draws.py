"""Draws that are the same everywhere, and a few draws that are split from one."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core import derive_seed
from pytest_codereason.core.random_draws import Draws, FewDraws, LightDraws

FRACTIONS = st.floats(0, 1, exclude_max=True)


def test_draws_are_those_of_pythons_generator() -> None:
    draws, known = Draws(7), Random(7)
    assert [draws.uniform() for _ in range(5)] == [known.random() for _ in range(5)]
    assert draws.choice("abcdefgh") == "abcdefgh"[int(known.random() * 8)]
    assert draws.below(100) == int(known.random() * 100)


@given(FRACTIONS, st.lists(st.integers(1, 300), max_size=6))
def test_a_few_draws_stay_below_their_counts_and_repeat(drawn: float, counts: list[int]) -> None:
    first, second = FewDraws(drawn), FewDraws(drawn)
    numbers = [first.below(count) for count in counts]
    assert numbers == [second.below(count) for count in counts]
    assert all(0 <= number < count for number, count in zip(numbers, counts, strict=True))


def test_a_few_draws_fall_evenly_and_do_not_depend_on_each_other() -> None:
    draws = Draws(3)
    rounds = 6_000
    triples = Counter(
        (few.below(3), few.choice("ab"), few.below(5)) for few in (FewDraws(draws.uniform()) for _ in range(rounds))
    )
    assert len(triples) == 3 * 2 * 5
    assert all(abs(count - rounds / 30) < 5 * (rounds / 30) ** 0.5 for count in triples.values())


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


@given(st.integers(0, 2**64 - 1), st.lists(st.integers(1, 300), max_size=6))
def test_light_draws_stay_below_their_counts_and_repeat(seed: int, counts: list[int]) -> None:
    first, second = LightDraws(seed), Draws(seed).light()
    numbers = [first.below(count) for count in counts]
    assert numbers == [second.below(count) for count in counts]
    assert all(0 <= number < count for number, count in zip(numbers, counts, strict=True))


def test_light_draws_fall_evenly_and_do_not_depend_on_each_other() -> None:
    rounds = 6_000
    lights = [LightDraws(derive_seed(3, number)) for number in range(rounds)]
    triples = Counter((light.below(3), light.below(2), light.below(5)) for light in lights)
    assert len(triples) == 3 * 2 * 5
    assert all(abs(count - rounds / 30) < 5 * (rounds / 30) ** 0.5 for count in triples.values())
