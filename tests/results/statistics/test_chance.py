"""p-values against scipy, and how often a model without any effect leads to a claim."""

from __future__ import annotations

import itertools
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.results.statistics.chance import (
    LEVEL,
    correct_together,
    count_needed,
    count_needed_along,
    count_needed_in_groups,
    find_clear,
    judge_course,
    judge_groups,
    judge_pairs,
)
from tests.examples import examples, mostly_slow

RUNS = examples(400)


def test_holm_by_hand() -> None:
    """0.01 is at most 0.05 / 3, 0.02 at most 0.05 / 2, and 0.06 is above 0.05; an unknown one does not count."""
    assert find_clear([0.02, None, 0.06, 0.01]) == [True, False, False, True]
    assert find_clear([0.02, 0.03, 0.04]) == [False, False, False]
    assert find_clear([]) == []


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=12))
def test_corrected_p_values_are_clear_where_holm_is(p_values: list[float | None]) -> None:
    corrected = correct_together(p_values)
    known = [(p, after) for p, after in zip(p_values, corrected, strict=True) if p is not None and after is not None]
    assert len(known) == sum(p is not None for p in p_values)
    assert all(p <= after <= 1 for p, after in known)
    assert [after for _, after in sorted(known)] == sorted(after for _, after in known)
    for (_, after), is_clear in zip(
        known, [c for c, p in zip(find_clear(p_values), p_values, strict=True) if p is not None], strict=True
    ):
        assert is_clear == (after <= LEVEL) or after == pytest.approx(LEVEL)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_pairs_of_right_and_wrong_are_judged_as_by_mcnemar(rises: int, falls: int, same: int) -> None:
    from scipy import stats

    changes = np.array([1.0] * rises + [-1.0] * falls + [0.0] * same)
    expected = stats.binomtest(rises, rises + falls).pvalue if rises + falls else 1.0
    assert judge_pairs(changes) == pytest.approx(expected)


@given(st.lists(st.integers(-5, 5), max_size=9))
def test_pairs_of_several_answers_are_judged_by_all_choices_of_signs(changes: list[int]) -> None:
    sums = [abs(sum(map(operator.mul, changes, signs))) for signs in itertools.product((-1, 1), repeat=len(changes))]
    expected = sum(each >= abs(sum(changes)) for each in sums) / len(sums)
    assert judge_pairs(np.array(changes, dtype=float)) == pytest.approx(expected)


@given(st.lists(st.floats(-1, 1).filter(lambda change: abs(change) > 0.01), min_size=1, max_size=9))
def test_pairs_of_partial_answers_are_judged_so_but_for_rounding(changes: list[float]) -> None:
    """A change is rounded by at most half a step, so the nearest sums may fall on the other side."""
    total, step = abs(sum(changes)), sum(map(abs, changes)) / 4_000
    sums = [abs(sum(map(operator.mul, changes, signs))) for signs in itertools.product((-1, 1), repeat=len(changes))]
    shares = [np.mean([each >= total + slack for each in sums]) for slack in (10 * step, -10 * step)]
    assert shares[0] - 1e-9 <= judge_pairs(np.array(changes)) <= shares[1] + 1e-9


def test_large_changes_of_few_families_count_more_than_small_ones_of_many() -> None:
    """Sixteen families lose five answers each, and seventeen win one: a test of the directions alone sees nothing."""
    assert judge_pairs(np.array([-5.0] * 16 + [1.0] * 17)) < 0.01


def test_many_pairs_are_judged_alike() -> None:
    from scipy import stats

    changes = np.array([1.0] * 550 + [-1.0] * 460)
    assert judge_pairs(changes) == pytest.approx(stats.binomtest(550, 1_010).pvalue, rel=0.01)


@pytest.mark.parametrize("families", [9, 1_200])
def test_as_many_rises_as_falls_are_no_change_at_all(families: int) -> None:
    assert judge_pairs(np.array([1.0, -1.0] * families)) == 1
    assert judge_pairs(np.zeros(families)) == 1


def test_groups_of_right_and_wrong_are_judged_as_by_yates() -> None:
    from scipy import stats

    before, after = np.array([0.0] * 30 + [1.0] * 10), np.array([0.0] * 18 + [1.0] * 32)
    expected = stats.chi2_contingency([[30, 10], [18, 32]], correction=True).pvalue
    assert judge_groups(before, after) == pytest.approx(expected)
    assert judge_groups(before, np.array([])) is None


def test_courses_are_judged_by_cochran() -> None:
    from scipy import stats

    values = (np.random.default_rng(3).random((80, 5)) < [0.5, 0.6, 0.4, 0.7, 0.6]).astype(float)
    rows, columns = values.sum(axis=1), values.sum(axis=0)
    k = 5
    q = (k - 1) * (k * (columns**2).sum() - columns.sum() ** 2) / (k * rows.sum() - (rows**2).sum())
    assert judge_course(values) == pytest.approx(stats.chi2.sf(q, k - 1), abs=0.002)
    assert judge_course(values[:, :1]) is None
    assert judge_course(np.ones((5, 3))) == 1.0


@pytest.mark.parametrize("share", [0.03, 0.5, 0.95])
def test_families_of_unequal_size_without_any_effect_lead_to_a_claim_in_at_most_5_percent_of_runs(share: float) -> None:
    random = np.random.default_rng(5)
    answers = np.array([1, 2, 3, 8, 20] * 6)
    claims = 0
    for _ in range(RUNS):
        ease = random.beta(2 * share, 2 * (1 - share), len(answers))
        claims += judge_pairs(random.binomial(answers, ease) - random.binomial(answers, ease).astype(float)) <= LEVEL
    assert claims <= RUNS * 0.05 + 3 * np.sqrt(RUNS * 0.05 * 0.95)


@pytest.mark.parametrize("share", [0.03, 0.5, 0.95])
@pytest.mark.parametrize("programs", mostly_slow([8, 40, 200], 3))
def test_a_model_without_any_effect_leads_to_a_claim_in_at_most_5_percent_of_runs(programs: int, share: float) -> None:
    """Eleven positions or perturbations are looked at; the programs differ in difficulty around ``share``."""
    random = np.random.default_rng(programs)
    claims = np.zeros(4)
    for _ in range(RUNS):
        ease = random.beta(4 * share, 4 * (1 - share), (programs, 1))
        values = (random.random((programs, 11)) < ease).astype(float)
        apart = (random.random((11, programs)) < random.beta(4 * share, 4 * (1 - share), (11, programs))).astype(float)
        course = judge_course(values)
        assert course is not None
        claims += [
            any(find_clear([judge_pairs(values[:, i] - values[:, 0]) for i in range(1, 11)])),
            any(find_clear([judge_groups(apart[0], group) for group in apart[1:]])),
            course <= 0.05,
            any(find_clear([judge_course(_spread(group)) for group in np.split(values[:, :10], 2, axis=1)])),
        ]
    # 5 % of the runs, and three standard errors of that for the simulation.
    assert (claims <= RUNS * 0.05 + 3 * np.sqrt(RUNS * 0.05 * 0.95)).all(), claims


def _spread(values: np.ndarray) -> np.ndarray:
    """Each program at one place only, as in a sample of a suite."""
    spread = np.full_like(values, np.nan)
    places = np.arange(len(values)) % values.shape[1]
    spread[np.arange(len(values)), places] = values[np.arange(len(values)), places]
    return spread


def test_a_clear_effect_is_found_among_many() -> None:
    random = np.random.default_rng(0)
    values = (random.random((60, 11)) < 0.7).astype(float)
    values[:, 5] = random.random(60) < 0.2
    assert find_clear([judge_pairs(values[:, i] - values[:, 0]) for i in range(1, 11)])[4]


def test_a_course_over_groups_is_judged_by_pearson() -> None:
    """Each program was asked at one place: 26 of 40, 20 of 40 and 17 of 40 are right."""
    from scipy import stats

    values = np.full((120, 3), np.nan)
    for place, right in enumerate((26, 20, 17)):
        values[40 * place : 40 * (place + 1), place] = [1.0] * right + [0.0] * (40 - right)
    expected = stats.chi2_contingency([[26, 20, 17], [14, 20, 23]], correction=False).pvalue
    assert judge_course(values) == pytest.approx(expected, abs=0.005)
    empty = np.concatenate([values, np.full((120, 1), np.nan)], axis=1)
    assert judge_course(empty) == judge_course(values), "a place without an answer is none"
    assert judge_course(np.where(np.isnan(values), np.nan, 1.0)) == 1.0


def test_a_course_compares_programs_with_themselves_if_half_of_the_answers_allow_it() -> None:
    whole = (np.random.default_rng(6).random((30, 4)) < [0.9, 0.4, 0.6, 0.5]).astype(float)
    spread = _spread(np.ones((30, 4)))
    half = np.concatenate([whole, spread[:30]])
    assert judge_course(half) == judge_course(whole)
    more = np.concatenate([whole, *[spread] * 5])
    assert judge_course(more) != judge_course(whole)


def test_groups_of_one_mind_are_no_difference() -> None:
    assert judge_groups(np.ones(5), np.ones(9)) == 1.0
    assert judge_groups(np.array([0.5]), np.array([0.6])) == 1.0, "less than the correction"


@pytest.mark.parametrize(("claims", "needed"), [(0, 6), (1, 6), (2, 7), (3, 7), (4, 8), (7, 9)])
def test_pairs_that_are_needed_by_hand(claims: int, needed: int) -> None:
    """Of n programs that all change alike, the p-value is 2 / 2 ** n: 0.031 for 6, and 0.0625 for 5."""
    assert count_needed(claims) == needed
    level = LEVEL / max(1, claims)
    assert judge_pairs(np.ones(needed)) <= level < judge_pairs(np.ones(needed - 1))


@pytest.mark.parametrize("claims", [0, 1, 3, 10])
def test_programs_that_are_needed_in_two_groups_by_yates(claims: int) -> None:
    from scipy import stats

    def judge(size: int) -> float:
        few, many = size // 2, size - size // 2
        return float(stats.chi2_contingency([[few, 0], [0, many]], correction=True).pvalue)

    level = LEVEL / max(1, claims)
    assert count_needed_in_groups(claims) == next(size for size in range(2, 99) if judge(size) <= level)


@pytest.mark.parametrize(
    ("places", "claims", "needed"),
    [
        (3, 4, 5),  # Cochran's Q of n programs, all right at one place alone, is n (k - 1): exp(-5) < 0.0125 < exp(-4)
        (2, 4, 7),  # chi-square of 7 with 1 degree of freedom: 0.008; of 6: 0.014
        (11, 1, 2),
        (11, 0, 2),
    ],
)
def test_programs_that_are_needed_along_places_by_cochran(places: int, claims: int, needed: int) -> None:
    assert count_needed_along(places, claims) == needed
