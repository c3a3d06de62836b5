"""Runs whose answers fall along an axis as a reader's do."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.verdicts.baselines import check_gates
from pytest_codereason.results.verdicts.judging import Rules, judge_gates
from pytest_codereason.results.verdicts.verdict import GateVerdict
from tests.results.statistics.readers import Reader
from tests.results.synthetic import build_data, make_row, make_run

PLACES = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256]
AXES: dict[str, list[Any]] = {"language": ["python"], "state": ["int", "list"], "steps": PLACES}


def make_curve_run(models: Sequence[str] = ("m",), **changes: Any) -> dict[str, Any]:
    """The ``run.json`` of models on a suite ``horizon`` with a curve over ``steps``."""
    run = make_run(models=list(models), suites={"horizon": changes.pop("axes", AXES)})
    run["suites"]["horizon"] |= {"curve": "steps", "plan": "p", **changes}
    return run


def make_curve_rows(
    readers: Mapping[str, Reader], *, programs: int = 6, seed: int = 0, cut_from: float = np.inf, **changes: Any
) -> list[dict[str, Any]]:
    """Answers at every rung, for each state those of its reader; from ``cut_from`` on every reply is cut off."""
    luck, rows = np.random.default_rng(seed), []
    for (state, reader), place, program in itertools.product(readers.items(), PLACES, range(programs)):
        right = luck.random() < reader.chance(place)
        outcome = "truncated" if place >= cut_from else "correct" if right else "wrong"
        name = f"{program:04d}[state:{state},steps:{place}]"
        axes = {"state": state, "steps": place}
        named = {"id": f"python/{name}", "family": name, "suite": "horizon", "axes": axes, "outcome": outcome}
        rows.append(make_row(**named, **changes))
    return rows


def make_curve_data(readers: Mapping[str, Reader], **changes: Any) -> RunData:
    """The run with its answers."""
    return build_data(make_curve_run(), make_curve_rows(readers, **changes))


#: What ``run.json`` says of a suite that chooses ``steps``.
CHOSEN: dict[str, Any] = {"over": "steps", "rungs": PLACES, "precision": 2.0, "budget": 64, "batch": 8, "version": 1}


def make_models(
    readers: Mapping[str, Mapping[str, Reader]], **changes: Any
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A run of several models, each with a reader for each state, and its answers."""
    rows = [
        row
        for number, (model, states) in enumerate(readers.items())
        for row in make_curve_rows(states, seed=number, model=model)
    ]
    return make_curve_run(list(readers), **changes), rows


def judge_gate(text: str, data: RunData, before: RunData | None = None, **rules: Any) -> GateVerdict:
    """The verdict of one gate."""
    gates = check_gates([text], data.run, before.run if before else None)
    (verdict,) = judge_gates(gates, data, Rules(baseline=before, **rules))
    return verdict
