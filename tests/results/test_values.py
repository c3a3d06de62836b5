"""What values say of themselves."""

from __future__ import annotations

import pytest

from pytest_codereason.results.values import ChangeBounds, Delta, Estimate, Undefined, Why


def make_bounds(lowest: float, highest: float) -> ChangeBounds:
    return ChangeBounds(
        all_wrong=lowest,
        all_right=highest,
        lowest=lowest,
        highest=highest,
        relative_all_wrong=None,
        relative_all_right=None,
        before=2,
        after=3,
    )


def make_delta(low: float | None, high: float | None, bounds: ChangeBounds | None = None) -> Delta:
    ends = {"low": low, "high": high, "relative": None, "relative_low": None, "relative_high": None}
    return Delta(value=0.0, **ends, pairs=5, families=5, cluster="program", flips=None, p=None, bounds=bounds)


@pytest.mark.parametrize(
    ("low", "high", "is_significant"),
    [
        (0.1, 0.2, True),
        (-0.2, -0.1, True),
        (-0.1, 0.1, False),
        (0.0, 0.1, False),
        (-0.1, 0.0, False),
        (None, None, False),
        (None, -0.1, False),
        (0.1, None, False),
    ],
)
def test_an_interval_that_touches_zero_shows_no_difference(
    low: float | None, high: float | None, is_significant: bool
) -> None:
    assert make_delta(low, high).is_significant is is_significant


@pytest.mark.parametrize(
    ("lowest", "highest", "vanishes"),
    [(-0.5, -0.1, False), (-0.5, 0.0, True), (0.0, 0.5, True), (-0.1, 0.1, True), (0.1, 0.5, False)],
)
def test_truncated_answers_may_make_a_difference(lowest: float, highest: float, vanishes: bool) -> None:
    bounds = make_bounds(lowest, highest)
    assert bounds.truncated == 5
    assert bounds.holds_zero is vanishes
    assert make_delta(0.1, 0.2, bounds).may_vanish is vanishes
    assert not make_delta(0.1, 0.2).may_vanish


def test_what_is_undefined_is_false_and_says_why() -> None:
    assert not Undefined(Why.NOT_ASKED)
    assert Undefined(Why.NOT_ASKED).reason == "not asked"
    assert Undefined(Why.NOT_ASKED, "level 3").reason == "level 3 not asked"
    known = Estimate(value=0.0)
    assert known.or_undefined() is known
    assert Estimate(value=None, why=Why.SKIPPED).or_undefined() == Undefined(Why.SKIPPED)
    assert Estimate(value=None).or_undefined() == Undefined(Why.UNKNOWN)
