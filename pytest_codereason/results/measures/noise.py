"""The noise floor of a model: how often an answer changes although nothing else does.

Example: 80 questions are asked a second time with the same settings. Three answers that were right are wrong now, and
one that was wrong is right. So a difference of a few flips between two conditions says little.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from pytest_codereason.core import SCORED, Metric
from pytest_codereason.results.measures.measures import estimate_metric, mark_outcomes
from pytest_codereason.results.records.records import KEY
from pytest_codereason.results.runs.run_data import RunData, Subject
from pytest_codereason.results.values import Estimate, Flips

_FLIPPED = Metric(name="flipped", title="Flipped when asked again", higher_is_better=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """What became of the answers to questions that were asked a second time, unchanged."""

    flips: Flips  #: ``pairs`` of which both were answered
    share: Estimate  #: the share of these pairs that flipped, with its interval over programs
    texts: int  #: pairs of which the replies are not the same text
    unanswered: int  #: questions that got no answer when they were asked again


def measure_noise(data: RunData, suite: str, subject: Subject) -> Noise | None:
    """The noise floor of one model on one suite; ``None`` if nothing was asked a second time."""
    again = data.select_repeats(suite, subject)
    if again.empty:
        return None
    return compare_answers(data.select_subject(data.select_suite(suite), subject), again)


def compare_answers(first: pd.DataFrame, again: pd.DataFrame) -> Noise:
    """What became of the answers ``first`` that have a second one in ``again``."""
    pairs = again.merge(first[[*KEY, "outcome", "reply"]], on=list(KEY), suffixes=("", "_first"))
    before = pairs.assign(outcome=pairs["outcome_first"])
    answered = mark_outcomes(before, SCORED) & mark_outcomes(pairs, SCORED)
    was, is_now = (mark_outcomes(part, ("correct",))[answered] for part in (before, pairs))
    pairs = pairs[answered]
    return Noise(
        flips=Flips(lost=int((was & ~is_now).sum()), won=int((~was & is_now).sum()), pairs=len(pairs)),
        share=estimate_metric(pairs.assign(**{f"metrics.{_FLIPPED.name}": was != is_now}), _FLIPPED),
        texts=int((pairs["reply"] != pairs["reply_first"]).sum()),
        unanswered=int(mark_outcomes(again, ("error",)).sum()),
    )
