"""Shares and samples: pure functions that every process computes alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.engine.sharing.sharding import Work, find_family, share
from pytest_codereason.questions.suites.reading import load

LONG = """
task = "output-prediction"
languages = ["python"]

[source]
name = "semtrace"
count = 40
seed = 3

[matrix]
position = [0, 100]
tokens = [0, 16000, 128000]
"""

WORK = st.lists(
    st.builds(
        lambda program, cost: Work(f"s.suite.toml::python/{program:04}", cost),
        st.integers(0, 30),
        st.sampled_from([1, 21, 81, 1281]),
    )
)


@given(WORK, st.integers(1, 6))
def test_parts_are_disjoint_ordered_and_cover_all(work: list[Work], n: int) -> None:
    parts = [share(work, n, k) for k in range(n)]
    assert sorted(i for part in parts for i in part) == list(range(len(work)))
    assert all(part == sorted(part) for part in parts)


@given(WORK, st.integers(1, 6))
def test_families_stay_together(work: list[Work], n: int) -> None:
    homes: dict[str, set[int]] = {}
    for k in range(n):
        for i in share(work, n, k):
            homes.setdefault(work[i].family, set()).add(k)
    assert all(len(home) == 1 for home in homes.values())


def test_work_is_spread_by_what_must_be_read() -> None:
    work = [Work(f"s::python/{i:04}", 81 if i % 2 else 1) for i in range(100)]
    sizes = [sum(work[i].cost for i in share(work, 2, k)) for k in range(2)]
    assert abs(sizes[0] - sizes[1]) <= 81


def test_questions_of_128_000_tokens_are_spread_over_the_workers(tmp_path: Path) -> None:
    path = tmp_path / "long.suite.toml"
    path.write_text(LONG)
    suite = load(path)
    specs = list(suite.specs())
    work = [Work(f"{spec.language}/{spec.program}", suite.cost_of(spec)) for spec in specs]
    assert {dict(spec.axes).get("tokens", 0): cost for spec, (_, cost) in zip(specs, work, strict=True)} == {
        0: 1,
        16_000: 161,
        128_000: 1281,
    }
    loads = [sum(work[i].cost for i in share(work, 4, k)) for k in range(4)]
    assert max(loads) <= 1.1 * min(loads)


def test_a_length_outside_the_matrix_counts_as_well(tmp_path: Path) -> None:
    path = tmp_path / "long.suite.toml"
    path.write_text("tokens = 128000\n" + LONG.replace("tokens = [0, 16000, 128000]", ""))
    suite = load(path)
    assert {suite.cost_of(spec) for spec in suite.specs()} == {1281}


def test_a_part_must_be_one_of_them() -> None:
    with pytest.raises(ValueError, match="part 2 of 2"):
        share([], 2, 2)
    with pytest.raises(ValueError, match="part -1 of 2"):
        share([], 2, -1)
    assert share([Work("a", 1)], 1, 0) == [0]


def test_each_family_goes_to_the_part_with_the_least_work() -> None:
    work = [Work("a", 3), Work("b", 1), Work("a", 1), Work("c", 1), Work("d", 1), Work("e", 2), Work("f", 1)]
    assert [share(work, 2, k) for k in range(2)] == [[0, 2, 6], [1, 3, 4, 5]]


def test_the_axes_of_a_question_are_not_its_family() -> None:
    assert find_family("s.suite.toml::m::python/0007[digits:2]") == "s.suite.toml::m::python/0007"
    assert find_family("test_a.py::test_b") == "test_a.py::test_b"
