"""Adaptive asking: which questions of a suite are asked follows from the answers to earlier ones.

Example: a suite has 24 programs at each of 25 numbers of steps. It asks one question at 0, 1, 4, 16, ... steps, then
eight more around the place where about half are right, and so on, until this place is known well enough.

A *cell* is one model, one language and one value of every axis but the one that is chosen. Each cell is asked on its
own, in *rounds*. The places on the axis are *rungs*.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pytest_codereason.core.programs import AxisValue

#: Raised whenever the same answers would lead to other questions.
VERSION = 1
#: A rung is closed once so many of its replies are cut off, and this share of them.
CUT, CUT_SHARE = 3, 3 / 8

#: Outcomes of answers that say something about reading.
READ_OUTCOMES = frozenset({"correct", "wrong", "invalid", "refused"})
#: Outcomes of answers that a limit cut off. They say nothing about reading, so they are in no curve.
CUT_OUTCOMES = frozenset({"truncated", "too-long"})

#: Why a cell has ended. ``decided``: every gate about it is, and the user wants no more. ``cut``: so many replies are
#: cut off that nothing more can be measured. ``exhausted``: the suite has no more programs where they are wanted.
Ended = Literal["precision", "decided", "budget", "below", "above", "cut", "exhausted", "errors"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Adaptive:
    """The table ``[adaptive]`` of a suite file: the axis that is chosen, and when a cell is known well enough."""

    over: str  #: the axis
    rungs: tuple[AxisValue, ...]  #: its values, in order
    precision: float = 2.0  #: a cell ends when the 95 % interval is so many octaves wide
    budget: int = 64  #: or after so many questions
    batch: int = 8  #: questions in a round
    asking: Literal["adaptive", "grid"] = "adaptive"  #: ``grid`` asks everything

    @property
    def chosen_axis(self) -> str:
        """The axis whose value follows from earlier answers, empty if every question is asked."""
        return self.over if self.asking == "adaptive" else ""


class Seen(NamedTuple):
    """What is known of one rung of a cell."""

    right: float = 0.0  #: right answers; of a question with several samples their share
    scored: float = 0.0  #: questions whose answers say something about reading
    cut: float = 0.0  #: questions whose replies a limit cut off, which say nothing about it
    left: int = 0  #: questions that may still be asked

    @property
    def is_closed(self) -> bool:
        """Whether too many replies are cut off to go on asking here."""
        return self.cut >= CUT and self.cut >= CUT_SHARE * (self.scored + self.cut)


def list_rungs(top: int) -> list[int]:
    """``0, 1, 2, 3, 4, 6, 8, 12, ...`` up to ``top``, which is always the last."""
    octaves = [2**k for k in range(top.bit_length())]
    halves = [3 * octave // 2 for octave in octaves if octave > 1]
    return sorted({0, top, *(rung for rung in (*octaves, *halves) if rung < top)})


def list_first(rungs: Sequence[float]) -> list[float]:
    """The rungs of the first round: 0 if it is there, and every second octave from the first rung above it."""
    above = sorted(rung for rung in rungs if rung > 0)
    chosen = [rung for rung in rungs if rung == 0]
    place = above[0] if above else 0.0
    while above and place <= above[-1]:
        chosen.append(min(above, key=lambda rung, near=place: (abs(math.log2(rung / near)), rung)))  # type: ignore[misc]
        place *= 4
    return list(dict.fromkeys(chosen))
