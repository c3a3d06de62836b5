"""Figures by position, for models that forget in known ways."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from pytest_codereason.reports.conclusion import draw_pictures
from pytest_codereason.reports.reporters.summary_json import list_picture
from pytest_codereason.results.figures.baseline import BaselineTable
from pytest_codereason.results.figures.dissociation import Dissociation
from pytest_codereason.results.figures.largest_drops import LargestDrops
from pytest_codereason.results.figures.position import PositionFigure
from tests.results.figures.rows import Axes, Shown, answers, data, record, run, show

POSITIONS = list(range(0, 101, 10))
CELLS: list[Axes] = [{"distractors": 0}, *({"distractors": d, "position": p} for d in (20, 80) for p in POSITIONS)]
AXES = {"distractors": [0, 20, 80], "position": POSITIONS}

Chance = Callable[[Axes], float]


def everywhere(_: Axes) -> float:
    return 1.0


def nowhere(_: Axes) -> float:
    return 0.0


def ends(axes: Axes) -> float:
    """Right at both ends of a long context, half as often in the middle; a short one is no trouble."""
    depth = abs(axes.get("position", 0) - 50) / 50
    return 0.8 * (0.5 + 0.5 * depth) if axes["distractors"] == 80 else 0.8


def pictures(programs: int = 60, **models: Chance) -> dict[str, Shown]:
    rows = [row for model, chance in models.items() for row in answers("recall", model, programs, CELLS, chance)]
    of = run({"recall": ("output-prediction", AXES)}, models)
    return {p.name: p for p in show(PositionFigure(), rows, of)}


def test_a_model_that_forgets_the_middle_shows_the_curve_with_its_depth() -> None:
    by_name = pictures(300, forgetful=ends)
    absolute, relative = by_name["recall-python-exact-by-position"], by_name["recall-python-relative-by-position"]
    assert [panel.title for panel in absolute.panels] == ["20 distractors", "80 distractors"]
    curve = [p.value or 0 for p in absolute.panels[1].lines["forgetful"]]
    assert curve[0] == pytest.approx(0.8, abs=0.06)
    assert curve[5] == pytest.approx(0.4, abs=0.07)
    assert curve[10] == pytest.approx(0.8, abs=0.06)
    flat = [p.value or 0 for p in absolute.panels[0].lines["forgetful"]]
    assert max(flat) - min(flat) < 0.1
    deepest = min(relative.panels[1].lines["forgetful"], key=lambda p: p.value or 0)
    assert deepest.x in (40, 50, 60)
    assert deepest.value == pytest.approx(-50, abs=8)
    assert deepest.low is not None
    assert deepest.high is not None
    assert deepest.low < -50 < deepest.high + 8
    assert "with 80 distractors" in relative.sentence


def test_the_best_position_is_the_reference_and_a_best_of_zero_is_undefined() -> None:
    relative = pictures(good=everywhere, bad=nowhere)["recall-python-relative-by-position"]
    for panel in relative.panels:
        assert [p.value for p in panel.lines["good"]] == [0.0] * 11
        assert [p.value for p in panel.lines["bad"]] == [None] * 11
        assert "median over models" not in panel.lines
    assert "Undefined: bad (never right)." in relative.sentence


def test_one_figure_at_every_position_is_said_with_its_interval() -> None:
    curve = pictures(bad=nowhere)["recall-python-exact-by-position"]
    assert curve.sentence.startswith("Exact match is 0.000 [0.000, 0.")
    assert curve.sentence.endswith("] at every position.")
    curve = pictures(bad=nowhere, good=everywhere)["recall-python-exact-by-position"]
    assert curve.sentence == "Exact match is the same at every position."


@pytest.mark.slow
def test_the_median_over_models_of_the_largest_drop() -> None:
    curve = pictures(a=everywhere, b=ends, c=everywhere)["recall-python-relative-by-position"]
    assert curve.sentence == ("Clearly dependent on the position (6 lines looked at together): b with 80 distractors.")


def test_other_axes_that_vary_have_lines_of_their_own() -> None:
    cells = [{"digits": d, "distractors": 80, "position": p} for d in (2, 6) for p in POSITIONS]
    rows = answers("digits", "m", 50, cells, lambda axes: 1.0 if axes["digits"] == 2 else ends(axes))
    of = run({"digits": ("output-prediction", {"digits": [2, 6], **AXES, "distractors": [80]})}, ["m"])
    first = show(PositionFigure(), rows, of)[0]
    assert [list(panel.lines) for panel in first.panels] == [["m, digits 2", "m, digits 6"]]


def test_a_suite_without_positions_has_no_such_figure() -> None:
    rows = answers("plain", "m", 5, [{"prompting": "direct"}], everywhere)
    of = run({"plain": ("output-prediction", {"prompting": ["direct"]})}, ["m"])
    assert draw_pictures(data(rows, of)) == ([], [])


def test_the_table_without_distractors() -> None:
    rows = [*answers("recall", "a", 50, CELLS, everywhere), *answers("recall", "b", 50, CELLS, nowhere)]
    (table,) = show(BaselineTable(), rows, run({"recall": ("output-prediction", AXES)}, ["a", "b"]))
    assert table.header == ("suite, language", "a", "b", "median of 2 models")
    cells = [[cell.split(" [")[0] for cell in row] for row in table.rows]
    assert cells == [["recall, python", "100.00", "0.00", "50.00"]]


def test_the_table_without_distractors_keeps_perturbations_apart_and_its_median_counts_no_baseline() -> None:
    cells = [{"perturbation": p, "distractors": 0, "position": 0} for p in ("vanilla", "hint")]
    models = {"a": 1.0, "b": 0.5, "baseline:truth": 1.0}
    rows = [
        record("recall", model, program, axes, axes["perturbation"] == "vanilla" and program < 10 * share)
        for model, share in models.items()
        for axes in cells
        for program in range(10)
    ]
    of = run({"recall": ("output-prediction", {**AXES, "perturbation": ["vanilla", "hint"]})}, models)
    of["models"]["baseline:truth"] = {"identity": {"baseline": "truth"}}
    (table,) = show(BaselineTable(), rows, of)
    assert table.header == ("suite, language", "a", "b", "baseline:truth", "median of 2 models")
    shown = [[cell.split(" [")[0] for cell in row] for row in table.rows]
    assert shown == [
        ["recall, python, vanilla", "100.00", "50.00", "100.00", "75.00"],
        ["recall, python, hint", "0.00", "0.00", "0.00", "0.00"],
    ]


def test_one_position_says_nothing_about_positions() -> None:
    rows = [record("recall", "m", program, {"position": 50}, program < 8) for program in range(10)]
    of = run({"recall": ("output-prediction", {"position": [0, 50, 100]})}, ["m"])
    course, change, _ = show(PositionFigure(), rows, of)
    assert course.sentence == "Exact match was asked at one position only."
    assert change.sentence == "Undefined: m (not asked or not asked elsewhere)."
    (drops,) = show(LargestDrops(), rows, of)
    assert drops.rows == (("m", "one length", *["not asked elsewhere"] * 5),)


def test_copying_without_reading_shows_as_exactly_that() -> None:
    rows = [
        *answers("semantic", "parrot", 60, CELLS, ends),
        *answers("lexical", "parrot", 60, CELLS, everywhere),
    ]
    of = run({"semantic": ("output-prediction", AXES), "lexical": ("function-retrieval", AXES)}, ["parrot"])
    (both,) = show(Dissociation(), rows, of)
    assert [panel.title for panel in both.panels] == ["lexical: lexical", "semantic: semantic"]
    assert both.title.endswith("80 distractors")
    lexical, semantic = (panel.lines["parrot"] for panel in both.panels)
    assert [p.value for p in lexical] == [0.0] * 11
    assert min(p.value or 0 for p in semantic) < -30
    assert (
        "lexical recall in lexical drops by 0.0 % at most, by chance alone by 0.0 %; semantic recall in"
        in both.sentence
    )


def test_neither_copying_nor_reading_is_said_once() -> None:
    rows = [*answers("semantic", "m", 9, CELLS, nowhere), *answers("lexical", "m", 9, CELLS, nowhere)]
    of = run({"semantic": ("output-prediction", AXES), "lexical": ("function-retrieval", AXES)}, ["m"])
    (both,) = show(Dissociation(), rows, of)
    assert both.sentence.endswith("neither lexical nor semantic recall has a right answer at any position.")
    relative = {p.name: p for p in show(PositionFigure(), rows, of)}["lexical-python-relative-by-position"]
    assert relative.sentence == "Undefined: m (never right)."


def test_two_suites_that_ask_alike_are_no_dissociation() -> None:
    rows = [*answers("one", "m", 5, CELLS, everywhere), *answers("two", "m", 5, CELLS, everywhere)]
    of = run({"one": ("output-prediction", AXES), "two": ("output-prediction", AXES)}, ["m"])
    assert not show(Dissociation(), rows, of)


def test_pictures_are_plain_data() -> None:
    rows = answers("recall", "m", 5, CELLS, ends)
    pictures, notes = draw_pictures(data(rows, run({"recall": ("output-prediction", AXES)}, ["m"])))
    assert not notes
    contents = [list_picture(picture) for picture in pictures]
    assert json.loads(json.dumps(contents)) == json.loads(json.dumps(contents, allow_nan=False))
    assert str(contents[0]["after"]).startswith("Sense and Sensitivity")


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


def test_an_unanswered_line_is_not_called_never_right() -> None:
    rows = [
        {**record("recall", model, program, {"position": place}, model == "a"), **more}
        for model, more in {"a": {}, "down": {"outcome": "error"}}.items()
        for place in (0, 50, 100)
        for program in range(4)
    ]
    pictures = show(
        PositionFigure(), rows, run({"recall": ("output-prediction", {"position": [0, 50, 100]})}, ["a", "down"])
    )
    (change,) = (each for each in pictures if each.name.endswith("relative-by-position"))
    assert change.sentence == "No line changes with the position. Undefined: down (unanswered)."
