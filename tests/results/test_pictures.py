"""Pictures as data: their tables, points, and whom they are about."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pytest_codereason.results.pictures import (
    Citation,
    Column,
    Panel,
    Picture,
    Point,
    PublishedLine,
    PublishedRow,
    Table,
    read_label,
)
from pytest_codereason.results.values import Bounds, Cell, Count, Estimate, Label, Why

MODELS = Table(columns=[Column("model", "Model"), Column("n", "N")], rows=[[Label("m"), Count(3)]])


def test_rows_have_their_cells_by_the_key_of_a_column() -> None:
    assert list(MODELS.named_rows()) == [{"model": Label("m"), "n": Count(3)}]
    short = Table(columns=MODELS.columns, rows=[[Label("m")]])
    with pytest.raises(ValueError, match="zip"):
        list(short.named_rows())
    (row,) = MODELS.named_rows()
    assert [read_label(row, key) for key in ("model", "n", "none")] == ["m", "", ""]


def test_a_point_has_all_of_its_estimate() -> None:
    bounds = Bounds(all_wrong=0.5, all_right=0.6, truncated=1)
    estimate = Estimate(value=0.5, low=0.4, high=0.7, n=9, bounds=bounds)
    assert Point.at(3.0, estimate) == Point(x=3.0, value=0.5, low=0.4, high=0.7, n=9, bounds=bounds)
    assert Point.at(3.0, Estimate(value=None, why=Why.SKIPPED)) == Point(x=3.0, value=None, why=Why.SKIPPED)


def test_a_citation_names_paper_place_and_note() -> None:
    assert str(Citation(paper="A Study", place="table 1")) == "A Study, table 1"
    assert str(Citation(paper="A Study", place="table 1", note="one sample")) == "A Study, table 1 (one sample)"


def test_what_papers_say_is_for_panels_or_for_the_table() -> None:
    source = Citation(paper="A Study", place="table 1")
    line = PublishedLine(model="m", source=source, panel="p", level=0.5)
    row = PublishedRow(model="m", source=source, cells={"n": Decimal(3)})
    assert Picture(name="n", kind="k", title="t", published=[row, line]).published_lines == [line]


@pytest.mark.parametrize(
    ("table", "as_columns"),
    [(None, False), (MODELS, False), (Table(columns=[Column("axis", "A"), Column("m", "m")], rows=[]), True)],
)
def test_models_are_columns_where_no_column_holds_them(table: Table | None, as_columns: bool) -> None:
    assert Picture(name="n", kind="k", title="t", table=table).has_models_as_columns is as_columns


@pytest.mark.parametrize(
    ("rows", "lines", "alone"),
    [
        (["guess"], [], True),
        (["guess, cot", "guess"], ["guess, direct"], True),
        (["guess", "m"], [], False),
        (["guess"], ["m"], False),
        (["guesser"], [], False),
        ([], [], False),
    ],
)
def test_a_picture_may_be_about_scales_alone(rows: list[str], lines: list[str], alone: bool) -> None:
    cells: list[list[Cell]] = [[Label(name), Count(1)] for name in rows]
    panel = Panel(title="p", x="x", y="y", lines={name: [] for name in lines})
    picture = Picture(
        name="n",
        kind="k",
        title="t",
        table=Table(columns=MODELS.columns, rows=cells) if rows else None,
        panels=[panel] if lines else [],
        unspoken=frozenset({"guess"}),
    )
    assert picture.is_unspoken is alone


def test_one_of_several_scales_is_left_out() -> None:
    picture = Picture(name="n", kind="k", title="t", unspoken=frozenset({"guess", "truth"}))
    left_out = {name: picture.leaves_out(name) for name in ("guess", "truth", "truth, cot", "truthful", "m")}
    assert left_out == {"guess": True, "truth": True, "truth, cot": True, "truthful": False, "m": False}


def test_a_picture_is_shown_on_the_page_alone_unless_it_says_so() -> None:
    picture = Picture(name="n", kind="k", title="t")
    assert (picture.in_terminal, picture.in_markdown, picture.beside_changes) == (False, False, 0)
    assert not MODELS.heat
    assert not Panel(title="p", x="x", y="y", lines={}).percent
    assert Point(x=1, value=None).n == 0
