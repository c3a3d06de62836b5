"""Chooses which questions of a cell are asked next, so that its horizon is soon known.

Example: the first round asks one question at 0, 1, 4, 16, ... steps. The answers say that half are right somewhere
between 8 and 128 steps. So the second round asks eight questions between 8 and 128, and the third nearer still.

A round is chosen from complete earlier rounds alone, and from draws that are named after the suite, the cell and the
place in the round. So every process chooses the same questions, in whatever order answers arrive.

Source: drawing a curve from the posterior for each question, Thompson 1933, "On the likelihood that one unknown
probability exceeds another in view of the evidence of two samples"; asking beside the place where half are right, which
tells the slope too, Wichmann and Hill 2001, "The psychometric function: I".
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from pytest_codereason.core.adaptive import Adaptive, Ended, Seen, list_first
from pytest_codereason.results.statistics.horizon import Curve, RungCount, fit_curve

#: How far from the drawn horizon a round asks, in octaves, in turn.
OFFSETS = (-0.8, 0.0, 0.8)
_SURE = 0.95

#: Says of what is known of each rung of a cell whether it decides all that the user wants to know.
Decide = Callable[[Mapping[float, Seen]], bool]


def leave_open(rungs: Mapping[float, Seen]) -> bool:
    """The answer for a cell that nobody wants to end before its horizon is known."""
    return False


def choose_round(
    rungs: Mapping[float, Seen],
    rules: Adaptive,
    asked: int,
    draw_seed: Callable[[int], int],
    is_decided: Decide = leave_open,
) -> list[float] | Ended:
    """The rungs of the next round, one for each question; or why the cell ends.

    Args:
        rungs: what complete earlier rounds have told of each rung.
        asked: how many questions that was.
        draw_seed: the seed of a draw, by its place in the round.
        is_decided: whether the cell may end before its horizon is known.
    """
    if not asked:
        return [rung for rung in list_first(list(rungs)) if rungs[rung].left] or "exhausted"
    curve = fit_seen(rungs)
    if ended := find_end(rungs, rules, asked, curve, is_decided):
        return ended
    left = {rung: rungs[rung].left for rung in list_open(rungs)}
    chosen: list[float] = []
    for place in range(min(rules.batch, rules.budget - asked)):
        if not (wanted := [rung for rung, many in left.items() if many]):
            break
        uniform = random.Random(draw_seed(place)).random()
        aim = float(curve.log_h50(np.array([uniform]))[0]) + OFFSETS[place % len(OFFSETS)]
        distances = {rung: abs(float(np.log2(rung)) - aim) for rung in wanted}
        rung = min(wanted, key=lambda one: (distances[one], one))
        left[rung] -= 1
        chosen.append(rung)
    return chosen


def fit_seen(rungs: Mapping[float, Seen]) -> Curve:
    """The curve through the answers at the rungs."""
    return fit_curve({rung: RungCount(seen.right, seen.scored) for rung, seen in rungs.items() if seen.scored})


def find_end(
    rungs: Mapping[float, Seen], rules: Adaptive, asked: int, curve: Curve, is_decided: Decide = leave_open
) -> Ended | None:
    """Why a cell ends after these answers; ``None`` if it goes on."""
    above, within = _list_above(rungs), list_open(rungs)
    if not within:
        return "cut" if above else "exhausted"
    if curve.share_below(float(np.log2(within[0]))) >= _SURE:
        return "below"
    if 1 - curve.share_below(float(np.log2(within[-1]))) >= _SURE:
        return "above" if len(within) == len(above) else "cut"
    if curve.octaves <= rules.precision:
        return "precision"
    if is_decided(rungs):
        return "decided"
    if asked >= rules.budget:
        return "budget"
    return None if any(rungs[rung].left for rung in within) else "exhausted"


def _list_above(rungs: Mapping[float, Seen]) -> Sequence[float]:
    return sorted(rung for rung in rungs if rung > 0)


def list_open(rungs: Mapping[float, Seen]) -> list[float]:
    """The rungs above 0 that are below the first one that is closed."""
    above = _list_above(rungs)
    closed = min((rung for rung in above if rungs[rung].is_closed), default=float("inf"))
    return [rung for rung in above if rung < closed]
