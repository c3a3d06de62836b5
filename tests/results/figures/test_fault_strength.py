"""Faults found as a mutation gets stronger, for models whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_codereason.results.figures.fault_strength import FaultStrength
from tests.results.figures.fault_rows import Question
from tests.results.figures.localisers import flips, mutated

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
