"""Largest drops and their medians, against numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.results.figures.largest_drops import LargestDrops
from tests.results.figures.rows import record, run, show


def test_largest_drops_and_their_medians_over_models_by_hand() -> None:
    """Right answers of 10 at positions 0, 50, 100, with 20 and with 80 distractors."""
    right = {
        "a": {20: (10, 8, 10), 80: (10, 5, 9)},  # drops by 20 % and 50 %
        "b": {20: (5, 5, 5), 80: (4, 1, 2)},  # 0 % and 75 %
        "c": {20: (8, 10, 10), 80: (10, 10, 0)},  # 20 % and 100 %
        "never": {20: (0, 0, 0), 80: (0, 0, 0)},
        "baseline:chance": {20: (10, 0, 0), 80: (10, 0, 0)},
        "baseline:truth": {20: (10, 10, 10), 80: (10, 10, 10)},
    }
    places = (0, 50, 100)
    rows = [
        record("recall", model, program, {"distractors": length, "position": place}, program < hits)
        for model, lengths in right.items()
        for length, counts in lengths.items()
        for place, hits in zip(places, counts, strict=True)
        for program in range(10)
    ]
    of = run({"recall": ("output-prediction", {"distractors": [20, 80], "position": list(places)})}, right)
    for baseline in ("chance", "truth"):
        of["models"][f"baseline:{baseline}"] = {"identity": {"baseline": baseline}}
    (picture,) = show(LargestDrops(), rows, of)
    cells = {(row[0], row[1]): (row[4].split(" [")[0], row[5].split(" [")[0]) for row in picture.rows}
    assert cells["a", "80 distractors"] == ("−0.500", "−50.0 %") or cells["a", "80 distractors"] == ("−0.500", "−50.0")
    medians = {length: change for (name, length), change in cells.items() if name.startswith("median")}
    assert medians == {
        "20 distractors": ("−0.200", "−20.0 %"),
        "80 distractors": ("−0.500", "−75.0 %"),
        "all lengths": ("−0.500", "−75.0 %"),
    }
    assert ("never", "20 distractors") in cells
    assert ("baseline:truth", "20 distractors") in cells, "a scale, which the medians do not count"
    assert not any(name == "baseline:chance" for name, _ in cells)
    assert picture.sentence.startswith("Median over 3 models, 1 never right, all lengths: −75.0 %, by chance alone −")
    chances = {
        (row[0], row[1]): float(row[6].removesuffix(" %").replace("−", "-")) for row in picture.rows if "%" in row[6]
    }
    assert chances["b", "20 distractors"] == 0, "all answers about a program are alike, so no order makes a drop"
    assert -75 < chances["b", "80 distractors"] < -10
    medians_by_chance = {length: value for (name, length), value in chances.items() if name.startswith("median")}
    assert -20 < medians_by_chance["20 distractors"] < 0
    assert -75 < medians_by_chance["80 distractors"] < medians_by_chance["20 distractors"]
    assert medians_by_chance["all lengths"] <= medians_by_chance["80 distractors"], "the largest of two drops"
    ends = {(row[0], row[1]): (row[2].partition(" ")[0], row[3].partition(" ")[0]) for row in picture.rows}
    assert ends["a", "80 distractors"] == ("1.000", "0.500")
    assert ends["c", "20 distractors"] == ("1.000", "0.800")
    assert ends["never", "80 distractors"] == ("never", "never")
    assert [key for key, _ in picture.columns] == ["model", "length", "best", "worst", "points", "relative", "chance"]
    assert (picture.of, picture.picture.in_terminal) == ({"suite": "recall", "language": "python"}, True)


@pytest.mark.parametrize(
    ("outcomes", "name"),
    [
        ({"a": "correct", "b": "error"}, "median over 1 model, 1 unanswered"),
        ({"a": "correct", "b": "error", "c": "wrong"}, "median over 1 model, 1 unanswered, 1 never right"),
        ({"a": "skipped", "b": "skipped"}, "median over 0 models, 2 skipped"),
    ],
)
def test_the_median_says_why_a_model_has_no_drop(outcomes: dict[str, str], name: str) -> None:
    rows = [
        record("recall", model, program, {"position": place}, outcome == "correct")
        | {"outcome": outcome, **({"metrics": {}} if outcome == "skipped" else {})}
        for model, outcome in outcomes.items()
        for place in (0, 50, 100)
        for program in range(4)
    ]
    (picture,) = show(
        LargestDrops(), rows, run({"recall": ("output-prediction", {"position": [0, 50, 100]})}, outcomes)
    )
    assert picture.rows[-1][0] == name


def test_a_model_without_answers_has_no_row() -> None:
    rows = [
        record("recall", model, program, {"position": place}, place == 0, language=language)
        for model, language in (("a", "python"), ("b", "python"), ("b", "php"))
        for place in (0, 100)
        for program in range(4)
    ]
    axes: dict[str, list[Any]] = {"language": ["python", "php"], "position": [0, 100]}
    python, php = show(LargestDrops(), rows, run({"recall": ("output-prediction", axes)}, ["a", "b"]))
    assert [row[0] for row in python.rows] == ["a", "b", "median over 2 models"]
    assert [row[0] for row in php.rows] == ["b"], "one model has no median"


def test_the_median_is_over_lines_of_the_same_other_values() -> None:
    """With two digits all of ten are lost at the end, with six none."""
    rows = [
        record("recall", model, program, {"position": place, "digits": digits}, digits == 6 or place == 0)
        for model in ("a", "b")
        for digits in (2, 6)
        for place in (0, 100)
        for program in range(10)
    ]
    axes = {"digits": [2, 6], "position": [0, 100]}
    (picture,) = show(LargestDrops(), rows, run({"recall": ("output-prediction", axes)}, ["a", "b"]))
    medians = {row[0]: row[5].partition(" ")[0] for row in picture.rows if row[0].startswith("median")}
    assert medians == {"median over 2 models, digits 2": "−100.0", "median over 2 models, digits 6": "0.0"}
