"""The verdict of a gate that was decided before every question was asked."""

from __future__ import annotations

import pandas as pd

from pytest_codereason.core.text.wording import count, plural, write_number
from pytest_codereason.results.measures.measures import find_scored
from pytest_codereason.results.measures.noise import Noise
from pytest_codereason.results.records.axes import select_condition
from pytest_codereason.results.runs.run_info import EarlyGate, RunInfo, SuiteInfo
from pytest_codereason.results.verdicts.coverage import find_gap
from pytest_codereason.results.verdicts.gates import Gate
from pytest_codereason.results.verdicts.sentences import describe_noise, describe_part
from pytest_codereason.results.verdicts.verdict import Decision, GateVerdict

_ROUNDING = 1e-6  # of a sum of numbers from 0 to 1


def find_early_verdict(
    gate: Gate, model: str, run: RunInfo, rows: pd.DataFrame, *, allow_partial: bool, noise: Noise | None = None
) -> GateVerdict | None:
    """The verdict of a gate on a model as the run was stopped for it; ``None`` if this gate did not end the run.

    It rests on the programs that a random order put first, and on nothing else that had arrived. A run of a part that
    leaves out questions of the gate measures nothing, unless partial runs are allowed. Nor does a run whose ``rows``,
    the answers of the model to the suite, cannot hold those that decided. ``noise`` stands beside a difference to the
    baseline.
    """
    for entry in run.stopped_early.gates if run.stopped_early else ():
        if (entry.gate, entry.model) == (str(gate), model):
            obstacle = _find_mismatch(gate, entry, run.suites[gate.quantity.suite], rows)
            return _build(gate, entry, run, allow_partial, noise if gate.bound.from_baseline else None, obstacle)
    return None


def _find_mismatch(gate: Gate, entry: EarlyGate, suite: SuiteInfo, rows: pd.DataFrame) -> str:
    """Why the records cannot hold the answers that decided, empty if they can. They may hold more answers."""
    scored = find_scored(select_condition(rows, gate.resolve_values(suite.axes)), gate.find_metric(suite))
    n, more = len(scored.values), len(scored.values) - entry.n
    if more < 0:
        return f"{plural(entry.n, 'answer')} decided it by run.json, and the records have {count(n)}"
    rest = float(scored.values.sum()) - entry.value * entry.n
    if not -_ROUNDING <= rest <= more + _ROUNDING:
        mean = f"{scored.values.mean():.3f}" if n else "undefined"
        return f"the records do not have this figure: over their {plural(n, 'answer')} it is {mean}"
    return ""


def _build(
    gate: Gate, entry: EarlyGate, run: RunInfo, allow_partial: bool, noise: Noise | None, obstacle: str
) -> GateVerdict:
    suite = run.suites[gate.quantity.suite]
    gap = find_gap(suite, [gate.resolve_values(suite.axes)], entry.questions, "selected", run.selection)
    if gap and not allow_partial:
        obstacle = "; ".join(filter(None, [obstacle, describe_part(gap, can_be_judged=not obstacle)]))
    decision = Decision.UNMEASURED if obstacle else Decision(entry.verdict)
    return GateVerdict(
        gate=str(gate),
        model=entry.model,
        verdict=decision,
        passed=decision is Decision.PASS,
        claim="suite",
        value=entry.value,
        at_least=entry.at_least,
        at_most=entry.at_most,
        n=entry.n,
        families=entry.programs,
        baseline=entry.baseline,
        noise=noise,
        sentence=(f"{entry.model}: " if len(run.models) > 1 else "")
        + _describe(gate, entry, decision, obstacle, gap, describe_noise(noise)),
    )


def _describe(gate: Gate, entry: EarlyGate, decision: Decision, obstacle: str, gap: str | None, floor: str) -> str:
    value, earlier = entry.value, entry.baseline
    shown = f"{gate.name} = {write_number(value)}"
    if earlier is not None:
        shown += f", {earlier:.3f} in the baseline, a difference of {write_number(value - earlier)}"
    programs = f"{count(entry.programs)} of {plural(entry.of, 'program')} in a random order"
    asked = f"n {count(entry.n)}, {floor}{programs}"
    if decision is Decision.UNMEASURED:
        return f"{shown} ({asked}) cannot be judged against {gate.condition}: {obstacle}"
    is_lower = (gate.op in (">", ">=")) is (decision is Decision.PASS)
    side, limit = ("at least", entry.at_least) if is_lower else ("at most", entry.at_most)
    digits = next((n for n in range(3, 9) if round(limit, n) != gate.bound.number), 9)
    evidence = f"{side} {write_number(limit, digits)}, valid after every program, {asked}"
    verb = "passes" if decision is Decision.PASS else "fails"
    allowed = f"PARTIAL, allowed: {gap}; " if gap else ""
    return f"{shown} ({evidence}) {verb} {gate.condition}; decided early; {allowed}about this suite's questions"
