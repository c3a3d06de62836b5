"""Whether models rank and fall alike, for models whose answers are known."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from scipy.stats import kendalltau

from pytest_codereason.results.figures.consistency import Consistency
from tests.results.figures.rows import Shown, record, run, show

VALUES = ["vanilla", "comments", "prints"]
#: Right answers of 20 programs unchanged, under comments, and under prints, by data set and model.
RIGHT: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    "crux": {"a": (20, 10, 12), "b": (16, 12, 8), "c": (10, 9, 8)},
    "lcb": {"a": (18, 12, 14), "b": (12, 4, 8), "c": (20, 10, 9)},
}


def show_data(right: Mapping[str, Mapping[str, tuple[int, ...]]], baselines: tuple[str, ...] = ()) -> list[Shown]:
    rows = [
        record(suite, model, program, {"perturbation": value}, program < hits)
        for suite, models in right.items()
        for model, counts in models.items()
        for value, hits in zip(VALUES, counts, strict=True)
        for program in range(20)
    ]
    models = dict.fromkeys(model for each in right.values() for model in each)
    of = run(dict.fromkeys(right, ("output-prediction", {"perturbation": VALUES})), models)
    for name in baselines:
        of["models"][name] = {"identity": {"baseline": name}}
    return show(Consistency(), rows, of)


def change(counts: tuple[int, ...], which: int) -> float:
    return counts[which] / counts[0] - 1


def test_the_notes_and_the_orders_by_hand() -> None:
    (picture,) = show_data(RIGHT)
    (row,) = picture.rows
    sides = [(RIGHT["crux"][model], RIGHT["lcb"][model]) for model in "abc"]
    first = [(change(x, 1) > change(y, 1)) == (change(x, 2) > change(y, 2)) for x, y in sides]
    second = [(change(x, 1) > change(x, 2)) == (change(y, 1) > change(y, 2)) for x, y in sides]
    assert (sum(first), sum(second)) == (2, 2), "the example tells the notes from chance"
    drops = [[(change(side[i], 1) + change(side[i], 2)) / 2 for side in sides] for i in (0, 1)]
    rank = kendalltau(*([side[i][0] for side in sides] for i in (0, 1))).statistic
    assert row == (
        "crux and lcb",
        "",
        "3",
        "2 of 3 (66.7 %)",
        "2 of 3 (66.7 %)",
        f"{rank:.2f}".replace("-", "−"),
        f"{kendalltau(*drops).statistic:.2f}".replace("-", "−"),
    )


def test_baselines_do_not_count_and_two_models_have_no_order() -> None:
    right = {suite: {model: models[model] for model in "ab"} for suite, models in RIGHT.items()}
    with_scale: Mapping[str, Mapping[str, tuple[int, ...]]] = {
        suite: {**models, "truth": (20, 20, 20)} for suite, models in right.items()
    }
    (alone,), (beside,) = show_data(right), show_data(with_scale, ("truth",))
    assert alone.rows == beside.rows
    assert alone.rows[0][-2:] == ("too few", "too few")


def test_one_data_set_in_one_way_has_nothing_to_be_compared_with() -> None:
    assert show_data({"crux": RIGHT["crux"]}) == []


def test_two_ways_of_asking_are_two_sides() -> None:
    rows = [
        record("s", model, program, {"perturbation": value, "prompting": way}, program < hits)
        for way, suite in (("direct", "crux"), ("cot", "lcb"))
        for model, counts in RIGHT[suite].items()
        for value, hits in zip(VALUES, counts, strict=True)
        for program in range(20)
    ]
    axes = {"perturbation": VALUES, "prompting": ["direct", "cot"]}
    (picture,) = show(Consistency(), rows, run({"s": ("output-prediction", axes)}, "abc"))
    (row,) = picture.rows
    assert row[:2] == ("direct and cot", "s")
    assert row[2:] == show_data(RIGHT)[0].rows[0][2:]


def test_both_messages_and_more_are_enough() -> None:
    """A third perturbation changes neither count, only what an average drop is."""
    values = [*VALUES, "hint"]
    rows = [
        record(suite, model, program, {"perturbation": value}, program < hits)
        for suite, models in RIGHT.items()
        for model, counts in models.items()
        for value, hits in zip(values, (*counts, counts[0]), strict=True)
        for program in range(20)
    ]
    of = run(dict.fromkeys(RIGHT, ("output-prediction", {"perturbation": values})), "abc")
    (picture,) = show(Consistency(), rows, of)
    assert picture.rows[0][:6] == show_data(RIGHT)[0].rows[0][:6]
    assert [key for key, _ in picture.columns] == ["compared", "same", "models", "messages", "forms", "rank", "fall"]
    assert picture.of == {"suite": "crux, lcb", "task": "output-prediction", "language": "python"}


@pytest.mark.parametrize(
    "axes",
    [
        {"perturbation": ["vanilla", "comments"]},
        {"perturbation": ["comments", "prints"]},
        {"perturbation": VALUES, "defence": ["none", "refactor"]},
    ],
)
def test_without_both_messages_beside_the_plain_program_there_is_nothing_to_say(axes: dict[str, list[str]]) -> None:
    cells = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    rows = [record(suite, m, 0, cell, True) for suite in ("crux", "lcb") for m in "abc" for cell in cells]
    of = run(dict.fromkeys(("crux", "lcb"), ("output-prediction", axes)), "abc")
    assert show(Consistency(), rows, of) == []
