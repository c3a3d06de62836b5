"""Drops, flips and densities, for models that fall for known things."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.results.figures.robustness import Robustness
from tests.results.figures.rows import Axes, answers, record, run, show

VALUES = ["vanilla", "rename", "comments"]
CUT = ["vanilla", "hint"]


def believes_comments(axes: Axes) -> float:
    return 0.0 if "comments" in axes["perturbation"] else 1.0


def table(chance: Any, values: list[str] = VALUES) -> list[Any]:
    rows = answers("misleading", "m", 50, [{"perturbation": v} for v in values], chance)
    of = run({"misleading": ("output-prediction", {"perturbation": values})}, ["m"])
    (picture,) = show(Robustness(), rows, of)
    return [picture.sentence, *picture.rows]


def test_one_that_believes_comments_falls_under_comments_alone() -> None:
    sentence, vanilla, rename, comments = table(believes_comments)
    assert vanilla[4:] == ("reference", "", "", "")
    assert rename[4].startswith("0.000 [−")
    assert rename[6:] == ("0 of 50", "0 of 50")
    assert comments[4].startswith("−1.000 [−")
    assert comments[5:] == ("−100.0 %, no interval", "50 of 50", "0 of 50")
    assert sentence.startswith("Largest clear drop (2 changes looked at together): m under comments, −1.000 [")


def test_a_drop_through_truncated_answers_is_not_certain() -> None:
    """Every answer that is lost was cut off, so the true drop may be 0."""
    rows = [record("misleading", "m", p, {"perturbation": v}, v != "hint" or p < 20) for v in CUT for p in range(40)]
    rows = [row if row["outcome"] == "correct" else row | {"outcome": "truncated"} for row in rows]
    of = run({"misleading": ("output-prediction", {"perturbation": CUT})}, ["m"])
    (picture,) = show(Robustness(), rows, of)
    assert picture.sentence.startswith("Largest clear drop (1 change): m under hint, −0.500 [")
    assert picture.sentence.endswith(
        " over 40 pairs. Not certain: 20 answers were truncated (0 before, 20 after). If all of them were right, the "
        "change would be 0.000; if all were wrong, −0.500."
    )
    change, relative = picture.rows[1][4:6]
    assert change.endswith("], −0.500 to 0.000 with 20 truncated answers")
    assert relative.endswith(" %, −50.0 to 0.0 % with 20 truncated answers")


def test_one_that_is_perfect_shows_no_drop_and_no_flip() -> None:
    sentence, _, *others = table(lambda _: 1.0)
    assert all(row[6:] == ("0 of 50", "0 of 50") for row in others)
    assert sentence == "No change: over the programs that were asked both ways the mean is the same."


@pytest.mark.parametrize(("programs", "clear"), [(5, False), (6, False), (7, True)])
def test_programs_that_all_fall_are_clear_from_the_number_that_is_named(programs: int, clear: bool) -> None:
    rows = answers("misleading", "m", programs, [{"perturbation": v} for v in VALUES], believes_comments)
    of = run({"misleading": ("output-prediction", {"perturbation": VALUES})}, ["m"])
    (picture,) = show(Robustness(), rows, of)
    assert picture.sentence.startswith("Largest clear drop") is clear
    few = f"{programs} programs are too few to tell whether a perturbation changes anything: it takes at least 7 ("
    assert picture.sentence.startswith(few) is not clear


@pytest.mark.parametrize(("right", "could"), [(4, False), (6, False), (7, True)])
def test_a_model_that_is_seldom_right_has_no_fall_that_could_be_clear(right: int, could: bool) -> None:
    rows = [
        record("misleading", "m", program, {"perturbation": value}, program < right - (value == "comments"))
        for value in VALUES
        for program in range(40)
    ]
    of = run({"misleading": ("output-prediction", {"perturbation": VALUES})}, ["m"])
    (picture,) = show(Robustness(), rows, of)
    words = (
        f"No fall could be: only {right} answers are right without a perturbation, and a clear fall loses at least 7."
    )
    assert picture.sentence.startswith("No change is clear of chance (2 changes looked at together).")
    assert picture.sentence.endswith(words) is not could


def test_one_that_is_never_right_is_not_called_robust() -> None:
    sentence, *_ = table(lambda _: 0.0)
    assert sentence == "No answer is right, with or without a perturbation, so nothing can fall."


def test_the_sentence_is_about_what_is_clear_of_zero() -> None:
    chances = {"vanilla": 0.5, "rename": 0.5, "comments": 1.0}
    sentence, *_ = table(lambda axes: chances[axes["perturbation"]])
    assert sentence.startswith("No clear drop. Largest clear gain (2 changes looked at together): m under comments, +")
    rows = answers("s", "m", 50, [{"perturbation": v} for v in VALUES], believes_comments)
    few = answers("s", "m", 1, [{"perturbation": "prints"}], lambda _: 0.0)
    of = run({"s": ("output-prediction", {"perturbation": [*VALUES, "prints"]})}, ["m"])
    (picture,) = show(Robustness(), [*rows, *few], of)
    assert " under comments, −1.000 [" in picture.sentence, "not the equal fall of one program, which shows nothing"


def test_ways_of_asking_stand_side_by_side_and_are_not_pooled() -> None:
    axes = {"perturbation": ["vanilla", "hint"], "prompting": ["direct", "cot"]}
    cells = [{"perturbation": p, "prompting": w} for p in axes["perturbation"] for w in axes["prompting"]]
    falls = {"perturbation": "hint", "prompting": "direct"}
    rows = answers("m", "m", 20, cells, lambda axes: 0.0 if axes == falls else 1.0)
    (picture,) = show(Robustness(), rows[::-1], run({"m": ("output-prediction", axes)}, ["m"]))
    assert picture.header[:3] == ("model", "perturbation", "prompting")
    assert [row[2] for row in picture.rows] == ["direct", "cot"] * 2, "in the order of the suite"
    changed_answers = {(row[1], row[2]): row[-2] for row in picture.rows if row[5] != "reference"}
    assert changed_answers == {("hint", "direct"): "20 of 20", ("hint", "cot"): "0 of 20"}
    assert "(2 changes looked at together): m under hint, direct, −1.000 [" in picture.sentence


def test_misleading_messages_may_also_help() -> None:
    _, _, _, comments = table(lambda axes: 1.0 - believes_comments(axes))
    assert comments[6:] == ("0 of 50", "50 of 50")
    assert comments[5] == "0 before"  # nothing was right before


def test_without_a_reference_there_is_nothing_to_compare() -> None:
    rows = answers("m", "m", 5, [{"perturbation": "rename"}, {"perturbation": "comments"}], lambda _: 1.0)
    of = run({"m": ("output-prediction", {"perturbation": ["rename", "comments"]})}, ["m"])
    assert not show(Robustness(), rows, of)
