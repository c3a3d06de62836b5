"""The baseline: an earlier run with which gates compare, question by question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_codereason.errors import UsageError
from pytest_codereason.results.runs.run_info import RunInfo
from pytest_codereason.results.verdicts.gates import BASELINE, Gate
from pytest_codereason.results.verdicts.grammar import parse_gate

if TYPE_CHECKING:
    from pytest_codereason.results.runs.run_data import RunData


def check_gates(
    texts: Sequence[str], run: RunInfo, baseline: RunInfo | None = None, *, gone: bool = False
) -> list[Gate]:
    """The gates that ``texts`` stand for, each checked against what ``run`` measures and ``baseline`` has measured.

    Args:
        gone: the run had a baseline, and its folder is not there any more. Then gates that name it are unmeasured.

    Raises:
        GateError: a gate cannot be read, or judges what is not measured.
    """
    gates = [gate for text in texts for gate in parse_gate(text).expand(run)]
    for gate in gates:
        gate.check(run)
        if not gone:
            check_baseline(gate, run, baseline)
    return gates


def read_baseline(folder: Path, gates: Sequence[Gate]) -> RunData | None:
    """The records of the baseline; ``None`` if no gate names the baseline, or if it cannot be read any more."""
    from pytest_codereason.results.runs.stored_runs import read_stored

    if not any(gate.bound.from_baseline for gate in gates):
        return None
    try:
        return read_stored(folder)
    except UsageError:
        return None


def check_baseline(gate: Gate, run: RunInfo, baseline: RunInfo | None) -> None:
    """Checks before anything is asked that the baseline has what the gate compares with.

    Raises:
        GateError: there is no baseline, or it asked other questions or other models.
    """
    if not gate.bound.from_baseline:
        return
    if baseline is None:
        options = "--eval-baseline (codereason judge: --baseline)"
        raise gate.source.complain(BASELINE, f"there is no baseline: name the folder of an earlier run with {options}")
    name = gate.quantity.suite
    if name not in baseline.suites:
        there = ", ".join(baseline.suites)
        raise gate.source.complain("suite", f"the baseline did not ask {name}; it asked {there}")
    if baseline.suites[name].plan != run.suites[name].plan:
        raise gate.source.complain(
            BASELINE,
            f"the baseline asked other questions of {name}, or scored them otherwise, so nothing can be compared: "
            "the suite, the seed, a setting of sampling or the version of pytest-codereason has changed. Ask the "
            "baseline's model again with this suite; codereason compare tells what differs",
        )
    for label in gate.list_models(run):
        if find_counterpart(label, baseline) is None:
            there = ", ".join(baseline.models)
            raise gate.source.complain(
                BASELINE,
                f"the baseline has several models, and none is called {label!r}; it has {there}. Give the models of "
                "both runs the same names, or choose one by [model=NAME]",
            )


def find_counterpart(label: str, baseline: RunInfo) -> str | None:
    """The model of the baseline with which ``label`` is compared: the one of its name, else the only model."""
    if label in baseline.models:
        return label
    asked = [name for name, model in baseline.models.items() if not model.is_baseline] or list(baseline.models)
    return asked[0] if len(asked) == 1 else None
