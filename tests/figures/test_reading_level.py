"""The reading level of models that read up to a level, and of one that was not asked everywhere."""

from __future__ import annotations

from pytest_codereason.figures.reading_level import ReadingLevelFigure
from tests.figures.rows import answers, record, run, show

LEVELS = [1, 2, 3, 4, 5, 6, 7, 8]
CELLS = [{"level": level} for level in LEVELS]
LADDER = {"ladder": ("output-prediction", {"level": LEVELS})}


def test_models_that_read_up_to_a_level() -> None:
    rows = [
        *answers("ladder", "reads 4", 25, CELLS, lambda axes: float(axes["level"] <= 4)),
        *answers("ladder", "reads nothing", 25, CELLS, lambda axes: 0.0),
    ]
    (picture,) = show(ReadingLevelFigure(), rows, run(LADDER, ["reads 4", "reads nothing"]))
    assert picture.header == ("language", "model", "reading level", "answers")
    assert picture.rows == (("python", "reads 4", "4 [4, 4]", "200"), ("python", "reads nothing", "0 [0, 0]", "200"))
    (panel,) = picture.panels
    assert [point.value for point in panel.lines["reads 4"]] == [1.0] * 4 + [0.0] * 4
    assert picture.sentence == (
        "Reading level of reads 4: 4 [4, 4] in python. Reading level of reads nothing: 0 [0, 0] in python."
    )


def test_a_level_without_an_answer_leaves_it_undefined() -> None:
    rows = [record("ladder", "m", program, {"level": 1}, right=True) for program in range(5)]
    (picture,) = show(ReadingLevelFigure(), rows, run(LADDER, ["m"]))
    assert picture.rows[0][2] == "level 2 not asked"


def test_a_suite_without_levels_has_no_such_figure() -> None:
    rows = answers("plain", "m", 5, [{}], lambda axes: 1.0)
    assert show(ReadingLevelFigure(), rows, run({"plain": ("output-prediction", {})}, ["m"])) == []
