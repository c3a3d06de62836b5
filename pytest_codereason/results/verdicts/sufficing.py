"""How few programs would have decided a gate, had somebody looked after every program: for whoever runs it again.

Example: a gate passes after 400 programs. In a random order, the first 96 of them had decided it by the rules of
``--eval-stop-when-decided`` (:mod:`~pytest_codereason.results.verdicts.watching`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.results.measures.measures import find_scored
from pytest_codereason.results.statistics.betting import LEVEL, exceeds
from pytest_codereason.results.verdicts.gates import Gate
from pytest_codereason.results.verdicts.planned import place_program
from pytest_codereason.results.verdicts.quantities import Term
from pytest_codereason.results.verdicts.verdict import Decision
from pytest_codereason.results.verdicts.watching import is_watched


class Sufficient(NamedTuple):
    """The programs that would have decided a gate. The same program in two languages counts twice."""

    programs: int
    of: int

    def __str__(self) -> str:
        return f"{math.ceil(100 * self.programs / self.of)} % of the programs would do with --eval-stop-when-decided"


def find_sufficient(
    gate: Gate, metric: Metric, plan: str, terms: Sequence[Term], decision: Decision, failing: float
) -> Sufficient | None:
    """How many programs decide the gate as all of them did; ``None`` if that is more than half of them, or if no gate
    like it is decided early.

    Args:
        plan: of the suite: the random order of programs depends on it.
        terms: the answers of the run, and behind them those of the other side.
        failing: how often the gate may fail although its condition holds.
    """
    if not is_watched(gate, metric) or decision not in (Decision.PASS, Decision.FAIL):
        return None
    programs = _sum_by_program(metric, terms)
    places = [place_program(0, plan, str(name)) for name in programs.index]
    programs = programs.iloc[np.argsort(np.array(places, dtype=object))]
    total, scored, most = (programs[name].to_numpy(np.float64) for name in ("total", "scored", "most"))
    bound = gate.bound.number
    if len(terms) > 1:  # differences from -1 to 1 are moved to 0 to 1
        total, bound = (total + scored) / 2, (bound + 1) / 2
    values, padding = total / most.max(), 1 - scored / most.max()
    passing, population = gate.op in (">", ">="), len(programs)
    is_above = passing is (decision is Decision.PASS)
    level = LEVEL if decision is Decision.PASS else failing
    if is_above:
        decided = exceeds(values + padding * bound, bound, population, level)
    else:
        decided = exceeds(1 - values - padding * bound, 1 - bound, population, level)
    first = int(np.argmax(decided)) + 1
    return Sufficient(first, population) if decided.any() and 2 * first <= population else None


def _sum_by_program(metric: Metric, terms: Sequence[Term]) -> pd.DataFrame:
    """By program the sum of its scored answers or differences, their number, and the number of all its answers."""
    tables = [_list_answers(term.rows, metric) for term in terms]
    answers = tables[0]
    if len(tables) > 1:
        answers = answers.join(tables[1]["value"].rename("earlier"))
        answers["value"] -= answers.pop("earlier")
    by_program = answers.groupby(answers.index.get_level_values("id").str.partition("[").get_level_values(0))["value"]
    return pd.DataFrame({"total": by_program.sum(), "scored": by_program.count(), "most": by_program.size()})


def _list_answers(rows: pd.DataFrame, metric: Metric) -> pd.DataFrame:
    """What each answer adds to the metric, by question and sample; undefined where it does not count."""
    scored = find_scored(rows, metric)
    values = np.full(len(rows), np.nan)
    values[scored.places] = scored.values
    names = [rows["id"].astype(str), rows["sample"]]
    return pd.DataFrame({"value": values}, index=pd.MultiIndex.from_arrays(names, names=["id", "sample"]))
