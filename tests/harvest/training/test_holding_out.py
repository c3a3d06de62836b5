"""Whole repositories are held out, as many as the share asks for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.errors import UsageError
from pytest_codereason.harvest.training.holding_out import hold_out


def make_rows(sizes: list[int]) -> list[dict[str, Any]]:
    return [
        {"id": f"{i}-{j}", "family": f"f{i}-{j}", "repository": f"r{i}"} for i, n in enumerate(sizes) for j in range(n)
    ]


@given(st.lists(st.integers(1, 9), min_size=2, max_size=12), st.floats(0.01, 0.5), st.integers(0, 99))
def test_no_repository_is_on_both_sides(sizes: list[int], share: float, seed: int) -> None:
    rows = make_rows(sizes)
    try:
        slices = hold_out(rows, share, seed)
    except UsageError:
        return
    sides = [{row["repository"] for row in side} for side in (slices.training, slices.held_out)]
    assert not sides[0] & sides[1]
    assert sorted(str(row["id"]) for row in (*slices.training, *slices.held_out)) == sorted(
        str(row["id"]) for row in rows
    )
    assert len(slices.held_out) >= share * len(rows)
    assert slices == hold_out(rows[::-1], share, seed)._replace(training=slices.training, held_out=slices.held_out)


def test_large_repositories_are_passed_over_while_there_are_small_ones() -> None:
    for seed in range(20):
        assert hold_out(make_rows([80, 10, 10]), 0.1, seed).groups in (["r1"], ["r2"])


def test_rows_without_a_repository_are_told_apart_by_their_program() -> None:
    rows = [{"id": str(i), "family": f"f{i // 2}", "repository": ""} for i in range(20)]
    slices = hold_out(rows, 0.2, 0)
    assert len(slices.groups) == 2
    assert len(slices.held_out) == 4


def test_nothing_is_held_out_for_a_share_of_nothing() -> None:
    assert hold_out(make_rows([3]), 0, 0).held_out == []


def test_one_repository_cannot_be_divided() -> None:
    with pytest.raises(UsageError, match="1 repositor"):
        hold_out(make_rows([9]), 0.1, 0)
