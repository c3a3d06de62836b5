"""Kendall's tau, beside SciPy's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from pytest_codereason.results.statistics.rank_order import kendall_tau

PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12)


@given(PAIRS)
def test_it_is_scipys(pairs: list[tuple[int, int]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    tau = kendall_tau(one, other)
    if len({*one}) == 1 or len({*other}) == 1:
        assert tau is None
    else:
        assert tau == pytest.approx(float(kendalltau(one, other).statistic))


def test_the_example() -> None:
    assert kendall_tau([0.2, 0.5, 0.9], [0.1, 0.4, 0.3]) == pytest.approx(1 / 3)
