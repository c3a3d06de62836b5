"""Sentences about several models: which is best, and whether that is certain."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_codereason.core.display import visible
from pytest_codereason.core.text import wording
from pytest_codereason.reports.words.cells import format_cell
from pytest_codereason.reports.words.formatting import (
    format_axis_value,
    format_condition,
    format_difference,
)
from pytest_codereason.results.measures.claims import Reach
from pytest_codereason.results.measures.leads import Distance, Doubt, Lead
from pytest_codereason.results.records.axes import list_departures
from pytest_codereason.results.runs.run_info import RESOLVED
from pytest_codereason.results.values import Delta, Times

_NAMED = 3  #: models of which a sentence says how far they are behind; a table has them all
_DOUBTS: dict[Doubt, str] = {
    "chance": "can be chance",
    "truncated": "is not certain, because the token limit cut off too many answers",
}


def describe_lead(lead: Lead) -> str:
    """``Best model: alpha. It is clearly ahead of beta (+0.100 [+0.060, +0.140]).``

    Without a clear best model: ``Best model: not certain. alpha is first, but its lead over beta (+0.019 [−0.006,
    +0.044]) can be chance on 80 programs.`` With the same score: ``alpha is level with beta (0.000 [−0.025, +0.025]) on
    80 programs.`` If the suite also asks other than plain questions, a last sentence says that they do not count here.
    """
    return f"{_describe_lead(lead)}{_describe_unequal(lead)}{_describe_scope(lead)}{_describe_metric(lead)}"


def _describe_unequal(lead: Lead) -> str:
    """Why a model with a higher score is not the best; empty if there is none."""
    higher = [visible(other.model) for other in lead.others if other.has_higher_score]
    if not higher:
        return ""
    have = f"{' and '.join(higher)} {'has' if len(higher) == 1 else 'have'}"
    return f" {have} a higher score, but answered other questions. Only questions that both answered are compared."


def _describe_scope(lead: Lead) -> str:
    """`` Only plain questions (perturbation vanilla) count here.``; empty if the suite asks no others."""
    plain = [f"{axis} {format_axis_value(lead.where[axis])}" for axis in list_departures(lead.where)]
    return f" Only plain questions ({', '.join(plain)}) count here." if plain else ""


def _describe_metric(lead: Lead) -> str:
    """What is not plain of the metric: that less is better, or that answers such as ``81 - 43`` do not count."""
    if lead.metric.name == RESOLVED:
        return " Right answers that are left as sums do not count."
    return "" if lead.metric.higher_is_better else " Less is better."


def _describe_lead(lead: Lead) -> str:
    of = format_condition(lead.where)
    best = visible(lead.best)
    start = f"Best model ({of})" if of else "Best model"
    ahead = _list_distances([other for other in lead.others if other.doubt is None])
    if lead.is_certain:
        return f"{start}: {best}. It is clearly ahead of {ahead}."
    level = [other for other in lead.others if _is_level(other)]
    behind = [other for other in lead.others if other not in level]
    doubts = [
        f"its lead over {_list_distances(alike)} {words}{_describe_evidence(lead, alike) if doubt == 'chance' else ''}"
        for doubt, words in _DOUBTS.items()
        if (alike := [other for other in behind if other.doubt == doubt])
    ]
    if level:
        sentences = [f"{best} is level with {_list_distances(level)}{_describe_evidence(lead, level)}"]
        sentences += [wording.capitalise(" and ".join(doubts))] if doubts else []
    else:
        sentences = [f"{best} is first, but {' and '.join(doubts)}"]
    sentences += [f"It is clearly ahead of {ahead}"] if ahead else []
    return f"{start}: not certain. {'. '.join(sentences)}."


def _is_level(other: Distance) -> bool:
    """Whether a model has the score of the best one, which may be chance too."""
    return other.doubt == "chance" and isinstance(other.delta, Delta) and other.delta.value == 0


def _describe_evidence(lead: Lead, others: Sequence[Distance]) -> str:
    """`` on 20 programs (6 pairs of models looked at together)``: why a lead that looks large may not be certain."""
    deltas = [other.delta for other in others if isinstance(other.delta, Delta)]
    alone = "; an interval is that of its pair alone" if any(delta.is_significant for delta in deltas) else ""
    together = f" ({lead.compared} pairs of models looked at together{alone})" if lead.compared > 1 else ""
    if not deltas:
        return together
    programs = min(delta.families for delta in deltas)
    reach = Reach.of_changes(deltas, lead.compared)
    few = "" if reach.suffices else f", too few to tell: it takes at least {reach.needed}"
    return f" on {wording.plural(programs, deltas[0].cluster)}{few}{together}"


def format_distance(lead: Lead, model: str) -> str:
    """What a table says of a model: ``best``, or ``+0.019 [−0.006, +0.044], can be chance``; empty without a score.

    ``0.000 [−0.025, +0.025], level`` has the score of the best.
    """
    if model == lead.best:
        return "best" if lead.is_certain else "first, not certain"
    for other in lead.others:
        if other.model == model:
            certainty = {None: "clear", "chance": "can be chance", "truncated": "not certain: token limit"}[other.doubt]
            return f"{_format_delta(other)}, {'level' if _is_level(other) else certainty}"
    return ""


def format_rank(lead: Lead, model: str) -> str:
    """``1``, or ``1–3`` for a tie: the model may have any of these places. Empty without a score."""
    rank = lead.ranks.get(model)
    if rank is None:
        return ""
    return f"{rank.first}–{rank.last}" if rank.is_tie else str(rank.first)


def _list_distances(others: Sequence[Distance]) -> str:
    """``beta (+0.100 [+0.060, +0.140]) and gamma (+0.200 [+0.110, +0.290])``, the nearest and how many more."""
    named = others if len(others) <= _NAMED else others[: _NAMED - 1]
    parts = [f"{visible(other.model)} ({_format_delta(other)})" for other in named]
    parts += [f"{len(others) - len(named)} more models"] if len(named) < len(others) else []
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _format_delta(other: Distance) -> str:
    if isinstance(other.delta, Times):
        return format_cell(other.delta)
    if not other.delta:
        return other.delta.reason
    return format_difference(other.delta) + ("" if other.delta.pairs else ", unpaired")
