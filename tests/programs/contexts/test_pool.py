"""Pools of distractors."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.errors import UsageError
from pytest_codereason.programs.contexts.corpora import freeze, load
from pytest_codereason.programs.contexts.pool import Distractor, Pool, keep_middle_half


def pool(size: int = 50) -> Pool:
    return Pool("test", "python", [Distractor(f"g{i}", f"def g{i}():\n    return {i}") for i in range(size)])


@given(st.integers(), st.integers(0, 60))
def test_a_longer_draw_begins_with_a_shorter(seed: int, count: int) -> None:
    order = pool().draw_order(seed, "f", count)
    assert len(order) == len(set(order)) == min(count, 50)
    assert pool().draw_order(seed, "f", count + 5)[: len(order)] == order


def test_none_has_the_name_of_the_target() -> None:
    for seed in range(20):
        names = [d.name for d in pool().draw_order(seed, "g7", 50)]
        assert sorted(names) == sorted(f"g{i}" for i in range(50) if i != 7)


def test_every_function_is_as_likely_as_any_other() -> None:
    firsts = [int(pool(10).draw_order(seed, "f", 1)[0].name[1:]) for seed in range(4000)]
    counts = [firsts.count(i) for i in range(10)]
    assert abs(statistics.mean(firsts) - 4.5) < 0.25
    assert 300 < min(counts) <= max(counts) < 500


@given(st.lists(st.integers(1, 400), min_size=4, max_size=40, unique=True))
def test_the_middle_half_by_characters(lengths: list[int]) -> None:
    functions = [Distractor("g", "x" * n) for n in lengths]
    kept_lengths = sorted(len(f.source) for f in keep_middle_half(functions))
    ordered = sorted(lengths)
    low, high = ordered[-(-len(ordered) // 4) - 1], ordered[-(-3 * len(ordered) // 4) - 1]
    assert kept_lengths == [n for n in ordered if low <= n <= high]


def test_a_text_counts_once_and_empty_ones_not_at_all() -> None:
    functions = [Distractor("g", "aa"), Distractor("h", "aa\n"), Distractor("i", " "), Distractor("j", "bb")]
    assert [f.source for f in keep_middle_half(functions)] == ["aa", "bb"]
    assert keep_middle_half([]) == []


def test_a_frozen_pool_reads_back(tmp_path: Path) -> None:
    first = pool()
    freeze(first, tmp_path)
    again = load(str(tmp_path), "python")
    assert again.functions == first.functions
    assert again.sha == first.sha


def test_a_missing_or_damaged_pool_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no pool of php distractors"):
        load(str(tmp_path), "php")
    (tmp_path / "php.jsonl").write_text('{"name": "a", "source": "b"}\n{"name": "a"}\n')
    with pytest.raises(UsageError, match=r"php\.jsonl:2: "):
        load(str(tmp_path), "php")
