"""Which model is best in each condition of a suite, and whether that is certain.

Example: alpha is right 93 times of 100, beta 91 times, gamma 60 times. alpha leads. Its lead over gamma is clear, its
lead over beta can be chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

import pandas as pd

from pytest_codereason.core import AxisValue, Metric
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.measures.pairing import compare, judge_difference
from pytest_codereason.results.records.axes import list_conditions, select_condition
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.statistics.chance import find_clear
from pytest_codereason.results.values import Delta, Estimate, Times, Undefined

#: Why a lead is not certain: chance alone makes such a difference, or truncated answers could turn it round.
Doubt = Literal["chance", "truncated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """How far a model is behind the best one, over the questions that both were asked."""

    model: str
    delta: Delta | Times | Undefined  #: the best model's mean minus this model's; of horizons their ratio
    doubt: Doubt | None  #: ``None`` if the best model is clearly ahead
    has_higher_score: bool = False  #: over its own questions, which are not those of the best model


@dataclass(frozen=True, slots=True)
class Rank:
    """The places that a model may have: from ``first``, one after the models clearly ahead, to ``last``."""

    first: int
    last: int

    @property
    def is_tie(self) -> bool:
        """Whether no test tells which of several places the model has."""
        return self.first < self.last


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The best of several models in one condition, and how far each other one is behind, the nearest first."""

    where: Mapping[str, AxisValue]
    best: str
    others: tuple[Distance, ...]
    metric: Metric  #: by which they are ranked
    compared: int  #: pairs of models that were judged together, in all conditions of the suite
    ranks: Mapping[str, Rank] = field(default_factory=dict)  #: of every model with a score, the best first

    @property
    def is_certain(self) -> bool:
        """Whether the best model is clearly ahead of every other."""
        return all(other.doubt is None for other in self.others)


def find_leads(data: RunData, suite: SuiteInfo, rows: pd.DataFrame) -> tuple[Lead, ...]:
    """The best model of each condition in which several models have a score. Baselines are left out.

    A pair of models is compared on the questions that both answered, family by family. So a model whose score is higher
    only because others answered more of the hard questions is not ahead of them. All pairs in all conditions of the
    suite are judged together, because the best model is picked by looking at all of them.

    Args:
        rows: those of the suite, numbered across models by :func:`number_pairs`.
    """
    scales = data.scales
    ranked = []
    for where in list_conditions(suite.axes, pools=suite.headline.pools):
        parts = {label: part for label, part in data.by_subject(select_condition(rows, where)) if label not in scales}
        scores = {label: estimate_metric(part, suite.headline) for label, part in parts.items()}
        order = _rank(scores, suite.headline)
        if len(order) > 1:
            ranked.append((where, parts, scores, order))
    pairs = [(place, pair) for place, (*_, order) in enumerate(ranked) for pair in combinations(order, 2)]
    judged = []
    for place, (first, second) in pairs:
        parts = ranked[place][1]
        judged.append(judge_difference(parts[second], parts[first], suite.headline))
    sign = 1 if suite.headline.higher_is_better else -1
    clear: list[set[tuple[str, str]]] = [set() for _ in ranked]  # winner and loser, in each condition
    for (place, pair), each, is_clear in zip(
        pairs, judged, find_clear([each and each.p for each in judged]), strict=True
    ):
        if is_clear and each and each.value:
            clear[place].add(pair if each.value * sign > 0 else pair[::-1])
    leads = []
    for (where, parts, scores, by_score), beaten in zip(ranked, clear, strict=True):
        order = _put_winners_first(by_score, beaten)
        best, *others = order
        distances = tuple(
            _measure_distance(
                parts,
                scores,
                best,
                other,
                suite.headline,
                clear=(best, other) in beaten,
                has_higher_score=by_score.index(other) < by_score.index(best),
            )
            for other in others
        )
        ahead = {pair for pair in beaten if not _could_turn(scores, pair)}
        ahead -= {(best, other.model) for other in distances if other.doubt}
        ranks = rank_places(order, ahead)
        leads.append(
            Lead(where=where, best=best, metric=suite.headline, others=distances, compared=len(pairs), ranks=ranks)
        )
    return tuple(leads)


def _put_winners_first(by_score: Sequence[str], beaten: Collection[tuple[str, str]]) -> list[str]:
    """The models by their score, but none before another that is clearly ahead of it."""
    rest, order = list(by_score), list[str]()
    while rest:
        free = (label for label in rest if not any((other, label) in beaten for other in rest))
        order.append(next(free, rest[0]))  # models may be ahead of each other in a circle
        rest.remove(order[-1])
    return order


def rank_places(order: Sequence[str], ahead: Collection[tuple[str, str]]) -> dict[str, Rank]:
    """The places of each model, where ``ahead`` has the pairs of which the first is clearly ahead of the second."""
    clearly_better = Counter(loser for _, loser in ahead)
    clearly_worse = Counter(winner for winner, _ in ahead)
    return {label: Rank(1 + clearly_better[label], len(order) - clearly_worse[label]) for label in order}


def _rank(scores: Mapping[str, Estimate], metric: Metric) -> Sequence[str]:
    """The models with a score, the best first; models of the same score in their own order."""
    sign = -1 if metric.higher_is_better else 1
    known = {label: score.value for label, score in scores.items() if score.value is not None}
    return sorted(known, key=lambda label: sign * known[label])


def _measure_distance(
    parts: Mapping[str, pd.DataFrame],
    scores: Mapping[str, Estimate],
    best: str,
    other: str,
    metric: Metric,
    *,
    clear: bool,
    has_higher_score: bool,
) -> Distance:
    delta = compare(parts[other], parts[best], [metric])[metric.name]
    doubt: Doubt | None = None
    if not clear or not delta or not delta.is_significant:
        doubt = "chance"
    elif _could_turn(scores, (best, other)):
        doubt = "truncated"
    return Distance(model=other, delta=delta, doubt=doubt, has_higher_score=has_higher_score)


def _could_turn(scores: Mapping[str, Estimate], pair: tuple[str, str]) -> bool:
    """Whether the second model would be level or ahead of the first if all of its truncated answers were right."""
    better, worse = (scores[label] for label in pair)
    return worse.bounds is not None and better.value is not None and worse.bounds.all_right >= better.value
