"""Agreement of several answers, against numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pytest_codereason.results.figures.stability import Stability, measure_agreement
from pytest_codereason.results.statistics.intervals import share_interval
from tests.results.figures.rows import frame, record, run, show

VALUES = ["vanilla", "comments"]


def answers(model: str, labels: dict[str, list[str]]) -> list[dict[str, Any]]:
    """Records from the labels of each program's samples: ``1`` right, ``0`` wrong, ``e`` an error."""
    rows = []
    for value, programs in labels.items():
        for program, samples in enumerate(programs):
            for sample, label in enumerate(samples):
                row = record("s", model, program, {"perturbation": value}, label == "1")
                rows.append({**row, "sample": sample, **({"outcome": "error"} if label == "e" else {})})
    return rows


def test_spread_and_labels_by_hand() -> None:
    agreement = measure_agreement(frame(answers("m", {"vanilla": ["111", "000", "110", "100"]})))
    assert agreement is not None
    assert agreement.accuracies == (0.75, 0.5, 0.25)
    assert agreement.spread == pytest.approx(0.25)  # of 0.75, 0.5 and 0.25 with the denominator 2
    assert (agreement.questions, agreement.right, agreement.wrong) == (4, 1, 1)
    assert agreement.same.value == 0.5


def test_a_question_with_an_error_is_left_out() -> None:
    agreement = measure_agreement(frame(answers("m", {"vanilla": ["111", "11e", "000"]})))
    assert agreement is not None
    assert (agreement.questions, agreement.right, agreement.wrong) == (2, 1, 1)
    assert agreement.accuracies == (0.5, 0.5, 0.5)
    assert agreement.spread == 0.0


@pytest.mark.parametrize("labels", [["1", "0"], ["1e", "e0"]])
def test_without_a_question_that_has_several_answers_there_is_nothing_to_say(labels: list[str]) -> None:
    assert measure_agreement(frame(answers("m", {"vanilla": labels}))) is None


def test_the_table_follows_the_suite_and_says_the_widest() -> None:
    rows = answers("m", {"comments": ["10", "00"], "vanilla": ["11", "11"]})
    of = run({"s": ("output-prediction", {"perturbation": VALUES})}, ["m"])
    picture, overall = show(Stability(), rows, of)
    assert overall.rows == (("output-prediction", "3 of 4 (75.0 %)", "1 of 2 (50.0 %)", "1 of 2 (50.0 %)"),)
    assert [row[:4] for row in picture.rows] == [("m", "vanilla", "2", "2"), ("m", "comments", "2", "2")]
    (vanilla, comments) = picture.rows
    assert (vanilla[4], vanilla[5], vanilla[7], vanilla[8]) == ("1.000 to 1.000", "0.0000", "2", "0")
    assert (comments[4], comments[5], comments[7], comments[8]) == ("0.000 to 0.500", "0.3536", "0", "1")
    assert picture.sentence == (
        "3 of 4 (75.0 %) questions are always right or always wrong. The standard deviation of "
        "accuracy between rounds runs from 0.0000 to 0.3536."
    )


def test_measurements_are_counted_above_each_deviation() -> None:
    """Two rounds with accuracies of 1 and 0.98 deviate by 0.0141: more than 1 point, and less than 2."""
    rows = answers("m", {"vanilla": ["11"] * 98 + ["10"] * 2, "comments": ["11"] * 100})
    *_, overall = show(Stability(), rows, run({"s": ("output-prediction", {"perturbation": VALUES})}, ["m"]))
    assert overall.rows[0][2:] == ("1 of 2 (50.0 %)", "0 of 2 (0.0 %)")


def test_one_answer_a_question_makes_no_picture() -> None:
    of = run({"s": ("output-prediction", {"perturbation": VALUES})}, ["m"])
    assert not show(Stability(), answers("m", {"vanilla": ["1"]}), of)


def test_stability_over_everything_adds_up_tasks_and_leaves_out_guesses() -> None:
    rows = answers("m", {"vanilla": ["11", "10"]})
    rows += [{**row, "suite": "t"} for row in answers("m", {"vanilla": ["00", "11", "01", "01"]})]
    rows += answers("baseline:chance", {"vanilla": ["10", "10"]})
    of = run({"s": ("output-prediction", {}), "t": ("input-prediction", {})}, ["m", "baseline:chance"])
    of["models"]["baseline:chance"] = {"identity": {"baseline": "chance"}}
    *_, overall = show(Stability(), rows, of)
    assert overall.rows == (
        ("output-prediction", "1 of 2 (50.0 %)", *["1 of 1 (100.0 %)"] * 2),
        ("input-prediction", "2 of 4 (50.0 %)", *["1 of 1 (100.0 %)"] * 2),
        ("everything", "3 of 6 (50.0 %)", *["2 of 2 (100.0 %)"] * 2),
    )


def test_a_run_of_guesses_alone_has_a_table_and_no_sentence() -> None:
    of = run({"s": ("output-prediction", {"perturbation": VALUES})}, ["baseline:chance"])
    of["models"]["baseline:chance"] = {"identity": {"baseline": "chance"}}
    (picture,) = show(Stability(), answers("baseline:chance", {"vanilla": ["10", "11"]}), of)
    assert len(picture.rows) == 1
    assert picture.sentence == ""


def test_the_columns_of_stability() -> None:
    rows = answers("m", {"vanilla": ["11", "10"], "comments": ["11", "11"]})
    picture, overall = show(Stability(), rows, run({"s": ("output-prediction", {"perturbation": VALUES})}, ["m"]))
    assert overall.header == (*["task", "all right or all wrong", "deviation above 0.01", "deviation above 0.02"],)
    assert picture.of == {"suite": "s", "language": "python"}
    assert measure_agreement(frame(rows).iloc[:0]) is None


def test_programs_are_the_unit_of_agreement() -> None:
    """Two perturbations of four programs: one program's questions always agree, those of another never do."""
    agreement = measure_agreement(frame(answers("m", {v: ["11", "10", "00", "11"] for v in VALUES})))
    assert agreement is not None
    assert (agreement.same.value, agreement.same.n, agreement.same.families) == (0.75, 8, 4)
    assert (agreement.right, agreement.wrong, agreement.questions) == (4, 2, 8)
    sums, counts = np.array([2.0, 0, 2, 2]), np.full(4, 2.0)
    assert (agreement.same.low, agreement.same.high) == pytest.approx(share_interval(sums, counts))
