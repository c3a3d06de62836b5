"""Lexical and semantic recall side by side, for models that read in known ways."""

from __future__ import annotations

from pytest_codereason.results.figures.dissociation import Dissociation
from pytest_codereason.results.figures.position import PositionFigure
from tests.results.figures.readers import AXES, CELLS, ends, everywhere, nowhere
from tests.results.figures.rows import answers, run, show


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
