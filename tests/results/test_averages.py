"""Averages of differences, by hand and by the laws that hold for weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_codereason.results.averages import Comparison, average_changes


def make(data: str, before: list[int], after: list[int]) -> Comparison:
    """One answer a program on both sides."""
    ones = np.ones(len(before))
    return Comparison(
        data, np.stack([np.array(before, float), ones, np.array(after, float), ones], axis=1), len(before)
    )


bits = st.lists(st.integers(0, 1), min_size=6, max_size=6)
comparisons = st.lists(st.builds(make, st.sampled_from(["crux", "lcb"]), bits, bits), min_size=1, max_size=4)


def test_two_data_sets_weighted_by_hand() -> None:
    """0.5 to 0.25 on 800 programs and 1 to 0.75 on 479: -0.25 in points; -50 % and -25 % give -40.64 %."""
    parts = [make("crux", [1, 1, 0, 0], [1, 0, 0, 0]), make("lcb", [1, 1, 1, 1], [1, 1, 1, 0])]
    delta = average_changes(parts, [800, 479])
    assert delta is not None
    assert delta.value == pytest.approx(-0.25)
    assert delta.relative == pytest.approx(-(800 * 0.5 + 479 * 0.25) / 1279)
    assert (delta.pairs, delta.families) == (8, 8), "the programs of two data sets are different programs"


def test_an_undefined_relative_change_makes_the_average_undefined() -> None:
    delta = average_changes([make("a", [0, 0], [1, 0]), make("a", [1, 1], [1, 0])], [1, 1])
    assert delta is not None
    assert (delta.value, delta.relative) == (0.0, None)
    assert average_changes([], []) is None


@given(comparisons, st.data())
def test_an_average_lies_between_its_parts_and_depends_on_shares_alone(
    parts: list[Comparison], data: st.DataObject
) -> None:
    weights = data.draw(st.lists(st.integers(0, 1_000), min_size=len(parts), max_size=len(parts)))
    assume(sum(weights))
    delta, scaled = average_changes(parts, weights), average_changes(parts, [7 * weight for weight in weights])
    assert delta is not None
    assert scaled is not None
    alone = [one.value for part in parts if (one := average_changes([part], [1]))]
    assert min(alone) - 1e-9 <= delta.value <= max(alone) + 1e-9
    assert scaled.value == pytest.approx(delta.value)
    assert scaled.low == pytest.approx(delta.low)


@given(bits, bits)
def test_the_average_of_a_change_with_itself_is_that_change(before: list[int], after: list[int]) -> None:
    one, two = average_changes([make("a", before, after)], [1]), average_changes([make("a", before, after)] * 2, [1, 3])
    assert one is not None
    assert two is not None
    assert two.value == pytest.approx(one.value)
    assert two.families == one.families == 6


@given(bits)
def test_opposite_changes_of_the_same_programs_cancel_in_every_draw(before: list[int]) -> None:
    """The draws are shared: the average has no spread at all, so resampling gives no interval."""
    after = [1 - bit for bit in before]
    delta = average_changes([make("a", before, after), make("a", after, before)], [1, 1])
    assert delta is not None
    assert delta.value == pytest.approx(0)
    assert delta.low is None
