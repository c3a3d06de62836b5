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
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from pytest_codereason.results.statistics.horizon import Curve, RungCount, fit_curve

#: Raised whenever the same answers would lead to other questions.
VERSION = 1
#: How far from the drawn horizon a round asks, in octaves, in turn.
OFFSETS = (-0.8, 0.0, 0.8)
#: A rung is closed once so many of its replies are cut off, and this share of them.
CUT, CUT_SHARE = 3, 3 / 8
_SURE = 0.95

Ended = Literal["precision", "budget", "below", "above", "cut", "exhausted", "decided", "errors"]


class Seen(NamedTuple):
    """What is known of one rung."""

    right: float = 0.0
    scored: float = 0.0
    cut: int = 0  #: replies that a limit cut off, which say nothing about reading
    left: int = 0  #: questions that may still be asked

    @property
    def is_closed(self) -> bool:
        """Whether too many replies are cut off to go on asking here."""
        return self.cut >= CUT and self.cut >= CUT_SHARE * (self.scored + self.cut)


@dataclass(frozen=True)
class Precision:
    """When a cell is known well enough, and how many questions a round has."""

    precision: float = 2.0  #: octaves
    budget: int = 64
    batch: int = 8


def list_first(rungs: Sequence[float]) -> list[float]:
    """The rungs of the first round: 0 if it is there, and every second octave from the first rung above it."""
    above = sorted(rung for rung in rungs if rung > 0)
    chosen = [rung for rung in rungs if rung == 0]
    place = above[0] if above else 0.0
    while above and place <= above[-1]:
        chosen.append(min(above, key=lambda rung: (abs(np.log2(rung / place)), rung)))
        place *= 4
    return list(dict.fromkeys(chosen))


def choose_round(
    rungs: Mapping[float, Seen], rules: Precision, asked: int, draw_seed: Callable[[int], int]
) -> list[float] | Ended:
    """The rungs of the next round, one for each question; or why the cell ends.

    Args:
        rungs: what complete earlier rounds have told of each rung.
        asked: how many questions that was.
        draw_seed: the seed of a draw, by its place in the round.
    """
    if not asked:
        return [rung for rung in list_first(list(rungs)) if rungs[rung].left] or "exhausted"
    curve = fit_curve({rung: RungCount(seen.right, seen.scored) for rung, seen in rungs.items() if seen.scored})
    above = sorted(rung for rung in rungs if rung > 0)
    closed = min((rung for rung in above if rungs[rung].is_closed), default=float("inf"))
    within = [rung for rung in above if rung < closed]
    if ended := _find_end(curve, rules, asked, above, within):
        return ended
    left = {rung: rungs[rung].left for rung in within}
    chosen = []
    for place in range(min(rules.batch, rules.budget - asked)):
        open_rungs = [rung for rung, many in left.items() if many]
        if not open_rungs:
            break
        uniform = random.Random(draw_seed(place)).random()
        wanted = float(curve.log_h50(np.array([uniform]))[0]) + OFFSETS[place % len(OFFSETS)]
        rung = min(open_rungs, key=lambda one: (abs(float(np.log2(one)) - wanted), one))
        left[rung] -= 1
        chosen.append(rung)
    return chosen or "exhausted"


def _find_end(
    curve: Curve, rules: Precision, asked: int, above: Sequence[float], within: Sequence[float]
) -> Ended | None:
    if not within:
        return "cut" if above else "exhausted"
    if curve.share_below(float(np.log2(within[0]))) >= _SURE:
        return "below"
    if 1 - curve.share_below(float(np.log2(within[-1]))) >= _SURE:
        return "above" if len(within) == len(above) else "cut"
    if curve.octaves <= rules.precision:
        return "precision"
    return "budget" if asked >= rules.budget else None
