"""Verdicts on fitted figures in words, with the figures that they rest on."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core.text.wording import name_place, spell_place
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.verdicts.baselines import check_gates
from pytest_codereason.results.verdicts.judging import Rules, judge_gates
from pytest_codereason.results.verdicts.verdict import GateVerdict
from tests.results.statistics.readers import Reader
from tests.results.synthetic import build_data, make_row
from tests.results.synthetic_curves import make_curve_data, make_curve_rows, make_curve_run

NEAR, FAR, ENDLESS = Reader(8, 2.0), Reader(64, 2.0), Reader(10**6)
TWO = make_curve_data({"int": NEAR, "list": FAR})
ONE, BEFORE = (make_curve_data({"int": NEAR}, seed=seed) for seed in (2, 1))


def judge(text: str, data: RunData, before: RunData | None = None, **rules: Any) -> GateVerdict:
    gates = check_gates([text], data.run, before.run if before else None)
    (verdict,) = judge_gates(gates, data, Rules(baseline=before, **rules))
    return verdict


def spell(value: float | None) -> str:
    assert value is not None
    return spell_place(value, 1, 256)


@pytest.mark.parametrize(
    ("condition", "side", "verb"),
    [
        (">= 12", "at least {low}", "passes"),
        ("> 12", "at least {low}", "passes"),
        (">= 48", "at most {high}", "fails"),
        ("<= 48", "at most {high}", "passes"),
        ("< 48", "at most {high}", "passes"),
        ("<= 12", "at least {low}", "fails"),
    ],
)
def test_the_side_that_decides_is_shown(condition: str, side: str, verb: str) -> None:
    verdict = judge(f"horizon.h50 {condition}", TWO)
    limit = side.format(low=spell(verdict.at_least), high=spell(verdict.at_most))
    assert verdict.sentence == (
        f"horizon.h50 = {spell(verdict.value)} steps [{spell(verdict.low)}, {spell(verdict.high)}] ({limit} in 19 of "
        f"20 such runs, n 204, 2 cells) {verb} {condition}; about programs like these"
    )


def test_a_gate_that_is_open_says_between_what_and_what_would_decide() -> None:
    verdict = judge("horizon.h50 >= 22", TWO)
    between = f"it may lie between {spell(verdict.at_least)} and {spell(verdict.at_most)}"
    more = (
        f"some {verdict.needed:,} questions a cell would decide"
        if verdict.needed
        else "more questions would hardly decide"
    )
    assert verdict.sentence.endswith(
        f" (n 204, 2 cells) leaves >= 22 open: {between}; {more}; about programs like these"
    )
    hardly = judge(f"horizon.h50 == {verdict.value}", TWO)
    assert (hardly.needed, "; more questions would hardly decide; " in hardly.sentence) == (None, True)


def test_a_lapse_is_a_share() -> None:
    verdict = judge("horizon.lapse <= 15%", ONE)
    assert None not in (verdict.value, verdict.low, verdict.high, verdict.at_most)
    value, low, high, limit = (
        f"{100 * (x or 0):.1f} %" for x in (verdict.value, verdict.low, verdict.high, verdict.at_most)
    )
    assert verdict.sentence == (
        f"horizon.lapse = {value} [{low}, {high}] (at most {limit} in 19 of 20 such runs, n 102, 1 cell) "
        "passes <= 0.15; about programs like these"
    )


def test_beside_a_baseline_the_ratio_of_horizons_and_the_difference_of_shares_are_compared() -> None:
    verdict = judge("horizon.h50 >= baseline * 0.1", ONE, BEFORE)
    assert f", {spell(verdict.baseline)} in the baseline, " in verdict.sentence
    assert (
        f" times as far (at least {verdict.at_least:.2f} in 19 of 20 such runs, n 102, 1 cell) passes"
        in verdict.sentence
    )
    assert 0.5 < float(verdict.sentence.partition(" times as far")[0].rpartition(" ")[2]) < 2
    open_one = judge("horizon.h50 >= baseline", ONE, BEFORE)
    assert f": the ratio may lie between {open_one.at_least:.2f} and {open_one.at_most:.2f}; " in open_one.sentence
    shares = judge("horizon.lapse >= baseline", ONE, BEFORE)
    assert ": the difference may lie between −" in shares.sentence
    assert "times as far" not in shares.sentence
    assert f", {100 * (shares.baseline or 0):.1f} % in the baseline (" in shares.sentence


@pytest.mark.parametrize(
    ("cells", "said"), [(1, "1 cell, which counts as equal"), (2, "2 cells, which count as equal")]
)
def test_cells_that_lie_beyond_the_rungs_count_as_equal(cells: int, said: str) -> None:
    readers = {"int": ENDLESS, "list": NEAR if cells == 1 else ENDLESS}
    before, after = (make_curve_data(readers, seed=seed) for seed in (1, 2))
    assert f"; both lie beyond the rungs in {said}; " in judge("horizon.h50 >= baseline * 0.5", after, before).sentence
    assert "beyond the rungs" not in judge("horizon.h50 >= 1", after).sentence


def test_replies_that_are_cut_off_give_the_span_of_the_figure() -> None:
    verdict = judge("horizon.h50 >= 16", make_curve_data({"int": FAR}, cut_from=64))
    assert verdict.bounds is not None
    low, high = spell(verdict.bounds.all_wrong), spell(verdict.bounds.all_right)
    assert f"; {low} to {high} with 30 replies cut off; " in verdict.sentence
    assert "cut off" not in judge("horizon.h50 >= 16", make_curve_data({"int": FAR})).sentence


def test_what_cannot_be_judged_still_shows_its_figure() -> None:
    rows = make_curve_rows({"int": NEAR})
    error = make_row(**{name: rows[0][name] for name in ("family", "suite", "axes")}, id="x", outcome="error")
    verdict = judge("horizon.h50 >= 1", build_data(make_curve_run(), [*rows, error]))
    figure = f"{name_place('steps', spell(verdict.value))} [{spell(verdict.low)}, {spell(verdict.high)}]"
    assert verdict.sentence == f"horizon.h50 = {figure} (n 102, 1 cell) cannot be judged against >= 1: 1 unanswered"
