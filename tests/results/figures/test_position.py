"""Figures by position, for models that forget in known ways."""

from __future__ import annotations

import json

import pytest

from pytest_codereason.reports.conclusion import draw_pictures
from pytest_codereason.reports.reporters.summary_json import list_picture
from pytest_codereason.results.figures.largest_drops import LargestDrops
from pytest_codereason.results.figures.position import PositionFigure
from tests.results.figures.readers import AXES, CELLS, POSITIONS, Chance, ends, everywhere, nowhere
from tests.results.figures.rows import Shown, answers, data, record, run, show


def pictures(programs: int = 60, **models: Chance) -> dict[str, Shown]:
    rows = [row for model, chance in models.items() for row in answers("recall", model, programs, CELLS, chance)]
    of = run({"recall": ("output-prediction", AXES)}, models)
    return {p.name: p for p in show(PositionFigure(), rows, of)}


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_one_position_says_nothing_about_positions() -> None:
    rows = [record("recall", "m", program, {"position": 50}, program < 8) for program in range(10)]
    of = run({"recall": ("output-prediction", {"position": [0, 50, 100]})}, ["m"])
    course, change, _ = show(PositionFigure(), rows, of)
    assert course.sentence == "Exact match was asked at one position only."
    assert change.sentence == "Undefined: m (not asked or not asked elsewhere)."
    (drops,) = show(LargestDrops(), rows, of)
    assert drops.rows == (("m", "one length", *["not asked elsewhere"] * 5),)


def test_pictures_are_plain_data() -> None:
    rows = answers("recall", "m", 5, CELLS, ends)
    pictures, notes = draw_pictures(data(rows, run({"recall": ("output-prediction", AXES)}, ["m"])))
    assert not notes
    contents = [list_picture(picture) for picture in pictures]
    assert json.loads(json.dumps(contents)) == json.loads(json.dumps(contents, allow_nan=False))
    assert str(contents[0]["after"]).startswith("Sense and Sensitivity")


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


def test_the_median_is_over_the_models_with_a_figure() -> None:
    """Of 10 are left 5, 8 and 10. A fourth was never right, and the last was asked at the start alone."""
    right = {"a": (10, 5), "b": (10, 8), "c": (10, 10), "never": (0, 0), "cut": (10, None)}
    rows = [
        record("recall", model, program, {"position": place}, program < hits)
        for model, counts in right.items()
        for place, hits in zip((0, 100), counts, strict=True)
        if hits is not None
        for program in range(10)
    ]
    of = run({"recall": ("output-prediction", {"position": [0, 100]})}, right)
    relative = next(each for each in show(PositionFigure(), rows, of) if each.name.endswith("relative-by-position"))
    (panel,) = relative.panels
    median = panel.lines["median over models"]
    assert [(point.x, point.value, point.n) for point in median] == [(0, 0.0, 3), (100, pytest.approx(-20), 3)]
    assert relative.of["summary_line"] == "median over models"
    assert relative.picture.in_terminal
