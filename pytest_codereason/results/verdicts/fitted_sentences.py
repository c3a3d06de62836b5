"""Puts a verdict on a fitted figure into a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_codereason.core.text.wording import count, name_place, plural, spell_place, write_number
from pytest_codereason.results.verdicts.fitted import Fitted
from pytest_codereason.results.verdicts.verdict import Decision


def describe_fitted(
    fitted: Fitted,
    misses: tuple[float, float],
    needed: int | None,
    notes: Sequence[str],
    obstacles: Sequence[str],
) -> str:
    """``horizon.h50 = 37 steps [29, 48] (at least 30 in 19 of 20 such runs, n 344, 8 cells) passes >= 24``."""
    spell = _choose_spelling(fitted)
    compared = spell if fitted.theirs is None else _spell_ratio if fitted.is_horizon else _spell_share
    low, high = map(compared, fitted.find_limits(misses))
    figure = _describe_figure(fitted, spell)
    asked = f"n {count(fitted.mine.asked)}, {plural(len(fitted.mine.cells), 'cell')}"
    condition = fitted.gate.condition
    if obstacles:
        return f"{figure} ({asked}) cannot be judged against {condition}: {'; '.join(obstacles)}"
    decision = fitted.decide(misses)
    if decision is Decision.UNDECIDED:
        more = f"some {count(needed)} questions a cell would decide" if needed else _HARDLY
        between = f"{_name_compared(fitted)} may lie between {low} and {high}"
        text = f"{figure} ({asked}) leaves {condition} open: {between}; {more}"
    else:
        is_lower = (fitted.gate.op in (">", ">=")) is (decision is Decision.PASS)
        runs = round(1 / misses[0 if is_lower else 1])
        limit = f"at least {low}" if is_lower else f"at most {high}"
        verb = "passes" if decision is Decision.PASS else "fails"
        text = f"{figure} ({limit} in {count(runs - 1)} of {count(runs)} such runs, {asked}) {verb} {condition}"
    return "; ".join([text, *_describe_cut(fitted, spell), *_describe_ends(fitted), *notes])


_HARDLY = "more questions would hardly decide"


def _describe_figure(fitted: Fitted, spell: Callable[[float], str]) -> str:
    value, low, high = map(spell, fitted.figure)
    text = f"{fitted.gate.name} = {name_place(fitted.mine.axis, value) if fitted.is_horizon else value} [{low}, {high}]"
    if fitted.baseline is None:
        return text
    text += f", {spell(fitted.baseline)} {fitted.gate.bound.by}"
    return f"{text}, {_spell_ratio(fitted.middle)} times as far" if fitted.is_horizon else text


def _name_compared(fitted: Fitted) -> str:
    if fitted.theirs is None:
        return "it"
    return "the ratio" if fitted.is_horizon else "the difference"


def _describe_cut(fitted: Fitted, spell: Callable[[float], str]) -> list[str]:
    bounds = fitted.bounds
    if bounds is None:
        return []
    span = f"{spell(min(bounds.all_wrong, bounds.all_right))} to {spell(max(bounds.all_wrong, bounds.all_right))}"
    return [f"{span} with {plural(bounds.truncated, 'reply')} cut off"]


def _describe_ends(fitted: Fitted) -> list[str]:
    equal = len(fitted.pair.equal_ends) if fitted.pair else 0
    what = "which counts as equal" if equal == 1 else "which count as equal"
    return [f"both lie beyond the rungs in {plural(equal, 'cell')}, {what}"] if equal else []


def _choose_spelling(fitted: Fitted) -> Callable[[float], str]:
    rungs = fitted.mine.rungs
    return (lambda value: spell_place(value, *rungs)) if fitted.is_horizon else _spell_share


def _spell_share(value: float) -> str:
    return f"{write_number(100 * value, 1)} %"


def _spell_ratio(value: float) -> str:
    return f"{value:.2f}"
