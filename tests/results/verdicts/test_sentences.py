"""A verdict in words: the value, what it surely is, from how many answers, and against what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pytest_codereason.results.measures.noise import Noise
from pytest_codereason.results.statistics.limits import Contrast
from pytest_codereason.results.values import Bounds, Estimate, Flips
from pytest_codereason.results.verdicts.gates import Gate
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.quantities import Measurement
from pytest_codereason.results.verdicts.sentences import (
    Grounds,
    describe_bounds,
    describe_noise,
    describe_part,
    describe_smallest,
    describe_sums,
    describe_unmeasured,
    describe_verdict,
)
from pytest_codereason.results.verdicts.verdict import Decision

NOISE = Noise(flips=Flips(lost=1, won=3, pairs=1080), share=Estimate(value=None), texts=3, unanswered=0)
PLAIN, DROP = parse_gate("s.exact >= 0.8"), parse_gate("drop(s.exact[perturbation=comments]) <= 5%")
BESIDE, DROP_BESIDE = parse_gate("s.exact >= baseline - 2%"), parse_gate("drop(s.exact[a=b]) <= baseline")
FLIPS = Flips(lost=1200, won=4, pairs=1300)


def measure(value: float = 0.85, **more: Any) -> Measurement:
    """A measurement of 40 answers about 20 programs, whose contrast is ``contrast`` or the value."""
    contrast = Contrast(np.array([[more.pop("contrast", value), 1.0]]), [1.0])
    kinds: dict[str, Any] = {"low": None, "high": None, "n": 40, "families": 20, "unit": "program", "means": (value,)}
    return Measurement(value=value, contrast=contrast, **{**kinds, **more})


def say(gate: Gate, decision: str, measured: Measurement, low: float | None, high: float | None, **more: Any) -> str:
    grounds = {"misses": (0.05, 0.025), "needed": None, **more}
    return describe_verdict(
        gate, Grounds(measured=measured, decision=Decision(decision), low=low, high=high, **grounds)
    )


@pytest.mark.parametrize(
    ("gate", "decision", "evidence"),
    [
        (">= 0.8", "PASS", "at least 0.820 in 19 of 20 such runs, "),
        ("> 0.8", "PASS", "at least 0.820 in 19 of 20 such runs, "),
        (">= 0.9", "FAIL", "at most 0.880 in 39 of 40 such runs, "),
        ("<= 0.9", "PASS", "at most 0.880 in 39 of 40 such runs, "),
        ("< 0.8", "FAIL", "at least 0.820 in 19 of 20 such runs, "),
        ("== 0.8", "FAIL", "at least 0.820 in 19 of 20 such runs, "),
        ("== 0.9", "FAIL", "at most 0.880 in 39 of 40 such runs, "),
    ],
)
def test_the_limit_that_decides_is_shown(gate: str, decision: str, evidence: str) -> None:
    verb = "passes" if decision == "PASS" else "fails"
    assert say(parse_gate(f"s.exact {gate}"), decision, measure(), 0.82, 0.88) == (
        f"s.exact = 0.850 ({evidence}n 40, 20 programs) {verb} {gate}"
    )


def test_what_is_known_exactly_has_no_limit() -> None:
    assert say(PLAIN, "PASS", measure(), 0.85, 0.85) == "s.exact = 0.850 (n 40, 20 programs) passes >= 0.8"
    assert say(PLAIN, "PASS", measure(), None, None) == "s.exact = 0.850 (n 40, 20 programs) passes >= 0.8"
    assert "at least 0.840" in say(PLAIN, "PASS", measure(), 0.84, 0.84), "of other answers than the value"


def test_as_many_digits_are_shown_as_the_verdict_needs() -> None:
    assert say(PLAIN, "FAIL", measure(0.79996), 0.1, 0.79996).startswith("s.exact = 0.79996 (at most 0.79996 in")
    assert say(PLAIN, "PASS", measure(0.80004), 0.80004, 0.9).startswith("s.exact = 0.800 (at least 0.800 in")


@pytest.mark.parametrize(
    ("gate", "limits", "needed", "words"),
    [
        (PLAIN, (0.7, 0.9), 1200, "it may lie between 0.700 and 0.900; some 1,200 programs would decide"),
        (PLAIN, (0.7, 0.9), 1, "it may lie between 0.700 and 0.900; some 1 program would decide"),
        (PLAIN, (0.7, 0.9), None, "it may lie between 0.700 and 0.900; more programs would hardly decide"),
        (PLAIN, (None, None), None, "it may be anything; more programs would hardly decide"),
        (PLAIN, (0.7, None), None, "it may be anything; more programs would hardly decide"),
        (PLAIN, (None, 0.9), 7, "it may be anything; some 7 programs would decide"),
        (
            BESIDE,
            (-0.1, 0.1),
            None,
            "the difference may lie between −0.100 and 0.100; more programs would hardly decide",
        ),
    ],
)
def test_what_is_open_says_how_far(
    gate: Gate, limits: tuple[float | None, float | None], needed: int | None, words: str
) -> None:
    assert say(gate, "UNDECIDED", measure(), *limits, needed=needed) == (
        f"s.exact = 0.850 (n 40, 20 programs) leaves {gate.condition} open: {words}"
    )


def test_a_drop_and_a_difference_name_both_sides_and_their_flips() -> None:
    drop = measure(0.4, means=(0.9, 0.5), flips=FLIPS, n=1300, noise=NOISE)
    assert say(DROP, "FAIL", drop, 0.3, 0.5) == (
        "drop(s.exact[perturbation=comments]) = 0.400, from 0.900 to 0.500 (at least 0.300 in 19 of 20 such runs, "
        "1,300 pairs, 1,200 lost, 4 won, asked again 4 of 1,080 flipped, 20 programs) fails <= 0.05"
    )
    beside = measure(0.85, baseline=0.85, contrast=-0.0001, flips=FLIPS, n=1)
    assert say(BESIDE, "PASS", beside, -0.01, 0.01) == (
        "s.exact = 0.850, 0.850 in the baseline, a difference of 0.000 (at least −0.010 in 19 of 20 such runs, "
        "1 pair, 1,200 lost, 4 won, 20 programs) passes >= baseline - 0.02"
    )


def test_what_was_not_measured_says_why() -> None:
    assert describe_unmeasured(PLAIN, None, "not asked", ["no scored answers", "2 unanswered"]) == (
        "s.exact = undefined (not asked) cannot be judged against >= 0.8: no scored answers; 2 unanswered"
    )
    assert describe_unmeasured(PLAIN, measure(), "", ["2 unanswered"]) == (
        "s.exact = 0.850 (n 40, 20 programs) cannot be judged against >= 0.8: 2 unanswered"
    )
    assert describe_part("5 of 9", can_be_judged=False) == "PARTIAL: 5 of 9"
    assert describe_part("5 of 9").startswith("PARTIAL: 5 of 9; --eval-allow-partial")


def test_notes() -> None:
    assert describe_smallest(None) == "no change would be clear in so small a run"
    assert describe_smallest(0.1) == "a true change of 0.100 would be clear in 4 of 5 such runs"
    assert describe_noise(None) == ""
    assert describe_noise(NOISE) == "asked again 4 of 1,080 flipped, "


@pytest.mark.parametrize(
    ("gate", "truncated", "baseline", "words"),
    [
        (PLAIN, (9,), None, "0.620 to 0.665 with 9 truncated answers"),
        (
            DROP,
            (0, 9),
            None,
            "9 truncated answers (0 before, 9 after): the drop would be 0.665 if all were right, 0.620 if all were "
            "wrong",
        ),
        (
            BESIDE,
            (4, 5),
            0.5,
            "9 truncated answers (4 here, 5 in the baseline): the difference would be 0.665 if all were right, 0.620 "
            "if all were wrong",
        ),
        (
            DROP_BESIDE,
            (1, 2, 3, 3),
            0.5,
            "9 truncated answers (1 before here, 2 after here, 3 before in the baseline, 3 after in the baseline): the "
            "difference would be 0.665 if all were right, 0.620 if all were wrong",
        ),
    ],
)
def test_truncated_answers_are_counted_on_each_side(
    gate: Gate, truncated: tuple[int, ...], baseline: float | None, words: str
) -> None:
    bounds = Bounds(all_wrong=0.62, all_right=0.665, truncated=9)
    assert describe_bounds(gate, measure(bounds=bounds, truncated=truncated, baseline=baseline)) == words
    assert describe_bounds(gate, measure()) == ""


def test_sums_that_are_left_are_counted() -> None:
    assert describe_sums(40, 41) == "40 of 41 right answers are left as sums"
    assert describe_sums(1, 2_000, 0.0254) == ("1 of 2,000 right answers is left as sums; exact and resolved is 0.025")
    assert describe_sums(1, 1) == "1 of 1 right answer is left as sums"
