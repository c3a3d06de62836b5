"""Lexical and semantic recall side by side, for models that read in known ways."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from pytest_codereason.results.figures.dissociation import Dissociation
from pytest_codereason.results.figures.position import PositionFigure
from tests.results.figures.readers import AXES, CELLS, ends, everywhere, nowhere
from tests.results.figures.rows import Axes, Shown, answers, record, run, show


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


def combine(axes: Axes) -> list[Axes]:
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


def compare(sizes: dict[str, list[int]], more: Axes | None = None, **tasks: str) -> list[Shown]:
    """Suites with contexts of these sizes: all is right at the beginning, and half of ten programs at the end."""
    varied: dict[str, Any] = {"semantic": more or {}}
    rows = [
        record(suite, "m", p, {"distractors": size, "position": place, **extra}, not place or p < 5)
        for suite, some in sizes.items()
        for size in some
        for place in (0, 100)
        for extra in [
            dict(zip(varied.get(suite, {}), values, strict=True)) for values in product(*varied.get(suite, {}).values())
        ]
        for p in range(10)
    ]
    of = run(
        {
            suite: (
                tasks.get(suite, "output-prediction"),
                {"distractors": some, "position": [0, 100], **varied.get(suite, {})},
            )
            for suite, some in sizes.items()
        },
        ["m"],
    )
    return show(Dissociation(), rows, of)


def test_the_longest_context_that_both_have_is_compared() -> None:
    """By its number: as a text, 8 comes after 20."""
    sizes = {"semantic": [8, 20, 80], "lexical": [20, 8]}
    (both,) = compare(sizes, lexical="function-retrieval")
    assert both.title == "Lexical and semantic recall, python, 20 distractors"
    assert both.of == {
        "suite": "semantic, lexical",
        "language": "python",
        "length": "20 distractors",
        "lines": "models",
    }
    assert not compare({"semantic": [80], "lexical": [20]}, lexical="function-retrieval")


def test_each_side_shows_the_change_against_the_best_position_and_how_sure_it_is() -> None:
    (both,) = compare({"z": [20], "a": [20]}, z="function-retrieval")
    assert [panel.title for panel in both.panels] == ["lexical: z", "semantic: a"], "lexical recall stands first"
    for panel in both.panels:
        assert panel.percent
        assert panel.y == "% change against the best position"
        assert [(p.x, p.value) for p in panel.lines["m"]] == [(0, 0), (100, pytest.approx(-50))]
        assert panel.programs == {"m": 10}
        # Five of ten programs fall: Cochran's Q is 5 (of McNemar without a correction), and its p-value 0.025.
        assert panel.p["m"] == pytest.approx(0.0253, abs=0.002)
        assert -50 < panel.chance["m"] < 0


def test_lines_of_other_axes_are_told_apart() -> None:
    (both,) = compare({"lexical": [20], "semantic": [20]}, {"digits": [2, 6]}, lexical="function-retrieval")
    assert both.of["lines"] == "cells", "though one of the suites has no other axis"
    lexical, semantic = both.panels
    assert [*lexical.lines] == ["m"]
    assert [*semantic.lines] == [*semantic.p] == [*semantic.programs] == ["m, digits 2", "m, digits 6"]


def test_one_that_is_never_right_has_no_drop_by_chance() -> None:
    rows = [*answers("semantic", "m", 9, CELLS, nowhere), *answers("lexical", "m", 9, CELLS, everywhere)]
    of = run({"semantic": ("output-prediction", AXES), "lexical": ("function-retrieval", AXES)}, ["m"])
    (both,) = show(Dissociation(), rows, of)
    assert [dict(panel.chance) for panel in both.panels] == [{"m": 0.0}, {}]
