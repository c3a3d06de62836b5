"""The reading level of models that read up to a level, and of one that was not asked everywhere."""

from __future__ import annotations

import pytest

from pytest_codereason.results.figures.reading_level import LAST, ReadingLevelFigure
from tests.results.figures.rows import answers, record, run, show

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


@pytest.mark.parametrize(
    ("levels", "reads", "shown"),
    [
        ([4, 5, 6, 7, 8], 0, "below 4 [below 4, below 4]"),
        ([2, 5, 8], 1, "below 2 [below 2, below 2]"),
        ([1, 2, 3, 4], 4, "4 or more [4 or more, 4 or more]"),
        ([1, 2, 3, 4], 0, "0 [0, 0]"),
        ([4, 5, 6, 7, 8], 8, "8 [8, 8]"),
        ([2, 5, 8], 5, "5 [5, 5]"),
    ],
)
def test_a_level_beyond_those_that_were_asked_is_never_named(levels: list[int], reads: int, shown: str) -> None:
    rows = answers("ladder", "m", 25, [{"level": level} for level in levels], lambda axes: axes["level"] <= reads)
    (picture,) = show(ReadingLevelFigure(), rows, run({"ladder": ("output-prediction", {"level": levels})}, ["m"]))
    assert picture.rows[0][2] == shown


def test_perturbations_have_a_reading_level_each() -> None:
    cells = [{"level": level, "perturbation": p} for level in LEVELS for p in ("vanilla", "hint")]
    rows = answers("ladder", "m", 25, cells, lambda axes: axes["perturbation"] == "vanilla")
    of = run({"ladder": ("output-prediction", {"level": LEVELS, "perturbation": ["vanilla", "hint"]})}, ["m"])
    (picture,) = show(ReadingLevelFigure(), rows, of)
    assert picture.header == ("language", "model", "perturbation", "reading level", "answers")
    assert [row[2:4] for row in picture.rows] == [("vanilla", "8 [8, 8]"), ("hint", "0 [0, 0]")]
    assert picture.sentence == "Reading level of m: 8 [8, 8] in python, vanilla, 0 [0, 0] in python, hint."


def test_the_last_level_is_that_of_the_source() -> None:
    from pytest_codereason.programs.sources.ladder import LEVELS as SHIPPED

    assert len(SHIPPED) == LAST


def test_a_suite_without_levels_has_no_such_figure() -> None:
    rows = answers("plain", "m", 5, [{}], lambda axes: 1.0)
    assert show(ReadingLevelFigure(), rows, run({"plain": ("output-prediction", {})}, ["m"])) == []
