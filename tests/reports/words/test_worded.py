"""Pictures in words: what a report shows of models that skipped all that a picture is about."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_codereason.reports.words.worded import word_pictures
from pytest_codereason.results.pictures import Picture, Table, name_columns
from pytest_codereason.results.values import Cell, Count, Estimate, Label, Undefined, Why

SKIPPED = Estimate(value=None, why=Why.SKIPPED)


def show(*rows: Sequence[Cell], names: Sequence[str] = ("model", "n", "exact", "change")) -> list[list[str]]:
    """The first cell of each row that is shown, for each picture that is shown."""
    picture = Picture(name="p", kind="own", title="p", table=Table(columns=name_columns(*names), rows=rows))
    return [[row[0] for row in worded.rows] for worded in word_pictures([picture])]


def make_row(model: str, score: Cell, change: Cell) -> list[Cell]:
    return [Label(model), Count(0), score, change]


def test_a_model_whose_every_row_was_skipped_is_left_out() -> None:
    reference, skipped = Undefined(Why.REFERENCE), Undefined(Why.SKIPPED)
    own = [make_row("m", Estimate(value=0.5, n=2), reference), make_row("m", SKIPPED, skipped)]
    scale = [make_row("scale", SKIPPED, reference), make_row("scale", SKIPPED, skipped)]
    assert show(*own, *scale) == [["m", "m"]], "of others each row is shown"
    assert show(*scale) == [], "no table without rows"


def test_what_is_undefined_for_another_reason_is_shown() -> None:
    assert show(make_row("m", Estimate(value=None, why=Why.UNANSWERED), Undefined(Why.SKIPPED))) == [["m"]]
    assert show(make_row("m", Label("a"), Undefined(Why.REFERENCE))) == [["m"]]
    assert show([Label("rename"), SKIPPED], names=("perturbation", "m")) == [["rename"]], "models are columns"
