"""Faults found as a mutation gets stronger, for models whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_codereason.results.figures.fault_strength import FaultStrength
from pytest_codereason.results.values import Estimate, Why
from tests.results.figures.fault_rows import Question, describe_run, list_questions, localise, localise_twice
from tests.results.figures.localisers import flips, mutated
from tests.results.figures.rows import data, show

STRENGTHS = ["none", *(f"dead-code(strength={strength},place=2)" for strength in (1, 2, 4, 8))]


def test_the_slope_is_the_loss_of_each_step() -> None:
    def loses_a_tenth_a_step(question: Question, value: str, step: int) -> bool:
        strength = int(value.partition("strength=")[2].partition(",")[0] or 0)
        return question.program % 10 >= strength

    (picture,) = mutated(FaultStrength(), loses_a_tenth_a_step, STRENGTHS)
    ((_, mutation, weakest, strongest, slope, ends),) = picture.rows
    assert mutation == "dead-code(place=2)"
    assert (weakest.partition(" ")[0], strongest.partition(" ")[0]) == ("90.00", "20.00")
    assert slope.startswith("−10.00 [")
    assert ends.startswith("−10.00 [")
    (panel,) = picture.panels
    assert [(point.x, point.value) for point in panel.lines["m"]] == [
        (1, 0.9),
        (2, 0.8),
        (4, 0.6),
        (8, pytest.approx(0.2)),
    ]
    assert "of m changes by −10.00 [" in picture.sentence
    assert picture.sentence.endswith("points with each step of dead-code(place=2).")


def test_the_studys_slope_sees_the_ends_alone() -> None:
    """All is lost at the first step: least squares and the ends then differ, as they should."""

    def loses_all_at_once(question: Question, value: str, step: int) -> bool:
        return "strength" not in value or "strength=1" in value

    (picture,) = mutated(FaultStrength(), loses_all_at_once, STRENGTHS)
    x, y = np.array([1, 2, 4, 8]), np.array([1, 0, 0, 0])
    *_, slope, ends = picture.rows[0]
    assert float(slope.partition(" ")[0].replace("−", "-")) == pytest.approx(100 * np.polyfit(x, y, 1)[0], abs=0.01)
    assert ends.startswith(f"−{100 / 7:.2f} [")


def test_the_interval_of_a_flat_line_holds_zero() -> None:
    (picture,) = mutated(FaultStrength(), flips, STRENGTHS)
    low, high = (float(end.replace("−", "-")) for end in picture.rows[0][-2].partition("[")[2].rstrip("]").split(", "))
    assert low < 0 < high


def test_one_that_finds_nothing_has_no_slope_and_says_why() -> None:
    (picture,) = mutated(FaultStrength(), lambda *_: False, STRENGTHS)
    assert picture.rows == (("m", "dead-code(place=2)", "never right", "never right", "too few", "never right"),)
    (panel,) = picture.panels
    assert {(point.value, point.why) for point in panel.lines["m"]} == {(None, Why.NEVER_RIGHT)}


def test_a_suite_of_one_step_counts_the_faults_that_are_found() -> None:
    """Of 20 programs 15, 10 and 0 are right, at the strengths 1, 2 and 4."""
    found = {"a(strength=1)": 15, "a(strength=2)": 10, "a(strength=4)": 0}
    values = [*found, "b(strength=3)"]

    def finds(question: Question, value: str, step: int) -> bool:
        return question.program < found.get(value, 0)

    rows = localise("s", "m", list_questions(), finds, values)
    of = describe_run({"s": ("fault-localization", values)}, ["m"])
    (picture,) = show(FaultStrength(), rows, of)
    ((*start, slope, ends),) = picture.rows
    assert [cell.partition(" ")[0] for cell in start] == ["m", "a", "75.00", "0.00"]
    # The mean strength is 7/3: ((-4/3) 0.75 + (-1/3) 0.5 + (5/3) 0) / (16/9 + 1/9 + 25/9) = -7/6 / (14/3) = -1/4
    assert slope.startswith("−25.00 [")
    assert ends.startswith("−25.00 ["), "(0 - 0.75) / (4 - 1)"
    assert picture.columns[2:] == tuple((key, "percent") for key in ("weakest", "strongest", "slope", "ends"))
    assert picture.of == {"suite": "s", "language": "python", "metric": "Faulty line"}
    assert (picture.panels[0].title, picture.panels[0].x) == ("a", "strength")


def test_a_slope_counts_answers_and_programs() -> None:
    rows = localise("s", "m", list_questions(programs=6), lambda *_: True, ["a(strength=1)", "a(strength=2)"])
    of = describe_run({"s": ("fault-localization", ["a(strength=1)", "a(strength=2)"])}, ["m"])
    (picture,) = FaultStrength().pictures(data(rows, of))
    assert picture.table is not None
    slope, ends = picture.table.rows[0][-2:]
    assert isinstance(slope, Estimate)
    assert isinstance(ends, Estimate)
    assert (slope.value, slope.n, slope.families) == (0, 6 * 8 * 2, 6)
    assert (ends.value, ends.n, ends.families) == (0, 6 * 8, 6)


def test_each_language_has_a_picture_and_all_of_them_have_one() -> None:
    def python_alone(question: Question, value: str, step: int) -> bool:
        return question.language == "python"

    languages = ("python", "java")
    rows = localise_twice("s", "m", list_questions(languages=languages), python_alone, STRENGTHS)
    pictures = show(FaultStrength(), rows, describe_run({"s": ("fault-robustness", STRENGTHS)}, ["m"], languages))
    assert [each.name for each in pictures] == [f"s-{name}-fault-strength" for name in ("all", "python", "java")]
    assert [each.rows[0][2].partition(" ")[0] for each in pictures] == ["100.00", "100.00", "never"]


def test_a_slope_counts_programs_that_one_strength_lacks() -> None:
    """The last of six programs was not asked at the second strength. All are right, so the line is flat."""
    values = ["a(strength=1)", "a(strength=2)"]
    rows = localise("s", "m", list_questions(programs=6), lambda *_: True, values)
    rows = [row for row in rows if (row["family"], row["axes"]["perturbation"]) != ("0005", values[1])]
    (picture,) = FaultStrength().pictures(data(rows, describe_run({"s": ("fault-localization", values)}, ["m"])))
    assert picture.table is not None
    slope, ends = picture.table.rows[0][-2:]
    assert isinstance(slope, Estimate)
    assert isinstance(ends, Estimate)
    assert (slope.value, slope.n, slope.families) == pytest.approx((0, 6 * 8 + 5 * 8, 6))
    assert (ends.n, ends.families) == (5 * 8, 5), "the ends are paired"
