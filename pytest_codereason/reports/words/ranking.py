"""The ranking of models on one suite, as ``pages/ranking.html.j2`` shows it: ties are shown as ties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_codereason.reports.words import formatting
from pytest_codereason.reports.words.axis_sentences import describe_weakest
from pytest_codereason.reports.words.lead_sentences import describe_lead, format_distance, format_rank
from pytest_codereason.reports.words.reading_levels import format_reading_level
from pytest_codereason.reports.words.setback_sentences import describe_setbacks
from pytest_codereason.results.measures.summary import SuiteSummary
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.runs.run_data import Subject
from pytest_codereason.results.values import Estimate


@dataclass(frozen=True, kw_only=True)
class RankingRow:
    """A model in the ranking of one condition."""

    model: str
    run: str  #: empty where the page is about one run
    rank: str
    place: int
    score: Estimate
    distance: str  #: how far the best is ahead
    weakest: str  #: where it falls most
    level: str  #: its reading level
    unscored: str


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """The ranking of models on one suite."""

    leads: Sequence[str]  #: sentences on the best model
    results: Mapping[str, Sequence[RankingRow]]  #: by condition
    ranked: int
    levels: bool  #: whether any model has a reading level
    ties: bool


def show_ranking(
    suite: SuiteSummary, subjects: Iterable[Subject] = (), *, name: str = "", pictures: Sequence[Picture] = ()
) -> Ranking:
    """The sentences on the best model, and a table for each condition.

    Args:
        suite: the numbers of the suite.
        subjects: the models of several runs; their run then stands beside the model.
        name: the name of the suite in ``pictures``.
        pictures: the figures, which have the reading levels.
    """
    results = _list_results(name, suite, {subject.label: subject for subject in subjects}, pictures)
    return Ranking(
        leads=[*describe_setbacks(suite), *map(describe_lead, suite.leads)],
        results=results,
        ranked=sum(map(len, results.values())),
        levels=any(row.level for rows in results.values() for row in rows),
        ties=any(rank.is_tie for lead in suite.leads for rank in lead.ranks.values()),
    )


def _list_results(
    name: str, suite: SuiteSummary, subjects: dict[str, Subject], pictures: Sequence[Picture]
) -> dict[str, list[RankingRow]]:
    """The ranking of each condition: the model, its rank, its score, how far the best is ahead, where it falls most."""
    rankings: dict[str, list[RankingRow]] = {}
    for label, model in suite.models.items():
        subject = subjects.get(label)
        for place, headline in enumerate(model.shown_headlines):
            lead = next((lead for lead in suite.leads if lead.where == headline.where), None)
            row = RankingRow(
                model=subject.model if subject else label,
                run=subject.run if subject else "",
                rank=format_rank(lead, label) if lead else "",
                place=list(lead.ranks).index(label) if lead and label in lead.ranks else len(suite.models),
                score=headline.metrics[suite.headline.name],
                distance=format_distance(lead, label) if lead else "",
                weakest=describe_weakest(label, headline, suite),
                level=format_reading_level(pictures, name, label, headline.where),
                unscored="" if place else formatting.format_unscored(model.counts),
            )
            rankings.setdefault(formatting.format_condition(headline.where), []).append(row)
    return {of: sorted(rows, key=lambda row: row.place) for of, rows in rankings.items()}
