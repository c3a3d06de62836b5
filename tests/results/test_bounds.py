"""Bounds: what a number would be if every truncated answer were wrong, or right."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core import ANSWERED, TRUNCATED, Metric
from pytest_codereason.results.measures import estimate_metric
from pytest_codereason.results.run_data import RunData
from pytest_codereason.results.run_info import parse_metric, parse_run
from pytest_codereason.results.values import Bounds
from tests.results.synthetic import make_row, make_run

PARTIAL = Metric(name="partial", title="Partial match", binary=False, proportion=True)
PASS = Metric(name="pass@2", title="pass@2", binary=False, k=2)


def read_answers(*answers: tuple[str, float], samples: int = 1) -> Any:
    """Records with these outcomes and partial matches, so many samples a program."""
    rows = [
        make_row(
            id=f"python/{number // samples:04}",
            family=f"{number // samples:04}",
            sample=number % samples,
            outcome=outcome,
            metrics={"exact": float(outcome == "correct"), "partial": partial},
        )
        for number, (outcome, partial) in enumerate(answers)
    ]
    run = make_run(suites={"semtrace": {"language": ["python"]}}, models=["m"])
    return RunData.build({"r": (parse_run(run), rows)}).records


def test_a_truncated_answer_adds_from_nothing_to_all_to_a_partial_match() -> None:
    part = read_answers(("correct", 1.0), ("wrong", 0.5), ("truncated", 0.25), ("truncated", 0.0))
    estimate = estimate_metric(part, PARTIAL)
    assert estimate.value == pytest.approx(1.75 / 4)
    assert estimate.bounds == Bounds(all_wrong=1.5 / 4, all_right=3.5 / 4, truncated=2)


def test_a_truncated_sample_may_be_the_right_one_of_several() -> None:
    first = [("wrong", 0.0), ("truncated", 0.0), ("wrong", 0.0)]
    second = [("correct", 1.0), ("wrong", 0.0), ("wrong", 0.0)]
    estimate = estimate_metric(read_answers(*first, *second, samples=3), PASS)
    assert estimate.value == pytest.approx(1 / 3)
    assert estimate.bounds is not None
    assert estimate.bounds.all_wrong == estimate.value
    assert estimate.bounds.all_right == pytest.approx(2 / 3)
    assert estimate.bounds.truncated == 1


@pytest.mark.parametrize(
    "metric",
    [
        Metric(name="partial", title="of any size", binary=False),
        Metric(name="partial", title="of those answered", binary=False, proportion=True, of=ANSWERED),
        Metric(name="exact", title="a mistake", higher_is_better=False),
        TRUNCATED,
    ],
    ids=lambda metric: metric.title,
)
def test_other_metrics_have_no_bounds(metric: Metric) -> None:
    assert estimate_metric(read_answers(("correct", 1.0), ("truncated", 0.0)), metric).bounds is None


@pytest.mark.parametrize("metric", [PARTIAL, PASS])
def test_nothing_truncated_has_no_bounds(metric: Metric) -> None:
    answers = [("correct", 1.0), ("wrong", 0.5)]
    assert estimate_metric(read_answers(*answers, samples=2), metric).bounds is None


def test_a_run_remembers_which_metrics_are_proportions() -> None:
    assert parse_metric(PARTIAL.describe()) == PARTIAL
