"""A whole comparison: every pair of sides on every suite that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_codereason.errors import UsageError
from pytest_codereason.reports.comparing.differences import (
    MetricRow,
    find_finding,
    find_smallest,
    keep_shared,
    measure_rows,
)
from pytest_codereason.reports.comparing.flips import FlipList, list_flips
from pytest_codereason.reports.comparing.matching import Overlap, match_questions
from pytest_codereason.reports.comparing.sides import Side, pair_sides
from pytest_codereason.results.measures.horizons import HorizonRatio, compare_horizons, measure_horizon
from pytest_codereason.results.measures.noise import Noise, measure_noise
from pytest_codereason.results.records.records import DamagedLines
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.statistics.chance import LEVEL, correct_together

#: Flips of a suite that are shown with their texts.
FLIPS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteComparison:
    """One suite as two sides answered it."""

    name: str
    overlap: Overlap
    rows: tuple[MetricRow, ...]  #: headlines first; none if no question is shared
    flips: FlipList
    noise: tuple[Noise | None, Noise | None]  #: how often answers of each side change by themselves
    #: how many times as far the later side reads as the earlier; ``None`` if the suite has no curve
    horizon: HorizonRatio | None = None
    chosen: bool = False  #: whether the questions follow from the answers, so that nothing but the horizon compares

    @property
    def headlines(self) -> tuple[MetricRow, ...]:
        """The rows of the first metric in the plain question, one for each way of prompting."""
        return tuple(row for row in self.rows if not row.along and row.metric == self.rows[0].metric)


@dataclass(frozen=True, slots=True, kw_only=True)
class SidesComparison:
    """Two sides, the earlier first, on every suite that both have."""

    before: Side
    after: Side
    suites: tuple[SuiteComparison, ...]
    only: tuple[tuple[str, ...], tuple[str, ...]]  #: suites that only the earlier, only the later side has


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """Several pairs of sides. All rows of all pairs were judged together."""

    sides: tuple[Side, ...]
    pairs: tuple[SidesComparison, ...]
    left_out: tuple[str, ...]  #: models without a partner
    damaged: DamagedLines
    judged: int  #: rows that have a p-value


def compare_runs(data: RunData, *, models: Sequence[str] = (), flips: int = FLIPS) -> RunComparison:
    """Compares the models of one run, or the models of a first run with those of each other run in ``data``.

    Args:
        models: labels of the models that count; empty for all but baselines.
        flips: how many flips of each suite are shown with their texts.

    Raises:
        UsageError: there is nothing to compare, or no way to tell which models belong together.
    """
    pairing = pair_sides(data, models)
    pairs = tuple(_compare_sides(data, sides, flips) for sides in pairing.pairs)
    if not any(pair.suites for pair in pairs):
        names = [", ".join(side.info.suites) or "none" for side in pairing.pairs[0]]
        raise UsageError(f"the runs share no suite: one has {names[0]}, the other {names[1]}")
    judged, pairs = _judge_together(pairs)
    return RunComparison(
        sides=pairing.sides, pairs=pairs, left_out=pairing.left_out, damaged=data.damaged, judged=judged
    )


def _compare_sides(data: RunData, sides: tuple[Side, Side], flips: int) -> SidesComparison:
    old, new = (side.info.suites for side in sides)
    return SidesComparison(
        before=sides[0],
        after=sides[1],
        suites=tuple(_compare_suite(data, name, sides, flips) for name in old if name in new),
        only=(tuple(name for name in old if name not in new), tuple(name for name in new if name not in old)),
    )


def _compare_suite(data: RunData, name: str, sides: tuple[Side, Side], flips: int) -> SuiteComparison:
    matching = match_questions(data, name, sides)
    infos = [side.info.suites[name] for side in sides]
    chosen = any(info.chosen_axis for info in infos)
    suite = keep_shared(data.ranked_suites[name], name, sides)
    return SuiteComparison(
        name=name,
        overlap=matching.overlap,
        rows=() if chosen else tuple(measure_rows(matching, suite)),
        flips=list_flips(data, matching, suite, flips),
        noise=(measure_noise(data, name, sides[0].subject), measure_noise(data, name, sides[1].subject)),
        horizon=_compare_horizons(data, name, sides) if infos[0].curve == infos[1].curve != "" else None,
        chosen=chosen,
    )


def _compare_horizons(data: RunData, name: str, sides: tuple[Side, Side]) -> HorizonRatio | None:
    rows = data.select_suite(name)
    before, after = (measure_horizon(data.select_subject(rows, side.subject), side.info.suites[name]) for side in sides)
    return compare_horizons(before, after) if before and after else None


def _judge_together(pairs: Sequence[SidesComparison]) -> tuple[int, tuple[SidesComparison, ...]]:
    """How many rows have a p-value, and the pairs with what each row says once all are corrected together."""
    p_values = [
        row.difference.p if row.difference else None for pair in pairs for suite in pair.suites for row in suite.rows
    ]
    every = correct_together(p_values)
    judged = sum(p is not None for p in every)
    still_open, corrected = sum(p is not None and p > LEVEL for p in every), iter(every)

    def judge(row: MetricRow) -> MetricRow:
        p = next(corrected)
        row = replace(row, p=p, finding=find_finding(row, p, still_open=still_open))
        return replace(row, smallest=find_smallest(row, judged)) if row.shows_nothing else row

    return judged, tuple(
        replace(pair, suites=tuple(replace(each, rows=tuple(map(judge, each.rows))) for each in pair.suites))
        for pair in pairs
    )
