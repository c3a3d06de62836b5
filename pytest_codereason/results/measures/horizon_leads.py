"""Which model reads farthest on a suite with a curve, and whether that is certain: by the ratios of horizons."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from pytest_codereason.results.measures.horizons import (
    HorizonRatio,
    SuiteHorizon,
    compare_horizons,
    measure_horizon,
)
from pytest_codereason.results.measures.leads import Distance, Doubt, Lead, rank_places
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.statistics.chance import LEVEL
from pytest_codereason.results.values import Times


def find_horizon_leads(data: RunData, name: str, suite: SuiteInfo) -> tuple[Lead, ...]:
    """The model that reads farthest, beside all others; nothing if fewer than two can be compared.

    All pairs are judged together, and with replies that were cut off counted as wrong and as right. Baselines are left
    out.
    """
    measured = measure_models(data, name, suite)
    known = {label: horizon for label, horizon in measured.items() if label not in data.scales}
    order = sorted(known, key=lambda label: -known[label].horizon.value)
    pairs = compare_models({label: known[label] for label in order})
    if not pairs:
        return ()
    doubts = {pair: _find_doubt(ratio, len(pairs)) for pair, ratio in pairs.items()}
    best, *others = order
    distances = tuple(
        Distance(model=other, delta=make_times(pairs[best, other], len(pairs)), doubt=doubts[best, other])
        for other in others
        if (best, other) in pairs
    )
    ahead = {pair for pair, doubt in doubts.items() if doubt is None}
    lead = Lead(
        where={},
        best=best,
        metric=suite.fitted[0],
        others=distances,
        compared=len(pairs),
        ranks=rank_places(order, ahead),
    )
    return (lead,) if distances else ()


def measure_models(data: RunData, name: str, suite: SuiteInfo) -> dict[str, SuiteHorizon]:
    """The curves of every model that has any, by its label."""
    measured = {label: measure_horizon(rows, suite) for label, rows in data.by_subject(data.select_suite(name))}
    return {label: horizon for label, horizon in measured.items() if horizon is not None}


def compare_models(known: Mapping[str, SuiteHorizon]) -> dict[tuple[str, str], HorizonRatio]:
    """How many times as far the first of each pair reads as the second, where they share a cell."""
    pairs = {(one, other): compare_horizons(known[other], known[one]) for one, other in combinations(known, 2)}
    return {pair: ratio for pair, ratio in pairs.items() if ratio is not None}


def make_times(ratio: HorizonRatio, compared: int) -> Times:
    """A ratio as a value of results, judged together with so many."""
    return Times(
        **ratio.ratio._asdict(),
        n=min(ratio.first.asked, ratio.second.asked),
        families=len(ratio.first.cells),
        unit="times",
        is_open=ratio.is_open,
        is_clear=_find_doubt(ratio, compared) is None,
    )


def _find_doubt(ratio: HorizonRatio, compared: int) -> Doubt | None:
    """Why it is not certain that the second model of a ratio reads farther."""
    if ratio.ratio.value <= 1 or ratio.p() * compared > LEVEL:
        return "chance"
    return None if all(ratio.p(reading) * compared <= LEVEL for reading in ratio.readings) else "truncated"
