"""How the models of a suite stand: which is ahead, and where one is clearly worse than another."""

from __future__ import annotations

from pytest_codereason.results.measures.horizon_leads import find_horizon_leads
from pytest_codereason.results.measures.leads import Lead, find_leads
from pytest_codereason.results.measures.pairing import number_pairs
from pytest_codereason.results.measures.setbacks import Setback, find_setbacks
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo


def compare_models(data: RunData, name: str, suite: SuiteInfo) -> tuple[tuple[Lead, ...], tuple[Setback, ...]]:
    """Which model is ahead, and where one is clearly worse than another.

    A suite that chooses its questions has no setbacks, for its models were asked different questions.
    """
    if suite.chosen_axis:
        return find_horizon_leads(data, name, suite), ()
    if len(data.subjects) < 2:
        return (), ()
    rows = number_pairs(data.select_suite(name), suite, {"model", "run"})
    return find_leads(data, suite, rows), find_setbacks(data, suite, rows)
