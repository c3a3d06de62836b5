"""pass@k against what it stands for: the share of k-subsets of the samples with a right one."""

from __future__ import annotations

import itertools
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core import Metric
from pytest_codereason.core.answers import make_pass_every
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.measures.pairing import compare
from pytest_codereason.results.records.records import load_records
from tests.results.synthetic import make_row

SAMPLES = st.lists(st.lists(st.booleans(), min_size=5, max_size=8), min_size=1, max_size=4)


def metric(k: int) -> Metric:
    return Metric(name=f"pass@{k}", title=f"pass@{k}", binary=False, k=k)


def frame(instances: list[list[bool]], outcome: str = "wrong", **axes: Any) -> pd.DataFrame:
    rows = [
        make_row(
            id=f"python/{i}", family=str(i), sample=s, outcome="correct" if right else outcome, metrics={}, axes=axes
        )
        for i, samples in enumerate(instances)
        for s, right in enumerate(samples)
    ]
    return load_records({"run": rows})[0]


@pytest.mark.slow
@given(SAMPLES, st.integers(1, 5))
def test_it_is_the_chance_of_a_right_one_among_k_drawn_without_replacement(instances: list[list[bool]], k: int) -> None:
    shares = [
        sum(any(subset) for subset in subsets) / len(subsets)
        for subsets in (list(itertools.combinations(samples, k)) for samples in instances)
    ]
    estimate = estimate_metric(frame(instances), metric(k))
    assert estimate.value == pytest.approx(sum(shares) / len(shares))
    assert estimate.n == len(instances)


@pytest.mark.slow
@given(SAMPLES, st.integers(1, 5))
def test_pass_every_is_the_chance_that_all_of_k_are_right(instances: list[list[bool]], k: int) -> None:
    shares = [
        sum(all(subset) for subset in subsets) / len(subsets)
        for subsets in (list(itertools.combinations(samples, k)) for samples in instances)
    ]
    estimate = estimate_metric(frame(instances), make_pass_every(k))
    assert estimate.value == pytest.approx(sum(shares) / len(shares))
    assert estimate.n == len(instances)


@pytest.mark.slow
@given(SAMPLES)
def test_pass_at_1_is_the_mean_over_instances(instances: list[list[bool]]) -> None:
    value = estimate_metric(frame(instances), metric(1)).value
    assert value == pytest.approx(sum(sum(s) / len(s) for s in instances) / len(instances))


def test_an_instance_with_fewer_answers_than_k_has_none() -> None:
    records = frame([[True] * 5, [True, True, False, False, False]], outcome="error")
    assert estimate_metric(records, metric(5)).n == 1
    assert estimate_metric(records, metric(2)).n == 2
    assert estimate_metric(frame([[True]]), metric(5)).value is None


def test_malformed_answers_stay_in_the_denominator() -> None:
    assert estimate_metric(frame([[True] + [False] * 9], outcome="invalid"), metric(1)).value == pytest.approx(0.1)


def test_instances_are_compared_pair_by_pair() -> None:
    before, after = frame([[True] * 5, [False] * 5]), frame([[False] * 5, [False] * 5])
    numbers = [part["family"].cat.codes * 10 + part["sample"] for part in (before, after)]
    both = [part.assign(pair=own, question=own) for part, own in zip((before, after), numbers, strict=True)]
    delta = compare(both[0], both[1], [metric(5)])["pass@5"]
    assert delta
    assert (delta.value, delta.pairs) == (-0.5, 2)


def test_an_instance_without_its_first_sample_pairs_up_all_the_same() -> None:
    axes = {"before": ["error", "correct", "correct"], "after": ["wrong", "error", "correct"]}
    records, _ = load_records(
        {
            "run": [
                make_row(id=f"python/0[{side}]", family="0", sample=s, outcome=outcome, metrics={}, axes={"side": side})
                for side, outcomes in axes.items()
                for s, outcome in enumerate(outcomes)
            ]
        }
    )
    records = records.assign(pair=records["sample"], question=records["sample"])
    before, after = (records[records["axes.side"] == side] for side in axes)
    change = compare(before, after, [metric(1)])["pass@1"]
    assert change
    assert (change.value, change.pairs) == (-0.5, 1)
