"""What a run could have seen: by hand, by exact power, and in made-up runs."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_codereason.results.statistics.chance import judge_pairs
from pytest_codereason.results.statistics.intervals import Floats, share_interval
from pytest_codereason.results.statistics.power import count_needed_families, find_smallest_change, measure_spread


def pair(before: Floats, after: Floats) -> Floats:
    """Sums and counts of right answers before and after, of shape ``(families, answers)``."""
    counts = np.full(len(before), float(before.shape[1]))
    return np.stack([before.sum(axis=1), counts, after.sum(axis=1), counts], axis=1).astype(np.float64)


@pytest.mark.parametrize("families", [40, 100, 400])
def test_a_drop_without_noise_is_seen_as_often_as_the_exact_test_says(families: int) -> None:
    """Nothing changed. A drop changes single families, and the test of pairs needs 6 of them."""
    from scipy import stats

    change = find_smallest_change(pair(np.ones((families, 1)), np.ones((families, 1))))
    assert change is not None
    assert stats.binom.sf(5, families, change) == pytest.approx(0.8, abs=0.04)


def test_more_families_fewer_comparisons_and_less_noise_see_smaller_changes() -> None:
    random = np.random.default_rng(0)
    before, after = random.random((2, 200, 1)) < 0.7
    quiet = pair(before, before)
    sizes = [
        find_smallest_change(quiet),
        find_smallest_change(quiet, comparisons=10),
        find_smallest_change(pair(before, after)),
        find_smallest_change(pair(before[:50], after[:50])),
    ]
    assert sizes == sorted(sizes, key=lambda size: size or 1)
    assert len(set(sizes)) == 4
    assert find_smallest_change(quiet[:6]) is not None
    assert find_smallest_change(quiet[:5]) is None, "the test of pairs needs 6 families"
    assert find_smallest_change(quiet[:9], comparisons=10) is not None
    assert find_smallest_change(quiet[:8], comparisons=10) is None
    assert find_smallest_change(quiet[:0]) is None


def test_the_spread_is_that_of_independent_answers() -> None:
    values = np.array([1.0] * 30 + [0.0] * 10)
    columns = np.stack([values, np.ones(40)], axis=1)
    assert measure_spread(columns, (1,)) == pytest.approx(values.var(ddof=1))
    assert measure_spread(columns[:1], (1,)) == 0


def test_the_spread_of_families_of_several_sizes_by_hand() -> None:
    """The mean is 3 / 5. The families lie 1 - 1.2, 2 - 1.2 and 0 - 0.6 off it, each times 3 / 5."""
    columns = np.array([[1.0, 2.0], [2.0, 2.0], [0.0, 1.0]])
    expected = (0.12**2 + 0.48**2 + 0.36**2) / 2
    assert measure_spread(columns, (1,)) == pytest.approx(expected)
    assert measure_spread(np.hstack([columns, columns]), (1, -1)) == pytest.approx(0)
    assert measure_spread(np.hstack([columns, columns]), (1, 1)) == pytest.approx(4 * expected)


def test_needed_families_by_hand() -> None:
    """(1.645 √(0.65 · 0.35) + 0.842 √(0.7 · 0.3))² / 0.05² = 547 tell 0.7 from 0.65; no number tells 0.7 from 0.7."""
    values = np.array([1.0] * 70 + [0.0] * 30)
    columns = np.stack([values, np.ones(100)], axis=1)
    assert count_needed_families(columns, (1,), 0.65) == pytest.approx(547, rel=0.03)  # one wrong answer more than 30
    assert count_needed_families(columns, (1,), 0.7) is None
    three_right = np.array([[1.0, 1.0]] * 3)
    needed = count_needed_families(three_right, (1,), 0.9)
    assert needed is not None
    assert 29 <= needed <= 160  # 0.9 to the power 29 is 5 %, and three answers cannot tell that all are right


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("families", [40, 200])
def test_a_change_of_the_stated_size_is_clear_in_4_of_5_runs(families: int, noise: float) -> None:
    """A run without a change states what it could have seen. In the next run, that drop is there."""
    random = np.random.default_rng(families)
    seen, stated = [], []
    for _ in range(2_000):
        ease = random.beta(1.2, 0.8, (families, 1))

        before, again, other, other_again = (random.random((4, families, 1)) < ease).astype(np.float64)
        again, other_again = (
            np.where(random.random((families, 1)) < noise, second, first)
            for first, second in ((before, again), (other, other_again))
        )
        change = find_smallest_change(pair(before, again))
        assert change is not None
        later = other_again * (random.random((families, 1)) >= change / 0.6)
        seen.append(judge_pairs((later - other).sum(axis=1)) <= 0.05)
        stated.append(change)
    print(f"{families} families, noise {noise}: {np.mean(stated):.3f} seen in {np.mean(seen):.3f}")
    assert np.mean(seen) == pytest.approx(0.8, abs=0.08)


@pytest.mark.slow
@pytest.mark.parametrize(("truth", "gate"), [(0.7, 0.65), (0.9, 0.8), (0.3, 0.4)])
def test_the_stated_number_of_families_decides_a_gate_in_4_of_5_runs(truth: float, gate: float) -> None:
    """Families of four alike answers. A gate is decided if the 90 % interval, 5 % on each side, leaves it out."""
    from statistics import NormalDist

    random = np.random.default_rng(5)

    def ask(families: int) -> tuple[Floats, Floats]:
        ease = random.beta(4 * truth, 4 * (1 - truth), (families, 1))
        return (random.random((families, 4)) < ease).sum(axis=1).astype(float), np.full(families, 4.0)

    needed = count_needed_families(np.stack(ask(40_000), axis=1), (1,), gate)
    assert needed is not None
    narrower = NormalDist().inv_cdf(0.95) / NormalDist().inv_cdf(0.975)
    decided = 0
    for _ in range(2_000):
        sums, counts = ask(needed)
        low, high = share_interval(sums, counts)
        assert low is not None
        assert high is not None
        middle, half = (low + high) / 2, narrower * (high - low) / 2
        decided += gate < middle - half if truth > gate else gate > middle + half
    print(f"{truth} against {gate}: {needed} families decide in {decided / 2_000:.3f}")
    assert 0.74 <= decided / 2_000 <= 0.88


def test_the_smallest_change_solves_its_equation() -> None:
    """12 of 100 families changed, six each way: d √100 = 1.960 √(s² + d) + 0.842 √(s² + d - d²)."""
    before, after = np.zeros((100, 1)), np.zeros((100, 1))
    before[:6], after[6:12] = 1, 1
    change = find_smallest_change(pair(before, after))
    assert change is not None
    spread = 12 / 99
    right = 1.959964 * np.sqrt(spread + change) + 0.841621 * np.sqrt(spread + change - change**2)
    assert change * 10 == pytest.approx(right, abs=1e-4)
    lacking = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]] * 50)
    assert find_smallest_change(np.concatenate([pair(before, after), lacking])) == change


def test_families_needed_do_not_depend_on_the_scale() -> None:
    """Marks from 1 to 5 need as many families as the same marks from 0 to 1."""
    random = np.random.default_rng(1)
    shares = np.stack([random.random(50), np.ones(50)], axis=1)
    marks = shares * [4, 1] + [1, 0]
    needed = count_needed_families(shares, (1,), 0.6)
    assert needed is not None
    assert needed == count_needed_families(marks, (1,), 3.4, ends=(1.0, 5.0))
    assert needed > (count_needed_families(shares, (1,), 0.7) or 0) > 1


def test_the_family_that_is_added_pulls_towards_the_bound() -> None:
    """Six of six right against 0.5: the seventh is wrong. With fewer wrong before the bound, more are needed."""
    six = np.array([[1.0, 1.0]] * 6)
    below, above = count_needed_families(six, (1,), 0.5), count_needed_families(1 - six * [1, 0], (1,), 0.5)
    assert below == above, "right and wrong are alike"
    assert below is not None
    value, spread = 6 / 7, (6 / 7) * (1 / 7) * 7 / 6
    by_hand = spread * ((1.644854 * np.sqrt(0.25 / (value * (1 - value))) + 0.841621) / 0.5) ** 2
    assert below == np.ceil(by_hand)


def test_two_families_have_a_spread() -> None:
    """1 and 0 lie 0.5 from their mean: 0.25 + 0.25, divided by 2 - 1. Of a drop against a flat side it is the same."""
    assert measure_spread(np.array([[1.0, 1], [0, 1]]), (1,)) == pytest.approx(0.5)
    assert measure_spread(np.array([[1.0, 1, 1, 1], [1, 1, 0, 1]]), (-1, 1)) == pytest.approx(0.5)
