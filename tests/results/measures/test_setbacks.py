"""Where one model is clearly worse than another, held against McNemar's test with Holm's correction."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from scipy.stats import binomtest

from pytest_codereason.results.measures.pairing import number_pairs
from pytest_codereason.results.measures.setbacks import MOST_MODELS, Setback, find_setbacks, leave_out_led
from tests.results.synthetic import build_data, make_row, make_run

WAYS = ("vanilla", "rename", "comments")
Outcomes = Mapping[str, Mapping[str, Sequence[str]]]  # by model and way


def find(outcomes: Outcomes, *, metric: Mapping[str, Any] | None = None) -> tuple[Setback, ...]:
    run = make_run(models=[*outcomes], suites={"semtrace": {"language": ["python"], "perturbation": [*WAYS]}})
    for name in run["models"]:
        provider, _, what = name.partition(":")
        run["models"][name]["identity"] = {provider: what or "x"}
    if metric:
        run["suites"]["semtrace"]["metrics"] = [metric]
    rows = [
        make_row(
            id=f"python/{program}[perturbation:{way}]",
            family=str(program),
            axes={"perturbation": way},
            model=model,
            outcome=outcome,
            metrics={"exact": float(outcome == "correct"), "lost": float(outcome == "wrong")},
        )
        for model, ways in outcomes.items()
        for way, all_outcomes in ways.items()
        for program, outcome in enumerate(all_outcomes)
    ]
    data = build_data(run, rows)
    suite = data.suites["semtrace"]
    return find_setbacks(data, suite, number_pairs(data.select_suite("semtrace"), suite, {"model", "run"}))


def right(first: int, of: int = 60, otherwise: str = "wrong") -> list[str]:
    return ["correct"] * first + [otherwise] * (of - first)


def same(first: int) -> dict[str, list[str]]:
    return {way: right(first) for way in WAYS}


def test_a_model_that_loses_at_one_value_is_worse_there() -> None:
    (only,) = find({"old": same(50), "new": {**same(50), "rename": right(25)}})
    assert (only.axis, only.value, only.worse, only.better) == ("perturbation", "rename", "new", "old")
    assert only.delta.value == pytest.approx(-25 / 60)
    assert only.delta.flips is not None
    assert (only.delta.flips.lost, only.delta.flips.won, only.delta.pairs) == (25, 0, 60)
    assert only.compared == 3
    (turned,) = find({"new": {**same(50), "rename": right(25)}, "old": same(50)})
    assert (turned.worse, turned.delta) == (only.worse, only.delta), "the order of the models does not matter"


def test_the_largest_difference_comes_first() -> None:
    found = find({"old": same(50), "new": {"vanilla": right(50), "rename": right(35), "comments": right(20)}})
    assert [each.value for each in found] == ["comments", "rename"]


@pytest.mark.parametrize("seed", range(6))
def test_it_is_mcnemars_test_with_holms_correction(seed: int) -> None:
    draw = random.Random(seed)
    outcomes = {
        model: {
            way: ["correct" if draw.random() < share else "wrong" for _ in range(80)]
            for way, share in zip(WAYS, shares, strict=True)
        }
        for model, shares in (("old", (0.8, 0.8, 0.8)), ("new", (0.8, 0.62, 0.5)))
    }
    p_values = {}
    for way in WAYS:
        pairs = [*zip(outcomes["old"][way], outcomes["new"][way], strict=True)]
        lost, won = pairs.count(("correct", "wrong")), pairs.count(("wrong", "correct"))
        p_values[way] = binomtest(lost, lost + won).pvalue if lost + won else 1.0
    expected = set()
    for rank, way in enumerate(sorted(p_values, key=p_values.__getitem__)):
        if p_values[way] > 0.05 / (3 - rank):
            break
        expected.add(way)
    assert {each.value for each in find(outcomes)} == expected


def test_more_models_make_it_harder() -> None:
    """7 of 7 pairs lost is clear in one comparison of three, and not in one of nine."""
    two = {"old": same(50), "new": {**same(50), "rename": right(43)}}
    assert [each.value for each in find(two)] == ["rename"]
    assert find({**two, "third": {**same(50), "rename": right(47)}}) == ()


def test_answers_that_the_limit_cut_off_make_nothing_certain() -> None:
    assert find({"old": same(50), "new": {**same(50), "rename": right(25, otherwise="truncated")}}) == ()


def test_where_less_is_better_more_is_worse() -> None:
    lost = {"name": "lost", "title": "Lost", "of": ["correct", "wrong"], "binary": True, "higher_is_better": False}
    (only,) = find({"old": same(50), "new": {**same(50), "rename": right(25)}}, metric=lost)
    assert (only.worse, only.better) == ("new", "old")
    assert only.delta.value == pytest.approx(25 / 60)


def test_of_one_model_of_scales_and_of_very_many_nothing_is_said() -> None:
    worse = {**same(50), "rename": right(5)}
    assert find({"only": worse}) == ()
    assert find({"old": same(50), "baseline:chance": worse}) == ()
    assert find({f"m{number}": same(50) for number in range(MOST_MODELS)} | {"new": worse}) == ()
    assert find({f"m{number}": same(50) for number in range(MOST_MODELS - 1)} | {"new": worse}) != ()


def test_what_a_lead_says_is_left_out() -> None:
    (only,) = find({"old": same(50), "new": {**same(50), "rename": right(25)}})
    assert leave_out_led([only], [("old", "new")]) == []
    assert leave_out_led([only], [("new", "old"), ("old", "third")]) == [only]
