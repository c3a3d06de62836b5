"""Defences against misleading text, against numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest

from pytest_codereason.results.figures.defences import Defences
from tests.results.figures.rows import Axes, Shown, record, run, show

VALUES = ["vanilla", "comments"]


def test_defences_stand_side_by_side_under_each_perturbation() -> None:
    rows = []
    for program in range(40):
        for value in VALUES:
            for defence in ("none", "ignore-comments", "refactor"):
                right = value == "vanilla" or defence == "ignore-comments"
                row = record("s", "m", program, {"perturbation": value, "defence": defence}, right)
                if defence == "refactor":
                    row["metrics"] |= {"rewritten": 1.0, "rewrite_kept": float(value == "vanilla" or program >= 10)}
                rows.append(row)
    axes = {"perturbation": VALUES, "defence": ["none", "ignore-comments", "refactor"]}
    (picture,) = show(Defences(), rows, run({"s": ("output-prediction", axes)}, ["m"]))
    cells = {(row[1], row[2]): row[3:] for row in picture.rows}
    assert cells["comments", "none"][2:] == ("reference", "", "")
    assert cells["comments", "ignore-comments"][2].startswith("+1.000")
    assert cells["comments", "ignore-comments"][3:] == ("", "")
    assert cells["comments", "refactor"][2].startswith("0.000 [")
    assert cells["comments", "refactor"][3:] == ("10 of 40 (25.0 %)", "0 of 40 (0.0 %)")
    assert cells["vanilla", "refactor"][3] == "0 of 40 (0.0 %)"
    (panel,) = picture.panels
    assert panel.labels == VALUES
    assert [round(p.x) for p in panel.lines["refactor"]] == [0, 1]
    assert picture.sentence == (
        f"m gains most under comments with ignore-comments: {cells['comments', 'ignore-comments'][2]} "
        "(4 changes looked at together). Its rewritings broke the program in 10 of 80 (12.5 %)."
    )


def ask(axes: dict[str, list[Any]], right: Callable[[Axes], bool], models: Sequence[str] = ("m",)) -> list[Shown]:
    """Ten programs at each combination of values."""
    cells = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    rows = [record("s", model, p, cell, right(cell)) for model in models for p in range(10) for cell in cells]
    return show(Defences(), rows, run({"s": ("output-prediction", axes)}, models))


def test_points_of_one_perturbation_stand_beside_each_other_around_its_place() -> None:
    axes = {"perturbation": VALUES, "defence": ["none", "ignore-comments", "refactor"]}
    (picture,) = ask(axes, lambda cell: cell["defence"] != "none")
    (panel,) = picture.panels
    assert {defence: [point.x for point in line] for defence, line in panel.lines.items()} == {
        "none": pytest.approx([-0.16, 0.84]),
        "ignore-comments": pytest.approx([0, 1]),
        "refactor": pytest.approx([0.16, 1.16]),
    }
    assert [[point.value for point in line] for line in panel.lines.values()] == [[0, 0], [1, 1], [1, 1]]
    assert (panel.title, panel.x, panel.y) == ("m", "perturbation", "Exact match")
    assert [key for key, _ in picture.columns] == [
        *["model", "perturbation", "defence", "n", "score", "change", "broken", "missing"]
    ]
    assert picture.header[4] == "Exact match"
    assert picture.picture.in_terminal
    assert [row[:4] for row in picture.rows] == [
        ("m", value, defence, "10") for value in VALUES for defence in axes["defence"]
    ]


def test_the_reference_is_the_question_without_a_defence_wherever_it_stands() -> None:
    axes = {"perturbation": ["comments"], "defence": ["ignore-comments", "none"]}
    (picture,) = ask(axes, lambda cell: cell["defence"] == "none")
    assert [row[2] for row in picture.rows] == ["ignore-comments", "none"]
    assert [row[5].partition(" ")[0] for row in picture.rows] == ["−1.000", "reference"]


def test_each_way_of_asking_has_a_picture_and_names_itself() -> None:
    axes = {"perturbation": VALUES, "defence": ["none", "refactor"], "prompting": ["direct", "cot"]}
    direct, cot = ask(axes, lambda cell: cell["prompting"] == "cot")
    assert (direct.name, cot.name) == ("s-python-direct-defences", "s-python-cot-defences")
    assert direct.of == {"suite": "s", "language": "python", "prompting": "direct"}
    assert {row[4].partition(" ")[0] for row in direct.rows} == {"0.000"}
    assert {row[4].partition(" ")[0] for row in cot.rows} == {"1.000"}


def test_a_suite_without_perturbations_has_one_row_for_each_defence() -> None:
    (picture,) = ask({"defence": ["none", "refactor"]}, lambda cell: cell["defence"] == "refactor")
    assert [row[:3] for row in picture.rows] == [("m", "none", "none"), ("m", "none", "refactor")]
    assert picture.panels[0].labels == []
    assert not ask({"perturbation": VALUES, "defence": ["refactor"]}, lambda _: True), "one defence is no choice"
