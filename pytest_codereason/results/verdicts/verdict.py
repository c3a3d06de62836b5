"""The verdict on a gate: a decision, and the evidence for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from pytest_codereason.options import Claim

if TYPE_CHECKING:  # they bring pandas, half a second that a session needs at its end alone
    from pytest_codereason.results.measures.noise import Noise
    from pytest_codereason.results.values import Bounds, Flips

#: The exit code of a run that is no worse than its gates ask for, as far as anybody can tell, and does not pass them.
NOT_KNOWN = 10


class Decision(StrEnum):
    """What the records say of a gate."""

    PASS = "PASS"  #: the condition holds
    FAIL = "FAIL"  #: the condition does not hold
    UNDECIDED = "UNDECIDED"  #: there are too few answers to tell
    UNMEASURED = "UNMEASURED"  #: what the gate is about was not measured, or not all of it


@dataclass(frozen=True, slots=True, kw_only=True)
class GateVerdict:
    """The verdict of one gate on one model, with its evidence. ``value`` is ``None`` if no answer was scored."""

    gate: str
    model: str
    verdict: Decision
    passed: bool  #: whether the gate lets the run pass: the user may let an undecided gate pass
    claim: Claim
    value: float | None = None  #: the quantity itself, for a bound from the baseline too
    low: float | None = None  #: of the 95 % interval of ``value``; ``None`` for a drop and beside a baseline
    high: float | None = None
    at_least: float | None = None  #: the one-sided limits of what is compared with the number of the gate
    at_most: float | None = None
    n: int = 0  #: answers; pairs of answers for a drop or beside a baseline
    families: int = 0  #: programs
    baseline: float | None = None  #: what the other side measured on the same questions: the baseline, or ``against``
    against: str | None = None  #: the model of the run that it is compared with
    flips: Flips | None = None  #: how answers changed from the baseline, or through what a drop is about
    noise: Noise | None = None  #: how often answers change by themselves, beside a drop or a difference
    bounds: Bounds | None = None  #: of what is compared with the number of the gate, if some answers are truncated
    needed: int | None = None  #: about how many programs would decide an undecided gate
    smallest: float | None = None  #: for a pass beside a baseline, the smallest true change that would have been clear
    sentence: str


def choose_exit_code(verdicts: Sequence[GateVerdict]) -> int:
    """0 if every gate passes, 1 if one fails, :data:`NOT_KNOWN` if none fails and one is undecided or unmeasured."""
    if any(verdict.verdict is Decision.FAIL for verdict in verdicts):
        return 1
    return 0 if all(verdict.passed for verdict in verdicts) else NOT_KNOWN
