"""Panels whose places double from mark to mark, with every answer as a point."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from pytest_codereason.reports.charts import charts
from pytest_codereason.results.pictures import Panel, Point

pytest.importorskip("matplotlib")


def draw(*, log: bool, answers: bool = True, places: Sequence[int] = (0, 1, 4, 16, 64)) -> str:
    panel = Panel(
        title="int",
        x="steps",
        y="right answers",
        log=log,
        lines={"m": [Point(x=place, value=0.5, n=4) for place in places]},
        curves={"m": [Point(x=place, value=0.5, low=0.4, high=0.6) for place in (1, 64)]},
        answers={"m": [(place, 2.0, 1.0) for place in (0, 1, 4, 16, 64)]} if answers else {},
    )
    return charts.draw_panel(panel, limits=(0, 1), looks={"m": 0}, name="n", description="d", published={})


def list_marks(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([\d,]+)</text>", svg)


def test_places_double_and_0_stands_left_of_all_others() -> None:
    assert list_marks(draw(log=True))[:6] == ["0", "1", "2", "4", "8", "16"]
    assert "0" in list_marks(draw(log=True))
    assert list_marks(draw(log=True, places=(0, 4, 16)))[:4] == ["0", "4", "8", "16"]
    assert list_marks(draw(log=True, places=(0, 3, 12)))[:3] == ["0", "4", "8"]
    assert list_marks(draw(log=True, places=(4, 16)))[:3] == ["4", "8", "16"]


def test_models_stand_beside_each_other_above_a_word() -> None:
    """Else one interval would hide another."""
    lines = {name: [Point(x=0, value=0.5, low=0.4, high=0.6)] for name in ("m", "n", "o")}
    panel = Panel(title="int", x="where", y="share", lines=lines, labels=["start"])
    svg = charts.draw_panel(
        panel, limits=(0, 1), looks={"m": 0, "n": 1, "o": 2}, name="n", description="", published={}
    )
    places = re.findall(r'<use [^>]*x="([\d.]+)"', svg)
    assert len({round(float(place)) for place in places}) == 3


def test_every_answer_is_a_point() -> None:
    more = draw(log=True).count("<use ") - draw(log=True, answers=False).count("<use ")
    assert more == 5 * 3


def test_the_same_panel_gives_the_same_bytes() -> None:
    assert draw(log=True) == draw(log=True)
