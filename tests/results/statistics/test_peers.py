"""Our statistics give what statsmodels gives, wherever both have the method. scipy judges in the files beside this."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_codereason.results.statistics import intervals
from pytest_codereason.results.statistics.chance import LEVEL, find_clear, judge_course, judge_pairs

pytestmark = pytest.mark.slow  # importing statsmodels takes seconds


@pytest.mark.parametrize(("right", "n"), [(0, 5), (3, 7), (61, 100), (400, 400), (399, 400)])
def test_wilson(right: int, n: int) -> None:
    from statsmodels.stats.proportion import proportion_confint

    expected = proportion_confint(right, n, method="wilson")
    assert intervals.wilson_interval(right / n, n) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("lost", "won"), [(0, 0), (1, 0), (8, 1), (30, 12), (200, 160)])
def test_exact_mcnemar(lost: int, won: int) -> None:
    from statsmodels.stats.contingency_tables import mcnemar

    changes = np.array([-1.0] * lost + [1.0] * won + [0.0] * 50)
    expected = mcnemar([[20, lost], [won, 30]], exact=True).pvalue
    assert judge_pairs(changes) == pytest.approx(expected)


def test_holm() -> None:
    from statsmodels.stats.multitest import multipletests

    random = np.random.default_rng(4)
    for _ in range(8):  # each time statsmodels looks for garbage, which takes half a second beside thousands of tests
        p_values = random.random(9) ** 4
        assert find_clear(list(p_values)) == list(multipletests(p_values, LEVEL, method="holm")[0])


def test_cochran() -> None:
    from statsmodels.stats.contingency_tables import cochrans_q

    values = (np.random.default_rng(3).random((80, 5)) < [0.5, 0.6, 0.4, 0.7, 0.6]).astype(float)
    assert judge_course(values) == pytest.approx(cochrans_q(values).pvalue, abs=0.002)


def test_effective_size_is_that_of_cluster_robust_errors() -> None:
    """The error of the mean that the effective size stands for is that of a regression on a constant, by cluster."""
    from statsmodels.api import OLS

    random = np.random.default_rng(2)
    sizes = random.integers(1, 6, 60).astype(np.float64)
    families = np.repeat(np.arange(60), sizes.astype(int))
    values = (random.random(len(families)) < random.random(60)[families]).astype(float)
    fit = OLS(values, np.ones_like(values)).fit(
        cov_type="cluster", cov_kwds={"groups": families, "use_correction": False}
    )
    variance = float(fit.bse[0]) ** 2 * 60 / 59  # our factor for few families
    n, share = len(values), float(values.mean())
    size = intervals.effective_size(np.bincount(families, weights=values).astype(np.float64), sizes)
    assert size < n
    assert size == pytest.approx(n * share * (1 - share) / (n - 1) / variance)
