"""Sentences about where one model is clearly worse than another. They stand before the one about the best model."""

from __future__ import annotations

from pytest_codereason.core.display import visible
from pytest_codereason.core.text import wording
from pytest_codereason.reports.words.formatting import format_axis_value, format_difference
from pytest_codereason.results.measures.setbacks import Setback, leave_out_led
from pytest_codereason.results.measures.summary import SuiteSummary

_NAMED = 3  #: values of axes that a sentence names; the figures have them all


def describe_setbacks(suite: SuiteSummary) -> list[str]:
    """``beta is clearly worse than alpha where perturbation is rename (25 lost, 0 won of 200 pairs, −0.125 [...]).``

    One sentence for each pair of models. Nothing is said of a pair of which one is clearly ahead as a whole.
    """
    led = [(lead.best, other.model) for lead in suite.leads for other in lead.others if other.doubt is None]
    setbacks = leave_out_led(suite.setbacks, led)
    pairs = dict.fromkeys((each.worse, each.better) for each in setbacks)
    return [
        _describe_pair([each for each in setbacks if (each.worse, each.better) == (worse, better)])
        for worse, better in pairs
    ]


def _describe_pair(setbacks: list[Setback]) -> str:
    first = setbacks[0]
    places = [_describe_place(each) for each in setbacks[:_NAMED]]
    rest = len(setbacks) - len(places)
    places += [f"{wording.plural(rest, 'more value')} of axes"] if rest else []
    listed = " and ".join(filter(None, (", ".join(places[:-1]), places[-1])))
    return (
        f"{visible(first.worse)} is clearly worse than {visible(first.better)} where {listed}; "
        f"{wording.plural(first.compared, 'comparison')} looked at together."
    )


def _describe_place(setback: Setback) -> str:
    delta = setback.delta
    change = format_difference(delta)
    if delta.flips is not None and delta.pairs:
        flips = delta.flips
        lost, won = wording.count(flips.lost), wording.count(flips.won)
        change = f"{lost} lost, {won} won of {wording.plural(flips.pairs, 'pair')}, {change}"
    return f"{setback.axis} is {format_axis_value(setback.value)} ({change})"
