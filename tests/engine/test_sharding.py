"""Shares and samples: pure functions that every process computes alike."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.engine.sharding import family, sample, share

IDS = st.lists(
    st.builds(
        lambda program, distractors, position: (
            f"s.suite.toml::python/{program:04}[distractors:{distractors},position:{position}]"
        ),
        st.integers(0, 30),
        st.sampled_from([0, 20, 80]),
        st.integers(0, 10),
    ),
    unique=True,
)


@given(IDS, st.integers(1, 6))
def test_parts_are_disjoint_ordered_and_cover_all(ids: list[str], n: int) -> None:
    parts = [share(ids, n, k) for k in range(n)]
    assert sorted(i for part in parts for i in part) == list(range(len(ids)))
    assert all(part == sorted(part) for part in parts)


@given(IDS, st.integers(1, 6))
def test_families_stay_together(ids: list[str], n: int) -> None:
    homes: dict[str, set[int]] = {}
    for k in range(n):
        for i in share(ids, n, k):
            homes.setdefault(family(ids[i]), set()).add(k)
    assert all(len(home) == 1 for home in homes.values())


def test_work_is_spread_by_what_must_be_read() -> None:
    ids = [f"s::python/{i:04}[distractors:{80 if i % 2 else 0}]" for i in range(100)]
    sizes = [sum(81 if "80]" in ids[i] else 1 for i in share(ids, 2, k)) for k in range(2)]
    assert abs(sizes[0] - sizes[1]) <= 81


def test_a_part_must_be_one_of_them() -> None:
    with pytest.raises(ValueError, match="part 2 of 2"):
        share([], 2, 2)


ROWS = list(product(["python", "php"], [f"{i:04}" for i in range(30)], ["direct", "cot"]))


@given(st.integers(0, len(ROWS)), st.integers(0, len(ROWS)))
def test_a_smaller_sample_is_part_of_a_larger(a: int, b: int) -> None:
    small, large = sorted((a, b))
    assert sample(ROWS, small, "x") <= sample(ROWS, large, "x")
    assert len(sample(ROWS, large, "x")) == large


def test_a_sample_is_spread_evenly_and_over_the_same_programs() -> None:
    chosen = [ROWS[i] for i in sample(ROWS, 20, "x")]
    assert set(Counter((language, cell) for language, _, cell in chosen).values()) == {5}
    assert len({program for _, program, _ in chosen}) == 5


def test_the_order_decides_which_programs() -> None:
    assert sample(ROWS, 8, "x") != sample(ROWS, 8, "y")
