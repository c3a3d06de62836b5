"""Sensitivity to removed lines, for readers that need all of them and for guessers that need none."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from pytest_codereason.core import Metric
from pytest_codereason.core.text.removals import format_removal
from pytest_codereason.results.figures.sensitivity import (
    SensitivityFigure,
    average_sensitivities,
    list_sensitivities,
    toss_coin,
)
from tests.results.figures.rows import Shown, record, run, show

LINES = 5
EXACT = Metric(name="exact", title="Exact match")
SETS = [s for n in range(LINES + 1) for s in itertools.combinations(range(1, LINES + 1), n)]


def picture(right: Callable[[int, tuple[int, ...]], bool], programs: int = 30) -> Shown:
    rows = [
        record("sensitivity", "m", p, {"removed": format_removal(removed_lines, LINES)}, right(p, removed_lines))
        for p in range(programs)
        for removed_lines in SETS
    ]
    of = run({"sensitivity": ("output-prediction", {})}, ["m"])
    (drawn_picture,) = show(SensitivityFigure(), rows, of)
    return drawn_picture


def test_who_needs_every_line_has_sensitivity_one() -> None:
    sensitivity = picture(lambda _, removed_lines: not removed_lines)
    assert sensitivity.rows[0][1].startswith("1.000")
    by_share, by_number = sensitivity.panels
    assert [p.value for p in by_number.lines["m"]] == [1.0] + [0.0] * LINES
    assert [p.x for p in by_share.lines["m"]] == pytest.approx([0, 20, 40, 60, 80, 100])
    assert [p.n for p in by_number.lines["m"]] == [30, 150, 300, 300, 150, 30]


def test_the_trend_has_an_interval_at_each_share() -> None:
    drawn = picture(lambda program, removed_lines: len(removed_lines) < 1 + program % 4)
    curve = drawn.panels[0].curves["m"]
    assert [point.x for point in curve] == pytest.approx(np.linspace(0, 100, 41))
    values = [point.value for point in curve]
    assert values == sorted(values, key=lambda value: -(value or 0))
    for point in curve:
        assert None not in (point.value, point.low, point.high)
        assert (point.low or 0) < (point.value or 0) < (point.high or 0)


def test_what_was_not_measured_says_why() -> None:
    """No answer is scored, none is about a whole program, none about an incomplete one."""
    whole, part = {"removed": format_removal((), LINES)}, {"removed": format_removal((1,), LINES)}
    unanswered = [record("s", "m", 0, axes, True) | {"outcome": "error", "metrics": {}} for axes in (whole, part)]
    cases = {
        "unanswered": unanswered,
        "too few": [record("s", "m", program, part, True) for program in range(3)],
    }
    for why, rows in cases.items():
        (drawn,) = show(SensitivityFigure(), rows, run({"s": ("output-prediction", {})}, ["m"]))
        name, sensitivity, _, programs, left_out, trend = drawn.rows[0]
        assert (name, programs, left_out) == ("m", "0", "0")
        assert why in sensitivity
        assert why in trend


def test_who_needs_none_has_sensitivity_zero() -> None:
    sensitivity = picture(lambda program, removed_lines: True)
    assert sensitivity.rows[0][1].startswith("0.000")
    assert "falls by 0.0 %" in sensitivity.sentence


def test_the_equation_by_hand() -> None:
    """Right as long as line 1 is there: half of the 31 incomplete versions lack it, 16 of them."""
    sensitivity = picture(lambda _, removed_lines: 1 not in removed_lines)
    assert sensitivity.rows[0][1].startswith(f"{16 / 31:.3f}")


def test_programs_never_right_as_a_whole_are_left_out_and_counted() -> None:
    sensitivity = picture(lambda program, removed_lines: program < 10 and not removed_lines)
    assert sensitivity.rows[0][1].startswith("1.000")
    assert sensitivity.rows[0][2:4] == ("0.667", "10"), "a third of the whole programs is right"
    none = picture(lambda program, removed_lines: False)
    assert none.rows[0] == ("m", "never right", "never right", "0", "30", "never right")
    assert sensitivity.rows[0][4] == "20"


def test_the_average_over_models_counts_no_baseline_and_has_an_interval() -> None:
    """One model needs every line, another none, and half of the programs of the first are never right."""
    right: dict[str, Callable[[int, tuple[int, ...]], bool]] = {
        "needs all": lambda program, removed_lines: program < 10 and not removed_lines,
        "needs none": lambda program, removed_lines: True,
        "baseline:interpreter": lambda program, removed_lines: not removed_lines,
    }
    rows = [
        record("s", model, p, {"removed": format_removal(removed_lines, LINES)}, is_right(p, removed_lines))
        for model, is_right in right.items()
        for p in range(20)
        for removed_lines in SETS
    ]
    of = run({"s": ("output-prediction", {})}, right)
    of["models"]["baseline:interpreter"] = {"identity": {"baseline": "interpreter"}}
    (drawn,) = show(SensitivityFigure(), rows, of)
    assert drawn.rows[-1][0] == "average of 2 models"
    assert drawn.rows[-1][1].startswith("0.500")
    assert drawn.rows[-1][2:4] == ("0.250", "20"), "the coins get 0.5 and 0"
    assert drawn.sentence.endswith("The average of 2 models is 0.500.") or "The average of 2 models is 0.500 [" in (
        drawn.sentence
    )
    everyone = drawn.panels[1].lines["all models"]
    assert [point.n for point in everyone] == [point.n * 2 for point in drawn.panels[1].lines["needs none"]]


def test_ways_of_asking_have_a_picture_each() -> None:
    rows = [
        record("s", "m", p, {"removed": format_removal(removed_lines, LINES), "prompting": way}, way == "cot")
        for p in range(9)
        for removed_lines in SETS
        for way in ("direct", "cot")
    ]
    pictures = show(
        SensitivityFigure(), rows, run({"s": ("output-prediction", {"prompting": ["direct", "cot"]})}, ["m"])
    )
    assert [picture.name for picture in pictures] == ["s-python-direct-sensitivity", "s-python-cot-sensitivity"]
    assert [picture.rows[0][1].split(" [")[0] for picture in pictures] == ["never right", "0.000"]


def test_equation_1_is_averaged_over_models_and_the_curves_are_pooled() -> None:
    """``half`` needs line 1 alone: 16 / 31. ``all`` needs every line: 1. ``never`` is never right, and has no value."""
    needs: dict[str, Callable[[tuple[int, ...]], bool]] = {
        "half": lambda gone: 1 not in gone,
        "all": lambda gone: not gone,
        "never": lambda gone: False,
        "baseline:chance": lambda gone: True,
    }
    models = list(needs)
    rows = [
        record("s", model, p, {"removed": format_removal(gone, LINES)}, needs[model](gone))
        for model in models
        for p in range(5)
        for gone in SETS
    ]
    of = run({"s": ("output-prediction", {})}, models)
    of["models"]["baseline:chance"] = {"identity": {"baseline": "chance"}}
    (picture,) = show(SensitivityFigure(), rows, of)
    *_, average = picture.rows
    assert average[0] == "average of 2 models"
    assert average[1].startswith(f"{(16 / 31 + 1) / 2:.3f} [")
    everyone = picture.panels[1].lines["all models"]
    assert everyone[0].value == pytest.approx(2 / 3), "whole programs: two of three models are right"
    assert everyone[0].n == 15
    assert "all models" in picture.panels[0].curves


@pytest.mark.parametrize("samples", [1, 3])
def test_the_coin_gets_what_tossing_it_gets(samples: int) -> None:
    """Tossed for every answer about 2,000 programs, whole and incomplete, equation 1 is what is said of it."""
    random = np.random.default_rng(samples)
    rows = pd.DataFrame(
        [
            {
                "family": f"{program}",
                "cluster": f"{program}",
                "gone": gone,
                "metrics.exact": float(random.random() < 0.3),
            }
            for program in range(2_000)
            for gone in (0, 1, 2)
            for _ in range(samples)
        ]
    ).assign(outcome="correct", language="python")
    rows = rows.astype(dict.fromkeys(("family", "cluster", "outcome", "language"), "category"))
    metric = Metric(name="exact", title="Exact match")
    coin, measured = toss_coin(rows, metric), list_sensitivities(rows, metric).mean()
    assert coin == pytest.approx(measured, abs=0.04)
    if samples == 1:
        assert coin == pytest.approx(0.7, abs=0.03)


def test_a_coin_of_two_tosses_by_hand() -> None:
    """Half of the answers about whole programs are right, two about each program.

    Of four programs two have one right toss, which gives 1 - 0.5 * 2 = 0, and one has two, which gives 1 - 0.5 = 0.5.
    """
    rows = pd.DataFrame(
        {
            "family": ["a", "a", "b", "b", "a"],
            "gone": [0, 0, 0, 0, 1],
            "metrics.exact": [1.0, 0.0, 0.0, 1.0, 1.0],
            "outcome": "correct",
            "language": "python",
        }
    ).astype(dict.fromkeys(("family", "outcome", "language"), "category"))
    assert toss_coin(rows, EXACT) == pytest.approx(0.5 / 3)
    assert toss_coin(rows.assign(**{"metrics.exact": 0.0}), EXACT) is None
    assert toss_coin(rows[rows["gone"] == 1], EXACT) is None


def test_sensitivities_of_models_are_averaged_each_over_its_own_programs() -> None:
    """0.2 and 0.4, and 0.9 of one of the two programs and another: 0.3 and 0.7 over three programs."""
    a, b = pd.Series({"x": 0.2, "y": 0.4}), pd.Series({"y": 0.9, "z": 0.5})
    average = average_sensitivities([a, b])
    assert (average.value, average.n, average.families) == pytest.approx((0.5, 3, 3))
    assert average.unit == "mean"
    assert average.low is not None
    assert average.high == 1.0, "it ends at 1, and two models that differ say little"
    assert average.low < 0
