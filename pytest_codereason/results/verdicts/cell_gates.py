"""Ends a cell of an adaptive suite once the gates about it are decided, where the user wants it.

Example: ``horizon.h50[language=php,state=int] >= 8`` is about one cell. After three rounds h50 lies surely above 8, so
the cell ends as ``decided``, although nobody knows yet whether it is 20 or 40.

Each cell is asked on its own, maybe on another machine than the others. So it knows its own answers alone, and a gate
about the mean of several cells can end none of them. The gates and the answers are in every run folder, so what has
ended a cell is found there again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_codereason.core import AxisValue
from pytest_codereason.core.adaptive import Seen
from pytest_codereason.results.measures.horizons import CellHorizon, SuiteHorizon, find_rungs
from pytest_codereason.results.runs.run_info import RunInfo, SuiteInfo
from pytest_codereason.results.statistics.horizon import RungCount
from pytest_codereason.results.statistics.rounds import Decide, leave_open
from pytest_codereason.results.verdicts.fitted import Fitted
from pytest_codereason.results.verdicts.gates import Gate
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.levels import share_level
from pytest_codereason.results.verdicts.verdict import Decision

#: A cell looks after every round, so each of its looks must be ten times as sure as the verdict at the end. Less would
#: let more gates pass wrongly: 8 % of those whose limit is the horizon itself if a look were twice as sure.
LOOK = 0.1


@dataclass(frozen=True)
class CellGates:
    """The gates of a run that may end cells. None ends one unless the user wants it."""

    gates: Sequence[Gate]
    run: RunInfo

    def find(self, suite: str, model: str, where: Mapping[str, AxisValue]) -> Decide:
        """Whether the gates about a cell are decided, as a question to its answers."""
        info = self.run.suites[suite]
        about = [
            gate
            for gate in self.gates
            if gate.quantity.suite == suite
            and model in gate.list_models(self.run)
            and gate.resolve_values(info.axes).items() <= where.items()
        ]
        if not about or any(explain_end(gate, info) for gate in about):
            return leave_open
        judged = sum(len(gate.list_models(self.run)) for gate in self.gates)
        misses = {gate: share_level(gate.op, judged) for gate in about}

        def is_decided(rungs: Mapping[float, Seen]) -> bool:
            horizon = _measure(rungs, info, where)
            return horizon is not None and all(
                Fitted(gate, horizon).decide((below * LOOK, above * LOOK)) is not Decision.UNDECIDED
                for gate, (below, above) in misses.items()
            )

        return is_decided


def read_cell_gates(run: RunInfo) -> CellGates:
    """The gates that end cells of a run, as its ``run.json`` has them."""
    gates = [gate for text in run.gates for gate in parse_gate(text).expand(run)]
    return CellGates(gates if run.stop_when_decided else [], run)


def explain_end(gate: Gate, suite: SuiteInfo) -> str:
    """Why a gate on a fitted figure ends no cell; empty if it does."""
    if not suite.chosen_axis:
        return f"{gate.quantity.suite} asks every question"
    if gate.bound.from_baseline:
        return "it needs the baseline, which no record holds"
    if gate.bound.is_relative:
        return "it needs the cell of another model"
    named = gate.resolve_values(suite.axes)
    several = [axis for axis in suite.varying_axes(list(suite.axes)) if axis not in (*named, suite.chosen_axis)]
    return f"it is about several cells; name one value of {' and of '.join(several)}" if several else ""


def _measure(rungs: Mapping[float, Seen], suite: SuiteInfo, where: Mapping[str, AxisValue]) -> SuiteHorizon | None:
    """The curve of one cell, as it is measured from its records; ``None`` if no answer says anything about reading."""
    span = find_rungs(suite)
    if span is None or not any(seen.scored for seen in rungs.values()):
        return None
    tallies = {rung: RungCount(seen.right, seen.scored) for rung, seen in rungs.items()}
    cut = {rung: seen.cut for rung, seen in rungs.items()}
    return SuiteHorizon((CellHorizon(where, suite.curve, span, tallies, cut, 0),))
