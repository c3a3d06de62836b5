"""Puts a verdict into a sentence: the value, what it surely is, from how many answers, and against what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_codereason.core.text.wording import count, plural, write_number
from pytest_codereason.results.measures.noise import Noise
from pytest_codereason.results.verdicts.gates import Gate
from pytest_codereason.results.verdicts.quantities import Measurement
from pytest_codereason.results.verdicts.verdict import Decision


@dataclass(frozen=True, kw_only=True)
class Grounds:
    """What a decision rests on."""

    measured: Measurement
    decision: Decision
    low: float | None
    high: float | None
    misses: tuple[float, float]  #: how often the lower and the upper limit may be wrong
    needed: int | None


def describe_verdict(gate: Gate, grounds: Grounds) -> str:
    """``semtrace.exact = 0.861 (at least 0.832 in 19 of 20 such runs, n 400, 200 programs) passes >= 0.8``."""
    measured, decision = grounds.measured, grounds.decision
    figure, counts = _describe_figure(gate, measured), _describe_counts(measured)
    if decision is Decision.UNDECIDED:
        what = "the difference" if gate.bound.is_relative else "it"
        between = f"{what} may be anything"
        if grounds.low is not None and grounds.high is not None:
            between = f"{what} may lie between {_format(gate, grounds.low)} and {_format(gate, grounds.high)}"
        more = "more programs would hardly decide"
        if grounds.needed is not None:
            more = f"some {plural(grounds.needed, 'program')} would decide"
        return f"{figure} ({counts}) leaves {gate.condition} open: {between}; {more}"
    limit = _describe_limit(gate, grounds)
    verb = "passes" if decision is Decision.PASS else "fails"
    return f"{figure} ({limit}{counts}) {verb} {gate.condition}"


def describe_unmeasured(gate: Gate, measured: Measurement | None, why: str, obstacles: Sequence[str]) -> str:
    """``semtrace.exact = undefined (not asked) cannot be judged against >= 0.8: no scored answers``."""
    figure = f"{gate.name} = undefined ({why})"
    if measured is not None:
        figure = f"{_describe_figure(gate, measured)} ({_describe_counts(measured)})"
    return f"{figure} cannot be judged against {gate.condition}: {'; '.join(obstacles)}"


def describe_part(gap: str, *, can_be_judged: bool = True) -> str:
    """Why a part of what a gate is about is not judged, and how it is if nothing else is in the way."""
    how = "; --eval-allow-partial (codereason judge: --allow-partial) judges the part"
    return f"PARTIAL: {gap}{how if can_be_judged else ''}"


def describe_smallest(change: float | None) -> str:
    """What a pass beside a baseline could have seen, so that nobody takes a small run for a proof of no change."""
    if change is None:
        return "no change would be clear in so small a run"
    return f"a true change of {change:.3f} would be clear in 4 of 5 such runs"


def describe_sums(sums: int, right: int, resolved: float | None = None) -> str:
    """``40 of 41 right answers are left as sums; exact and resolved is 0.025``."""
    text = f"{count(sums)} of {plural(right, 'right answer')} {'is' if sums == 1 else 'are'} left as sums"
    return text if resolved is None else f"{text}; exact and resolved is {write_number(resolved)}"


def describe_bounds(gate: Gate, measured: Measurement) -> str:
    """``0.620 to 0.665 with 9 truncated answers``; of a drop or a difference how many each side has, too.

    Example: ``20 truncated answers (0 before, 20 after): the drop would be 0.000 if all were right, 0.500 if all were
    wrong``. Empty if no answer was truncated.
    """
    bounds = measured.bounds
    if bounds is None:
        return ""
    cut_off = plural(bounds.truncated, "truncated answer")
    wrong, right = write_number(bounds.all_wrong), write_number(bounds.all_right)
    if len(measured.truncated) == 1:
        return f"{wrong} to {right} with {cut_off}"
    sides = ["before", "after"] if gate.quantity.is_drop else [""]
    if measured.baseline is not None:
        here = [f"{side} here".strip() for side in sides]
        sides = [*here, *(f"{side} {gate.bound.by}".strip() for side in sides)]
    counts = ", ".join(f"{count(n)} {side}" for n, side in zip(measured.truncated, sides, strict=True))
    what = "drop" if measured.baseline is None else "difference"
    return f"{cut_off} ({counts}): the {what} would be {right} if all were right, {wrong} if all were wrong"


def _describe_figure(gate: Gate, measured: Measurement) -> str:
    if measured.baseline is not None:
        difference = _format(gate, measured.contrast.value)
        return (
            f"{gate.name} = {write_number(measured.value)}, {write_number(measured.baseline)} {gate.bound.by}, "
            f"a difference of {difference}"
        )
    text = f"{gate.name} = {_format(gate, measured.value)}"
    if len(measured.means) > 1:
        before, after = measured.means
        text += f", from {write_number(before)} to {write_number(after)}"
    return text


def _describe_counts(measured: Measurement) -> str:
    programs = plural(measured.families, measured.unit)
    if measured.flips is None:
        return f"n {count(measured.n)}, {programs}"
    flips, floor = measured.flips, describe_noise(measured.noise)
    return f"{plural(measured.n, 'pair')}, {count(flips.lost)} lost, {count(flips.won)} won, {floor}{programs}"


def describe_noise(noise: Noise | None) -> str:
    """``asked again 4 of 80 flipped, ``, as it stands before the number of programs; empty without a noise floor."""
    if noise is None:
        return ""
    flips = noise.flips
    return f"asked again {count(flips.lost + flips.won)} of {count(flips.pairs)} flipped, "


def _describe_limit(gate: Gate, grounds: Grounds) -> str:
    """The limit that decides: ``at least 0.832 in 19 of 20 such runs, ``. Empty if every question was asked."""
    low, high = grounds.low, grounds.high
    if low is None or high is None or low == high == grounds.measured.contrast.value:
        return ""
    if gate.op == "==":
        is_lower = low > gate.bound.number
    else:
        is_lower = (gate.op in (">", ">=")) is (grounds.decision is Decision.PASS)
    limit, miss = (low, grounds.misses[0]) if is_lower else (high, grounds.misses[1])
    runs = round(1 / miss)
    side = "at least" if is_lower else "at most"
    return f"{side} {_format(gate, limit)} in {count(runs - 1)} of {count(runs)} such runs, "


def _format(gate: Gate, value: float) -> str:
    """Three decimals, or as many more as the verdict needs to be seen to be right."""
    seen = (digits for digits in range(3, 16) if gate.holds(float(f"{value:.{digits}f}")) == gate.holds(value))
    return write_number(value, next(seen, 16))
