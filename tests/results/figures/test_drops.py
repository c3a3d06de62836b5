"""Averages of drops over perturbations, models and data sets, against numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import pytest

from pytest_codereason.results.figures.drops import STUDIED, Drops
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.values import Cell, Delta, Label
from tests.results.figures.rows import data, record, run, show

VALUES = ["vanilla", "comments", "hint"]
#: Right answers under each perturbation, of 10 programs of ``crux`` and 5 of ``lcb``.
RIGHT = {
    ("crux", "a"): (10, 8, 4),
    ("crux", "b"): (5, 5, 5),
    ("lcb", "a"): (5, 4, 0),
    ("lcb", "b"): (4, 2, 1),
    ("crux", "baseline:chance"): (10, 0, 0),
    ("lcb", "baseline:chance"): (5, 0, 0),
}


def relative(cell: Cell) -> float | None:
    assert isinstance(cell, Delta)
    return cell.relative


def test_average_columns_and_rows_by_hand() -> None:
    rows = [
        record(suite, model, program, {"perturbation": value}, program < hits)
        for (suite, model), counts in RIGHT.items()
        for value, hits in zip(VALUES, counts, strict=True)
        for program in range(10 if suite == "crux" else 5)
    ]
    axes = {"perturbation": VALUES}
    of = run(dict.fromkeys(("crux", "lcb"), ("output-prediction", axes)), ["a", "b", "baseline:chance"])
    of["models"]["baseline:chance"] = {"identity": {"baseline": "chance"}}
    percent, points = Drops().pictures(data(rows, of))
    assert percent.table is not None
    assert points.table is not None
    assert [column.key for column in percent.table.columns] == ["model", "data", "plain", "comments", "hint", "average"]
    names = [
        (model.text, suite.text)
        for model, suite, *_ in percent.table.rows
        if isinstance(model, Label) and isinstance(suite, Label)
    ]
    cells = dict(zip(names, ([relative(cell) for cell in row[3:]] for row in percent.table.rows), strict=True))
    both = "all, weighted by size"
    assert cells["a", "crux"] == pytest.approx([-0.2, -0.6, -0.4])
    assert cells["a", "lcb"] == pytest.approx([-0.2, -1.0, -0.6])
    assert cells["a", both] == pytest.approx([-0.2, -(10 * 0.6 + 5 * 1.0) / 15, -(10 * 0.4 + 5 * 0.6) / 15])
    assert cells["average of 2 models", "crux"] == pytest.approx([-0.1, -0.3, -0.2])
    assert cells["average of 2 models", "lcb"] == pytest.approx([-0.35, -0.875, -0.6125])
    assert cells["average of 2 models", both] == pytest.approx(
        [-(10 * 0.1 + 5 * 0.35) / 15, -(10 * 0.3 + 5 * 0.875) / 15, -(10 * 0.2 + 5 * 0.6125) / 15]
    )
    first = points.table.rows[0]
    assert [cell.value for cell in first[3:] if isinstance(cell, Delta)] == pytest.approx([-0.2, -0.6, -0.4])


def test_ways_of_asking_stand_side_by_side() -> None:
    """Asked directly, models lose 2 of 10 answers under one perturbation and 6 under the other; reasoning, 1 and 1."""
    hits = {"direct": (10, 8, 4), "cot": (10, 9, 9)}
    rows = [
        record("s", model, p, {"perturbation": value, "prompting": way}, p < right)
        for way, counts in hits.items()
        for model in ("a", "b", "baseline:truth")
        for value, right in zip(VALUES, counts, strict=True)
        for p in range(10)
        if model != "b" or way == "direct"
    ]
    of = run(
        {"s": ("output-prediction", {"perturbation": VALUES, "prompting": ["direct", "cot"]})},
        ["a", "b", "baseline:truth"],
    )
    of["models"]["baseline:truth"] = {"identity": {"baseline": "truth"}}
    *_, beside = Drops().pictures(data(rows, of))
    assert (beside.kind, beside.after) == ("drops-by-way", "CodeCrash, table 2")
    assert beside.table is not None
    assert [column.title for column in beside.table.columns] == [
        *["model", "suite", "average of 2, direct", "average of 2, cot"]
    ]
    shown = {
        name.text: [relative(cell) if isinstance(cell, Delta) else None for cell in cells]
        for name, _, *cells in beside.table.rows
        if isinstance(name, Label)
    }
    assert shown["a"] == pytest.approx([-0.4, -0.1])
    assert shown["b"] == [pytest.approx(-0.4), None]
    assert shown["average of 2 models"] == [pytest.approx(-0.4), None], "of the second way, b was not asked"


def test_drops_and_their_averages_show_what_truncated_answers_may_change() -> None:
    rows = [
        record("s", "m", p, {"perturbation": value}, value != "hint" or p < 5) for value in VALUES for p in range(10)
    ]
    rows = [row if row["outcome"] == "correct" else row | {"outcome": "truncated"} for row in rows]
    percent, points = show(Drops(), rows, run({"s": ("output-prediction", {"perturbation": VALUES})}, ["m"]))
    ((*_, hint, average),) = percent.rows
    assert hint.endswith(" %, −50.0 to 0.0 % with 5 truncated answers")
    assert average.endswith(" %, −25.0 to 0.0 % with 5 truncated answers")
    ((*_, hint, average),) = points.rows
    assert hint.endswith("], −0.500 to 0.000 with 5 truncated answers")
    assert average.endswith("], −0.250 to 0.000 with 5 truncated answers")


def test_an_average_over_a_single_perturbation_has_its_name_and_no_column_of_its_own() -> None:
    axes = {"perturbation": VALUES[:2], "prompting": ["direct", "cot"]}
    rows = [
        record("s", "m", program, {"perturbation": value, "prompting": way}, program < 5)
        for value in VALUES[:2]
        for way in ("direct", "cot")
        for program in range(10)
    ]
    drawn = [picture.table for picture in Drops().pictures(data(rows, run({"s": ("output-prediction", axes)}, ["m"])))]
    *alone, beside = [[column.title for column in table.columns] for table in drawn if table is not None]
    assert [titles[-1] for titles in alone] == ["comments"] * 4
    assert [titles.count("comments") for titles in alone] == [1] * 4
    assert beside == ["model", "suite", "comments, direct", "comments, cot"]


@pytest.mark.parametrize(
    ("more", "columns"),
    [((), ["average-studied"]), (("rename", "conditions"), ["average-studied", "average"])],
)
def test_the_average_of_the_study_is_over_its_four(more: tuple[str, ...], columns: list[str]) -> None:
    hits = {"vanilla": 10, "psc-all": 8, "comments": 6, "prints": 10, "hint": 4, "rename": 0, "conditions": 2}
    values = ["vanilla", *STUDIED, *more]
    rows = [record("s", "m", p, {"perturbation": value}, p < hits[value]) for value in values for p in range(10)]
    drawn = Drops().pictures(data(rows, run({"s": ("output-prediction", {"perturbation": values})}, ["m"])))
    table = next(drawn).table
    assert table is not None
    assert [column.key for column in table.columns][3 + len(values) - 1 :] == columns
    found = [relative(cell) for cell in table.rows[0][-len(columns) :]]
    assert found == pytest.approx([-0.3, -0.5][: len(columns)])
    assert table.columns[-len(columns)].title == "average of the study's 4"


def test_an_average_without_one_of_its_parts_is_undefined_and_says_which() -> None:
    rows = [record("s", "m", p, {"perturbation": value}, True) for p in range(3) for value in VALUES[:2]]
    rows += [record("s", "n", p, {"perturbation": value}, True) for p in range(3) for value in VALUES]
    drawn = Drops().pictures(data(rows, run({"s": ("output-prediction", {"perturbation": VALUES})}, ["m", "n"])))
    table = next(drawn).table
    assert table is not None
    assert getattr(table.rows[0][-1], "reason", "") == "hint not asked"


def test_ways_of_prompting_and_tasks_have_tables_of_their_own() -> None:
    axes = {"perturbation": VALUES, "prompting": ["direct", "cot"]}
    rows = [
        record(suite, "m", p, {"perturbation": value, "prompting": way}, True)
        for suite in ("out", "in")
        for p in range(3)
        for value in VALUES
        for way in axes["prompting"]
    ]
    of = run({"out": ("output-prediction", axes), "in": ("input-prediction", axes)}, ["m"])
    names = [picture.name for picture in Drops().pictures(data(rows, of))]
    assert names == [
        f"{suite}-python-{way}-drops-{unit}"
        for suite in ("out", "in")
        for way in ("direct", "cot")
        for unit in ("percent", "points")
    ] + ["out-python-drops-by-way", "in-python-drops-by-way"]


@pytest.mark.parametrize("where", ["matrix", "fixed"])
def test_the_only_way_of_prompting_is_known_to_the_figure(where: str) -> None:
    """So that a paper's figures of this way find their place."""
    axes: dict[str, list[str]] = {"perturbation": VALUES} | ({"prompting": ["cot"]} if where == "matrix" else {})
    rows = [record("s", "m", p, {"perturbation": value}, True) for p in range(3) for value in VALUES]
    of = run({"s": ("output-prediction", axes)}, ["m"])
    of["suites"]["s"]["resolved"] = {"fixed": {"prompting": "cot"} if where == "fixed" else {}}
    first = next(iter(Drops().pictures(data(rows, of))))
    assert (first.name, first.of["prompting"], first.after) == (
        "s-python-drops-percent",
        "cot",
        "CodeCrash, tables 2 and 15",
    )


def test_models_that_reason_have_tables_of_their_own() -> None:
    rows = [record(s, "m", p, {"perturbation": value}, True) for s in "ab" for p in range(3) for value in VALUES]
    of = run(dict.fromkeys("ab", ("output-prediction", {"perturbation": VALUES})), ["m"])
    for suite, prefill in zip("ab", (True, False), strict=True):
        of["suites"][suite]["resolved"] = {"fixed": {"prompting": "direct"}, "prefill": prefill}
    places = [(picture.of["suite"], picture.after) for picture in Drops().pictures(data(rows, of))]
    assert places == [
        ("a", "CodeCrash, tables 1 and 2"),
        ("a", "CodeCrash, tables 13 and 14"),
        ("b", "CodeCrash, table 4"),
        ("b", "CodeCrash, table 4"),
    ]


def test_two_suites_with_a_way_each_are_not_averaged() -> None:
    rows = [record(s, "m", p, {"perturbation": value}, True) for s in "ab" for p in range(3) for value in VALUES]
    of = run(dict.fromkeys("ab", ("output-prediction", {"perturbation": VALUES})), ["m"])
    for suite, way in zip("ab", ("direct", "cot"), strict=True):
        of["suites"][suite]["resolved"] = {"fixed": {"prompting": way}}
    names = [picture.name for picture in Drops().pictures(data(rows, of))]
    assert names == [f"{suite}-python-drops-{unit}" for suite in "ab" for unit in ("percent", "points")]


def ask(axes: Mapping[str, list[Any]], models: Sequence[str] = ("m",), suites: Sequence[str] = ("s",)) -> list[Picture]:
    """The pictures of suites whose every answer is right."""
    cells = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    rows = [
        record(suite, model, p, cell, True) for suite in suites for model in models for p in range(3) for cell in cells
    ]
    return list(Drops().pictures(data(rows, run(dict.fromkeys(suites, ("output-prediction", axes)), models))))


@pytest.mark.parametrize(
    "axes",
    [
        {"perturbation": ["vanilla"]},
        {"perturbation": ["rename", "hint"]},
        {"perturbation": VALUES, "defence": ["none", "refactor"]},
        {"prompting": ["direct", "cot"]},
    ],
)
def test_what_is_not_compared_with_the_unchanged_program_has_no_table(axes: dict[str, list[Any]]) -> None:
    assert ask(axes) == []


def test_an_average_over_suites_needs_two_and_one_over_models_too() -> None:
    def list_names(**more: Sequence[str]) -> list[tuple[str, ...]]:
        table = ask({"perturbation": VALUES}, **more)[0].table
        assert table is not None
        return [tuple(cell.text for cell in row[:2] if isinstance(cell, Label)) for row in table.rows]

    both = "all, weighted by size"
    assert list_names() == [("m", "s")]
    assert list_names(suites=("s", "t")) == [("m", "s"), ("m", "t"), ("m", both)]
    average = "average of 2 models"
    assert list_names(models=("m", "n")) == [("m", "s"), ("n", "s"), (average, "s")]
    assert list_names(models=("m", "n"), suites=("s", "t"))[-3:] == [(average, "s"), (average, "t"), (average, both)]


def test_a_table_of_drops_says_what_it_is_of() -> None:
    percent, points, *_, beside = ask({"perturbation": VALUES, "prompting": ["direct", "cot"]})
    assert (percent.name, points.name) == ("s-python-direct-drops-percent", "s-python-direct-drops-points")
    assert (percent.of["suite"], percent.of["language"], percent.of["prompting"]) == ("s", "python", "direct")
    assert (beside.of["suite"], beside.of["language"]) == ("s", "python")
    assert percent.table is not None
    assert points.table is not None
    assert [(column.key, column.aspect) for column in percent.table.columns] == [
        *[("model", "value"), ("data", "value"), ("plain", "value")],
        *[(key, "relative_interval") for key in ("comments", "hint", "average")],
    ]
    assert {column.aspect for column in points.table.columns[3:]} == {"value"}
