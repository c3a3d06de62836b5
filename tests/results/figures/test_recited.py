"""What a model may recite, as a table and in words."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_codereason.results.figures.recited import Recited
from tests.results.figures.rows import Shown, record, run, show

VALUES = ["published", "fresh-input"]


def show_scores(published: int, fresh: int, programs: int = 100, values: Sequence[str] = VALUES) -> list[Shown]:
    """Right answers of programs with each input."""
    rows = [
        record("twins", "m", program, {"twin": value}, program < right)
        for value, right in zip(VALUES, (published, fresh), strict=True)
        if value in values
        for program in range(programs)
    ]
    return show(Recited(), rows, run({"twins": ("twins", {"twin": [*values]})}, ["m"]))


def test_the_difference_is_paired_by_program() -> None:
    (picture,) = show_scores(80, 50)
    [row] = picture.rows
    assert row[:2] == ("m", "100")
    assert row[2].startswith("0.800")
    assert row[3].startswith("0.500")
    assert row[4].startswith("+0.300")
    assert picture.sentence.startswith("m is better with published inputs, which it may recite:")


def test_a_small_difference_is_not_certain() -> None:
    (picture,) = show_scores(51, 50)
    assert picture.sentence.startswith("Not certain that m recites:")


def test_a_model_may_be_better_with_fresh_inputs() -> None:
    (picture,) = show_scores(40, 70)
    assert picture.sentence.startswith("m is better with fresh inputs:")


def test_there_is_no_picture_with_one_input() -> None:
    assert show_scores(40, 70, values=["published"]) == []


def test_a_changed_program_adds_what_is_familiar() -> None:
    values = [*VALUES, "fresh-program"]
    rows = [
        record("twins", "m", program, {"twin": value}, program < right)
        for value, right in zip(values, (60, 60, 20), strict=True)
        for program in range(100)
    ]
    (picture,) = show(Recited(), rows, run({"twins": ("twins", {"twin": values})}, ["m"]))
    [row] = picture.rows
    assert picture.header[-1] == "familiar"
    assert row[-1].startswith("+0.400")
    assert "The programs are familiar to it, or the changed ones are harder: fresh minus changed is" in picture.sentence
