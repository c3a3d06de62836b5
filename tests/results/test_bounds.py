"""Bounds: what a number would be if every truncated answer were wrong, or right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pytest_codereason.core import ANSWERED, TRUNCATED, Metric
from pytest_codereason.core.files.typed_json import convert
from pytest_codereason.results.measures.averages import Comparison, average_changes
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.measures.pairing import compare, number_pairs
from pytest_codereason.results.records.axes import select_value
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.values import Bounds, ChangeBounds, Delta
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
    assert convert(Metric, PARTIAL.describe()) == PARTIAL


EXACT = Metric(name="exact", title="Exact match")


def change(before: str, after: str, metric: Metric = EXACT, samples: int = 1) -> Delta:
    """The difference between answers to the same questions: ``c`` correct, ``w`` wrong, ``t`` truncated."""
    names = {"c": "correct", "w": "wrong", "t": "truncated"}
    rows = [
        make_row(
            id=f"{value}/{number // samples}",
            family=str(number // samples),
            sample=number % samples,
            axes={"perturbation": value},
            outcome=names[letter],
            metrics={"exact": float(letter == "c"), "partial": float(letter == "c")},
        )
        for value, letters in (("vanilla", before), ("hint", after))
        for number, letter in enumerate(letters)
    ]
    axes = {"language": ["python"], "perturbation": ["vanilla", "hint"]}
    data = RunData.build({"r": (parse_run(make_run(suites={"semtrace": axes}, models=["m"])), rows)})
    paired = number_pairs(data.records, data.suites["semtrace"], {"perturbation"})
    old, new = (select_value(paired, "perturbation", value) for value in axes["perturbation"])
    delta = compare(old, new, [metric])[metric.name]
    assert delta
    return delta


def test_a_fall_through_truncated_answers_may_be_none() -> None:
    delta = change("cccc", "cctt")
    assert (delta.value, delta.may_vanish) == (-0.5, True)
    assert delta.bounds == ChangeBounds(
        all_wrong=-0.5,
        all_right=0.0,
        lowest=-0.5,
        highest=0.0,
        relative_all_wrong=-0.5,
        relative_all_right=0.0,
        before=0,
        after=2,
    )


def test_truncated_answers_of_both_sides_widen_a_difference() -> None:
    bounds = change("cctw", "cwtw").bounds
    assert bounds is not None
    assert (bounds.all_wrong, bounds.all_right, bounds.lowest, bounds.highest) == (-0.25, -0.25, -0.5, 0.0)
    assert (bounds.before, bounds.after, bounds.truncated) == (1, 1, 2)
    assert bounds.relative_all_right == pytest.approx(-1 / 3)
    assert bounds.holds_zero, "the one after may be right, and the one before wrong"


def test_a_fall_that_truncated_answers_cannot_undo_stays_sure() -> None:
    assert not change("cccc", "wwwt").may_vanish
    assert change("cccc", "wwww").bounds is None
    assert change("wwww", "wwwt").bounds is not None
    assert change("wwww", "wwwt").bounds.relative_all_wrong is None  # type: ignore[union-attr]
    answered = Metric(name="exact", title="of those answered", of=ANSWERED)
    assert change("cccc", "cctt", answered).bounds is None


def test_a_truncated_sample_moves_the_difference_of_pass_at_k() -> None:
    bounds = change("ccccww", "ccwwtw", PASS, samples=2).bounds
    assert bounds is not None
    assert (bounds.all_wrong, bounds.all_right, bounds.after) == pytest.approx((-1 / 3, 0.0, 1))


def test_an_average_of_changes_has_the_average_of_their_bounds() -> None:
    columns = np.array([[1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
    cut = change("cc", "ct").bounds
    both = average_changes([Comparison("s", columns, 2, cut), Comparison("s", columns, 2)], [1, 1])
    assert both is not None
    assert both.bounds is not None
    assert (both.value, both.bounds.all_wrong, both.bounds.all_right) == (-0.5, -0.5, -0.25)
    assert (both.bounds.relative_all_right, both.bounds.before, both.bounds.after) == (-0.25, 0, 1)
    alone = average_changes([Comparison("s", columns, 2), Comparison("s", columns, 2)], [1, 1])
    assert alone is not None
    assert alone.bounds is None
