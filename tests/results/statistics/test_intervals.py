from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.results.statistics import intervals
from pytest_codereason.results.statistics.intervals import Floats


def arrays(*columns: list[float]) -> tuple[Floats, ...]:
    return tuple(np.array(column, dtype=np.float64) for column in columns)


@given(st.integers(1, 3_000), st.data())
def test_wilson_is_the_interval_scipy_gives(n: int, data: st.DataObject) -> None:
    from scipy import stats

    hits = data.draw(st.integers(0, n))
    reference = stats.binomtest(hits, n).proportion_ci(0.95, method="wilson")
    interval = intervals.wilson_interval(hits / n, n)
    assert interval.low == pytest.approx(reference.low, abs=1e-12)
    assert interval.high == pytest.approx(reference.high, abs=1e-12)


def test_wilson_by_hand() -> None:
    # 8 of 10: centre (0.8 + z²/20) / (1 + z²/10), z² = 3.8415: 0.7167; half width 0.2266.
    assert intervals.wilson_interval(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_one_answer_a_family_is_worth_one_answer() -> None:
    sums, counts = arrays([1.0] * 30 + [0.0] * 70, [1.0] * 100)
    assert intervals.effective_size(sums, counts) == pytest.approx(100)


def test_families_of_one_mind_are_worth_one_answer_each() -> None:
    # 50 families of 4 equal answers, 20 right: deff = (n-1)/(F-1) = 199/49, n/deff = 49.2.
    sums, counts = arrays([4.0] * 20 + [0.0] * 30, [4.0] * 50)
    assert intervals.effective_size(sums, counts) == pytest.approx(200 * 49 / 199)


def test_design_effect_by_hand() -> None:
    # Families 2 of 2, 1 of 2, 0 of 2: p = 1/2, residuals 1, 0, -1; 3/2 * 2 / 36 = 1/12 against 1/20.
    sums, counts = arrays([2, 1, 0], [2, 2, 2])
    assert intervals.effective_size(sums, counts) == pytest.approx(6 / ((1 / 12) / (1 / 20)))


def test_families_that_disagree_within_buy_no_precision() -> None:
    sums, counts = arrays([1.0] * 40, [2.0] * 40)  # one right and one wrong in each
    assert intervals.effective_size(sums, counts) == 80


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_equal_answers_count_as_families(share: float) -> None:
    sums, counts = arrays([10 * share] * 8, [10.0] * 8)
    assert intervals.effective_size(sums, counts) == 8
    assert intervals.share_interval(sums, counts) == intervals.wilson_interval(share, 8)


@given(st.lists(st.tuples(st.integers(1, 6), st.floats(0, 1)), min_size=1, max_size=40))
def test_the_interval_of_a_share_holds_it_and_stays_in_range(families: list[tuple[int, float]]) -> None:
    sums, counts = arrays([round(n * p) for n, p in families], [n for n, _ in families])
    share = sums.sum() / counts.sum()
    low, high = intervals.share_interval(sums, counts)
    assert low is not None
    assert high is not None
    assert 0 <= low <= share <= high <= 1


def test_what_nobody_saw_ends_where_wilson_does() -> None:
    assert intervals.unseen_interval(0.0, 0, 12, (0.0, 1.0)) == pytest.approx(intervals.wilson_interval(0.0, 12))
    assert intervals.unseen_interval(1.0, 0, 12, (0.0, 1.0)) == pytest.approx(intervals.wilson_interval(1.0, 12))
    low, high = intervals.unseen_interval(0.0, 0, 12, (-1.0, 1.0))
    assert low == pytest.approx(-3.8415 / 15.8415, abs=1e-4)
    assert high == pytest.approx(3.8415 / 15.8415, abs=1e-4)
    assert intervals.unseen_interval(37.0, 0, 12, (0.0, 1.0)) == intervals.UNDEFINED


def test_four_families_that_differ_are_few_and_five_are_not() -> None:
    values = np.array([1.0] * 4 + [0.0] * 36)
    low, high = intervals.sparse_interval(0.1, values, (0.0, 1.0))
    unseen = (intervals.wilson_interval(0.1, 40).high or 0) - 0.1
    assert (low, high) == pytest.approx((0.1 - 0.1 * unseen, 0.1 + 0.9 * unseen))
    assert intervals.sparse_interval(0.125, np.array([1.0] * 5 + [0.0] * 35), (0.0, 1.0)) == intervals.UNDEFINED
    assert intervals.sparse_interval(0.0, np.array([]), (0.0, 1.0)) == intervals.UNDEFINED


@pytest.mark.slow
@pytest.mark.parametrize(("families", "lost", "won"), [(40, 0.02, 0.02), (100, 0.02, 0.01), (400, 0.01, 0.0)])
def test_rare_changes_are_held(families: int, lost: float, won: float) -> None:
    """Resampling alone held 99, 87 and 90 % of them: it never sees the changes that did not come up."""
    random = np.random.default_rng(families)
    runs, held = 300, 0
    for _ in range(runs):
        drawn = random.random(families)
        changes = np.where(drawn < lost, -1.0, np.where(drawn < lost + won, 1.0, 0.0))
        before = np.where(changes < 0, 1.0, np.where(changes > 0, 0.0, random.random(families) < 0.7))
        low, high = change(list(before), [1.0] * families, list(before + changes), [1.0] * families).interval
        assert low is not None
        assert high is not None
        held += low <= won - lost <= high
    assert held >= 0.95 * runs - 3 * math.sqrt(runs * 0.05 * 0.95)


@pytest.mark.parametrize("families", [8, 12, 40, 400])
@pytest.mark.parametrize("lost", [0.02, 0.5, 1.0])
def test_one_program_that_changes_says_no_more_than_none(families: int, lost: float) -> None:
    """Else a table has the wide interval of 0 of 12 above the narrow one of 1 of 12."""
    same, ones = [1.0] * families, [1.0] * families
    none = change(same, ones, same, ones).interval
    one = change(same, ones, [1.0 - lost, *same[1:]], ones).interval
    assert None not in (*none, *one)
    assert (one.low or 0) < (none.low or 0)
    assert (one.high or 0) > 0, "a change that nobody saw may go the other way"


def test_bootstrap_mean_agrees_with_the_normal_interval_on_many_families() -> None:
    random = np.random.default_rng(5)
    values, counts = random.random(400), np.ones(400)
    low, high = intervals.mean_interval(values, counts)
    error = intervals.Z * values.std(ddof=1) / math.sqrt(400)
    assert low == pytest.approx(values.mean() - error, abs=0.004)
    assert high == pytest.approx(values.mean() + error, abs=0.004)


@pytest.mark.parametrize("families", [1, 7, 1_000])
def test_blocks_of_draws_are_the_draws_one_by_one(families: int, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = np.random.default_rng(1).random((families, 3))
    blocks = intervals.resample_families(columns)
    monkeypatch.setattr(intervals, "_BLOCK", 1)
    assert (blocks == intervals.resample_families(columns)).all()


def test_resampling_follows_the_content_alone() -> None:
    columns = np.random.default_rng(1).random((20, 3))
    assert (intervals.resample_families(columns) == intervals.resample_families(np.asfortranarray(columns))).all()
    assert (intervals.resample_families(columns) != intervals.resample_families(columns + 1e-9)).any()


def change(*columns: list[float]) -> intervals.MeanChange:
    together = np.stack(arrays(*columns), axis=1)
    return intervals.change_of_means(together, intervals.resample_families(together))


def test_change_by_hand() -> None:
    # Before: 1, 1, 0, 1 of 1; after: 1, 0, 0, 0 of 1.
    delta = change([1, 1, 0, 1], [1, 1, 1, 1], [1, 0, 0, 0], [1, 1, 1, 1])
    assert delta.value == pytest.approx(-0.5)
    assert delta.relative == pytest.approx(-2 / 3)
    most = 0.5 + (intervals.wilson_interval(0.5, 4).high or 0) - 0.5  # half of the families change, and unseen ones
    assert delta.interval == pytest.approx((-1, -0.5 + 1.5 * (most - 0.5)))
    assert delta.relative_interval == intervals.UNDEFINED  # some resamples have a zero before


def test_pairs_make_a_change_sharper_than_groups() -> None:
    random = np.random.default_rng(3)
    ease = random.random(200)
    before, after, ones, none = list(ease), list(ease - 0.1 + 0.02 * random.random(200)), [1.0] * 200, [0.0] * 200
    paired = change(before, ones, after, ones).interval
    grouped = change(before + none, ones + none, none + after, none + ones).interval
    assert None not in paired
    assert None not in grouped
    assert (paired.high or 0) - (paired.low or 0) < ((grouped.high or 0) - (grouped.low or 0)) / 10


def test_the_change_between_groups_of_right_and_wrong_is_newcombes() -> None:
    from statsmodels.stats.proportion import confint_proportions_2indep

    before, after = arrays([1.0] * 48 + [0.0] * 12), arrays([1.0] * 30 + [0.0] * 20)
    change = intervals.change_between_groups((before[0], np.ones(60)), (after[0], np.ones(50)), binary=True)
    expected = confint_proportions_2indep(30, 50, 48, 60, compare="diff", method="newcomb")
    assert change.value == pytest.approx(-0.2)
    assert change.interval == pytest.approx(expected)


def test_a_group_of_one_program_makes_a_wide_interval() -> None:
    """All programs are right; of the second group there is one, which says little."""
    change = intervals.change_between_groups((np.ones(100), np.ones(100)), (np.ones(1), np.ones(1)), binary=True)
    alone = intervals.share_interval(np.ones(1), np.ones(1))
    assert alone.low is not None
    assert change.interval.low == pytest.approx(alone.low - 1)
    assert change.interval.high == pytest.approx(0.037, abs=0.001)
    assert change.relative_interval.low == pytest.approx(alone.low - 1, abs=0.001)


@pytest.mark.parametrize(("sizes", "shares"), [((100, 3), (0.5, 0.5)), ((40, 12), (0.9, 0.6)), ((60, 60), (0.8, 0.7))])
def test_changes_between_groups_hold_the_truth(sizes: tuple[int, int], shares: tuple[float, float]) -> None:
    random = np.random.default_rng(sum(sizes))
    runs, held = 600, np.zeros(2)
    for _ in range(runs):
        sides = [
            ((random.random(size) < share).astype(float), np.ones(size))
            for size, share in zip(sizes, shares, strict=True)
        ]
        change = intervals.change_between_groups(*sides, binary=True)
        truths = shares[1] - shares[0], shares[1] / shares[0] - 1
        for place, (interval, truth) in enumerate(
            zip((change.interval, change.relative_interval), truths, strict=True)
        ):
            assert interval.low is not None
            assert interval.high is not None
            held[place] += interval.low <= truth <= interval.high
    assert (held >= runs * 0.95 - 3 * np.sqrt(runs * 0.95 * 0.05)).all(), held


def test_no_change_anywhere_is_no_certainty() -> None:
    delta = change([1, 0, 1], [1, 1, 1], [1, 0, 1], [1, 1, 1])
    assert delta.value == 0
    assert delta.interval == pytest.approx((-3.8415 / 6.8415, 3.8415 / 6.8415), abs=1e-4)


def test_a_resample_that_drew_nothing_of_a_condition_counts_for_nothing() -> None:
    """Where few programs have both conditions, a draw may lack one of them, and has no mean of it."""
    columns = np.array([[1.0, 2.0, 1.0, 1.0], [1.0, 2.0, 1.0, 1.0]])
    drawn = np.array([[1.0, 2.0, 2.0, 2.0], [2.0, 4.0, 1.0, 1.0], [1.0, 1.0, 1.0, 2.0]])
    lacking = np.array([[0.0, 0.0, 1.0, 1.0], [9.0, 9.0, 0.0, 0.0]])
    usual, more = (intervals.change_of_means(columns, part) for part in (drawn, np.concatenate([drawn, lacking])))
    assert usual == more
    unseen = (intervals.wilson_interval(0, 2).high or 0) * 1.5  # no family differs, and a fall may reach -1
    assert more.interval == pytest.approx((min(-0.45, 0.5 - unseen), max(0.5, 0.5 + unseen / 3)))


def test_a_zero_reference_leaves_the_relative_change_undefined() -> None:
    delta = change([0, 0, 0], [1, 1, 1], [1, 0, 1], [1, 1, 1])
    assert delta.value == pytest.approx(2 / 3)
    assert delta.relative is None
    assert delta.relative_interval == intervals.UNDEFINED


def test_an_effective_size_is_never_more_than_the_answers() -> None:
    """Families of one right and one wrong answer, and two of one mind: by chance alike, and still 64 answers."""
    sums, counts = arrays([1.0] * 30 + [2.0, 0.0], [2.0] * 32)
    assert intervals.effective_size(sums, counts) == 64
    assert intervals.effective_size(*arrays([1.0], [2.0])) == 1, "one family shows nothing about others"
    assert intervals.effective_size(*arrays([1.0], [1.0])) == 1


def test_a_mean_without_any_spread_is_no_certainty() -> None:
    sums, counts = arrays([0.6] * 12, [2.0] * 12)
    u = intervals.Z**2 / (12 + intervals.Z**2)
    assert intervals.mean_interval(sums, counts) == pytest.approx((0.3 - u * 0.3, 0.3 + u * 0.7))


def test_a_draw_without_any_whole_is_left_out() -> None:
    """Of a ratio: one of two families adds nothing to the whole."""
    low, high = intervals.mean_interval(*arrays([1.0, 0.0, 0.0], [2.0, 4.0, 0.0]))
    assert low == 0
    unseen = (intervals.wilson_interval(1 / 2, 2).high or 0) - 1 / 2
    assert high == pytest.approx(1 / 6 + 5 / 6 * unseen), "just above the half that resampling reaches"


def test_a_relative_change_has_the_interval_of_the_ratio() -> None:
    random = np.random.default_rng(4)
    before = 0.5 + 0.5 * random.random(400)
    after = before * (0.7 + 0.2 * random.random(400))
    delta = change(list(before), [1.0] * 400, list(after), [1.0] * 400)
    ratio = after.mean() / before.mean()
    error = np.std(after - ratio * before, ddof=1) / before.mean() / math.sqrt(400)
    assert delta.relative == pytest.approx(ratio - 1)
    assert delta.relative_interval == pytest.approx((ratio - 1 - 1.96 * error, ratio - 1 + 1.96 * error), abs=0.001)


def test_the_relative_change_between_groups_by_the_equation_of_its_limits() -> None:
    """A limit of the ratio is where the interval of "after less ratio times before" just touches 0."""
    before, after = arrays([1.0] * 48 + [0.0] * 12), arrays([1.0] * 20 + [0.0] * 30)
    sides = (before[0], np.ones(60)), (after[0], np.ones(50))
    delta = intervals.change_between_groups(*sides, binary=True)
    (old_low, old_high), (new_low, new_high) = (intervals.share_interval(*side) for side in sides)
    low, high = (1 + (limit or 0) for limit in delta.relative_interval)
    assert delta.relative == pytest.approx(0.4 / 0.8 - 1)
    assert 0 < low < 0.5 < high < 1
    assert 0.4 - low * 0.8 == pytest.approx(math.hypot(0.4 - (new_low or 0), low * ((old_high or 0) - 0.8)))
    assert high * 0.8 - 0.4 == pytest.approx(math.hypot((new_high or 0) - 0.4, high * (0.8 - (old_low or 0))))


def test_resampled_totals_are_kept_for_the_next_figure_and_nobody_changes_them() -> None:
    totals = intervals.resample_families(np.random.default_rng(1).random((20, 3)))
    assert totals.shape == (intervals.RESAMPLES, 3)
    with pytest.raises(ValueError, match="read-only"):
        totals[0, 0] = 1.0


def test_the_middle_of_resampled_values() -> None:
    assert intervals.find_middle_95(np.arange(1001.0)) == (25.0, 975.0)
    assert intervals.find_middle_95(np.arange(1001.0)[::-1] - 500) == (-475.0, 475.0)
    assert intervals.find_middle_95(np.full(9, 0.3)) is None
    assert intervals.find_middle_95(np.array([0.1 + 0.2, 0.3])) is None, "rounding is no spread"
    assert intervals.find_middle_95(np.array([])) is None
    assert intervals.find_middle_95(np.array([0.3, 0.31])) == pytest.approx((0.30025, 0.30975))
