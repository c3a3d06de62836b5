"""Positions in a context."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.programs.contexts.positions import count_before, space_positions


def test_eleven_positions_are_tenths() -> None:
    assert space_positions(11) == (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
    assert space_positions(1) == (50,)
    assert space_positions(4) == (0, 33.33, 66.67, 100)


@given(st.integers(2, 101), st.integers(1, 400))
def test_positions_go_from_the_first_place_to_the_last_in_even_steps(count: int, distractors: int) -> None:
    places = [count_before(p, distractors) for p in space_positions(count)]
    assert (places[0], places[-1]) == (0, distractors)
    assert places == sorted(places)
    steps = {b - a for a, b in pairwise(places)}
    assert max(steps) - min(steps) <= 1


def test_twenty_distractors_at_eleven_positions_leave_two_between() -> None:
    assert [count_before(p, 20) for p in space_positions(11)] == list(range(0, 21, 2))
