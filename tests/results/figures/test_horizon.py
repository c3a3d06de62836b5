"""The curves of right answers, the table of horizons, and what their captions say."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.reports.words.worded import word_picture
from pytest_codereason.results.figures.horizon import HorizonFigure
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.values import AxisPlace, Times
from tests.results.statistics.readers import Reader
from tests.results.synthetic import build_data
from tests.results.synthetic_curves import CHOSEN, PLACES, make_models

NEAR, FAR, LAST, NEVER = Reader(8, 2.0), Reader(64, 2.0), Reader(10**6, 2.0, 0.0), Reader(0.001, 2.0)


def draw(readers: dict[str, dict[str, Reader]], **changes: Any) -> list[Picture]:
    return list(HorizonFigure().pictures(build_data(*make_models(readers, **changes))))


def test_each_cell_has_a_panel_with_the_curve_and_every_answer() -> None:
    (picture,) = draw({"m": {"int": NEAR, "list": FAR}})
    assert [panel.title for panel in picture.panels] == ["int", "list"]
    panel = picture.panels[0]
    assert panel.log
    assert [point.x for point in panel.lines["m"]] == PLACES
    assert sum(right + wrong for _, right, wrong in panel.answers["m"]) == 6 * len(PLACES)
    curve = panel.curves["m"]
    assert [point.value for point in curve] == sorted((point.value for point in curve), reverse=True, key=float)  # type: ignore[arg-type]
    assert all(point.low <= point.value <= point.high for point in curve)  # type: ignore[operator]


def test_the_table_has_the_mean_first_and_then_each_cell() -> None:
    (picture,) = draw({"m": {"int": NEAR, "list": FAR}})
    worded = word_picture(picture)
    assert worded.header == ("model", "state", "half are right at", "lapse rate", "slope", "answers")
    assert [row[1] for row in worded.rows] == ["all", "int", "list"]
    assert picture.table is not None
    cells = [row[2] for row in picture.table.rows]
    assert all(isinstance(cell, AxisPlace) for cell in cells)
    mean, near, far = (cell.value for cell in cells if isinstance(cell, AxisPlace))
    assert mean == pytest.approx((near * far) ** 0.5, rel=0.1)  # type: ignore[operator]
    assert worded.rows[1][2].count(" [") == 1


@pytest.mark.slow
def test_the_caption_says_how_far_a_model_reads() -> None:
    (picture,) = draw({"m": {"int": NEAR, "list": FAR}})
    caption = word_picture(picture).sentence
    assert caption.startswith("m is right half of the time up to 2")
    assert " executed steps [" in caption
    assert " in int to " in caption
    (one,) = draw({"m": {"int": NEAR}})
    assert word_picture(one).sentence.count(" in int") == 0


def test_a_horizon_beyond_the_rungs_is_never_a_number() -> None:
    above, below = (word_picture(draw({"m": {"int": reader}})[0]) for reader in (LAST, NEVER))
    assert "more than half of the time up to 256 executed steps, the most that was asked" in above.sentence
    assert above.rows[0][2].startswith("> 256 [")
    assert below.sentence == "m is right less than half of the time even at 1 executed step."
    assert below.rows[0][2] == "< 1 [< 1, < 1]"


def test_replies_that_are_cut_off_are_named() -> None:
    run, rows = make_models({"m": {"int": FAR}})
    cut = [row | {"outcome": "truncated", "metrics": {}} if row["axes"]["steps"] > 128 else row for row in rows]
    (picture,) = HorizonFigure().pictures(build_data(run, cut))
    assert word_picture(picture).sentence.endswith("12 replies cut off by a limit are left out.")


@pytest.mark.slow
def test_two_models_are_compared_by_the_ratio_of_their_horizons() -> None:
    _, ratios = draw({"a": {"int": NEAR, "list": NEAR}, "b": {"int": FAR, "list": FAR}, "c": {"int": FAR, "list": FAR}})
    assert ratios.table is not None
    cells = {(row[0].text, row[1].text): row[2] for row in ratios.table.rows}  # type: ignore[union-attr]
    first = next(iter(cells))[0]
    assert first in ("b", "c"), "the one that reads farther stands first"
    ratio = cells[first, "a"]
    assert isinstance(ratio, Times)
    assert ratio.is_clear
    assert ratio.low is not None
    assert ratio.high is not None
    assert ratio.low < 8 < ratio.high
    caption = word_picture(ratios).sentence
    assert f"{first} reads " in caption
    assert "times as far as a [" in caption
    assert caption.endswith(("Not told apart: b and c.", "Not told apart: c and b."))


def test_a_ratio_to_a_model_beyond_an_end_is_at_least_that() -> None:
    _, ratios = draw({"a": {"int": NEVER}, "b": {"int": FAR}})
    assert "b reads at least " in word_picture(ratios).sentence


def test_a_suite_that_chooses_its_questions_has_the_same_figure_and_one_without_a_curve_has_none() -> None:
    assert len(draw({"m": {"int": NEAR}}, adaptive=CHOSEN)) == 1
    assert draw({"m": {"int": NEAR}}, curve="") == []
