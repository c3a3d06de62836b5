"""What is never pooled: perturbed with plain questions, direct with chain of thought; and models that guess."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_codereason.reports.conclusion import draw_pictures
from pytest_codereason.reports.words.worded import word_picture
from pytest_codereason.results.figures.position import PositionFigure
from pytest_codereason.results.figures.robustness import Robustness
from pytest_codereason.results.measures.summary import summarise
from pytest_codereason.results.records.axes import list_conditions
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.values import Delta
from tests.results.figures.rows import answers, data, record, run

AXES: dict[str, list[Any]] = {"perturbation": ["vanilla", "rename", "hint"], "prompting": ["direct", "cot"]}
CELLS = [{"perturbation": p, "prompting": w} for p in AXES["perturbation"] for w in AXES["prompting"]]
#: Right answers of 10 under each condition.
RIGHT = {("vanilla", "direct"): 6, ("vanilla", "cot"): 9, ("hint", "direct"): 1, ("hint", "cot"): 8}


def make_data(**models: dict[str, Any]) -> RunData:
    rows = [
        record("s", model, program, cell, program < RIGHT.get((cell["perturbation"], cell["prompting"]), 5))
        for model in models
        for program in range(10)
        for cell in CELLS
    ]
    of = run({"s": ("output-prediction", AXES)}, models)
    return data(rows, {**of, "models": {label: {"identity": identity} for label, identity in models.items()}})


def test_the_headline_is_of_the_plain_question_in_each_way_of_prompting() -> None:
    model = summarise(make_data(m={})).suites["s"].models["m"]
    assert [(each.where, each.metrics["exact"].value) for each in model.headlines] == [
        ({"perturbation": "vanilla", "prompting": "direct"}, 0.6),
        ({"perturbation": "vanilla", "prompting": "cot"}, 0.9),
    ]
    assert model.metrics["exact"].value == pytest.approx((6 + 9 + 1 + 8 + 5 + 5) / 60), "what a gate judges"


def test_the_values_of_an_axis_are_compared_in_one_condition() -> None:
    model = summarise(make_data(m={})).suites["s"].models["m"]
    assert [(sweep.axis, sweep.where) for sweep in model.sweeps] == [
        ("perturbation", {"prompting": "direct"}),
        ("perturbation", {"prompting": "cot"}),
        ("prompting", {"perturbation": "vanilla"}),
    ]
    changes = [delta.value for sweep in model.sweeps for each in sweep.entries if (delta := each.deltas["exact"])]
    assert changes == pytest.approx([-0.1, -0.5, -0.4, -0.1, 0.3])
    assert not any(each.deltas["exact"] for entries in model.axes.values() for each in entries), "these would pool"


def test_a_suite_without_such_axes_has_one_headline_of_everything() -> None:
    assert list_conditions({"language": ["python", "php"], "digits": [2, 3]}) == [{}]
    assert list_conditions({"perturbation": ["rename", "hint"]}) == [{"perturbation": "rename"}], "the first stands in"
    assert list_conditions({"defence": ["none", "refactor"], "prompting": ["cot"]}) == [{"defence": "none"}]


def test_a_delta_is_the_same_in_the_summary_and_in_the_table_of_drops() -> None:
    """Two hundred programs and a graded metric beside the headline: the intervals come from resamples."""
    rows = answers("s", "m", 200, CELLS, lambda cell: 0.9 if cell["perturbation"] == "vanilla" else 0.6)
    for i, row in enumerate(rows):
        row["metrics"]["partial"] = (i * 37 % 101) / 100
    drawn = data(rows, run({"s": ("output-prediction", AXES)}, ["m"]))
    model = summarise(drawn).suites["s"].models["m"]
    (picture,) = Robustness().pictures(drawn)
    assert picture.table is not None
    in_table = [delta for row in picture.table.named_rows() if isinstance(delta := row["change"], Delta)]
    in_summary = [
        each.deltas["exact"]
        for sweep in model.sweeps
        if sweep.axis == "perturbation"
        for each in sweep.entries
        if each.deltas["exact"]
    ]
    assert len(in_table) == 4
    assert sorted(in_table, key=repr) == sorted(in_summary, key=repr)


def test_a_change_between_positions_is_the_same_in_the_summary_and_in_the_figure() -> None:
    axes = {"distractors": [80], "position": [0, 50, 100]}
    cells = [{"distractors": 80, "position": position} for position in axes["position"]]
    rows = answers("s", "m", 100, cells, lambda cell: 0.9 if cell["position"] == 0 else 0.5)
    drawn = data(rows, run({"s": ("output-prediction", axes)}, ["m"]))
    (sweep,) = summarise(drawn).suites["s"].models["m"].sweeps
    change = next(p for p in PositionFigure().pictures(drawn) if p.kind == "position-change")
    for point, each in zip(change.panels[0].lines["m"][1:], sweep.entries[1:], strict=True):
        delta = each.deltas["exact"]
        assert delta
        assert (delta.relative, delta.relative_low, delta.relative_high) == tuple(
            None if value is None else pytest.approx(value / 100) for value in (point.value, point.low, point.high)
        )


def test_a_model_that_guesses_has_no_headline_and_no_sentence() -> None:
    both = make_data(**{"baseline:chance": {"baseline": "chance"}, "m": {}})
    models = summarise(both).suites["s"].models
    assert not models["baseline:chance"].headlines
    assert models["baseline:chance"].metrics["exact"].n == 60, "its numbers stay, as a scale"
    assert len(models["m"].headlines) == 2
    pictures, _ = draw_pictures(both)
    robustness = word_picture(next(picture for picture in pictures if picture.kind == "robustness"))
    assert "baseline:chance" not in robustness.sentence
    assert "(4 changes looked at together)" in robustness.sentence, "those of m alone"
    assert sum(row[0] == "baseline:chance" for row in robustness.rows) == 6
    alone = replace(robustness.picture, unspoken=frozenset({"baseline:chance", "m"}))
    assert word_picture(alone).sentence == ""
