"""How few programs would have decided a gate: as many as the watch of a run that may stop looks at."""

from __future__ import annotations

import random
from math import ceil
from typing import Any

import pytest

from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.verdicts.baselines import check_gates
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.judging import Rules, judge_gates
from pytest_codereason.results.verdicts.planned import PlannedQuestion, place_program
from pytest_codereason.results.verdicts.verdict import GateVerdict
from pytest_codereason.results.verdicts.watching import Watch
from tests.results.synthetic import build_data, make_record, make_row, make_run

WAYS = ("vanilla", "comments")
PLAN = "3f2a" * 16


def make_rows(share: float, seed: int, programs: int = 300) -> list[dict[str, Any]]:
    """Two answers about each program; one of eight programs has a skipped question."""
    draw = random.Random(seed)
    return [
        make_row(
            id=f"python/{number:04}[perturbation:{way}]",
            family=f"{number:04}",
            axes={"perturbation": way},
            outcome=outcome,
            metrics={} if outcome == "skipped" else {"exact": float(outcome == "correct")},
        )
        for number in range(programs)
        for way in WAYS
        for right in ["correct" if draw.random() < share else "wrong"]
        for outcome in ["skipped" if way == "comments" and number % 8 == 0 else right]
    ]


def make_data(rows: list[dict[str, Any]]) -> RunData:
    axes: dict[str, list[Any]] = {"language": ["python"], "perturbation": [*WAYS]}
    return build_data(make_run(models=["m"], suites={"semtrace": axes}), rows)


def watch(gate: str, rows: list[dict[str, Any]], data: RunData, baseline: RunData | None = None) -> int | None:
    """How many programs a run that may stop would have looked at; ``None`` if it asks all of them."""
    planned = [
        PlannedQuestion(
            "semtrace", PLAN, "m", row["id"], row["id"].partition("[")[0], {"language": "python", **row["axes"]}, 1
        )
        for row in rows
    ]
    watched = Watch([parse_gate(gate)], data.run, planned, seed=0, baseline=baseline)
    for row in sorted(rows, key=lambda row: place_program(0, PLAN, row["id"].partition("[")[0])):
        watched.take(make_record(**row))
        if watched.decided:
            (entry,) = watched.describe()
            return entry.programs
    return None


def judge(gate: str, data: RunData, baseline: RunData | None = None) -> GateVerdict:
    (verdict,) = judge_gates(
        check_gates([gate], data.run, baseline.run if baseline else None), data, Rules(baseline=baseline)
    )
    return verdict


@pytest.mark.parametrize(
    ("gate", "verdict"),
    [
        ("semtrace.exact >= 80%", "PASS"),
        ("semtrace.exact[perturbation=vanilla] < 80%", "FAIL"),
        ("semtrace.exact[perturbation=comments] >= 97%", "FAIL"),
        ("semtrace.exact <= 98%", "PASS"),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_as_many_programs_as_the_watch_looks_at(gate: str, verdict: str, seed: int) -> None:
    rows = make_rows(0.9, seed)
    data = make_data(rows)
    judged, looked = judge(gate, data), watch(gate, rows, data)
    assert judged.verdict == verdict
    assert looked is not None
    assert looked < 300
    assert f"; {ceil(looked / 3)} % of the programs would do with --eval-stop-when-decided; about" in judged.sentence


def test_beside_a_baseline_as_well() -> None:
    rows, before = make_rows(0.9, 1), make_data(make_rows(0.6, 2))
    data, gate = make_data(rows), "semtrace.exact >= baseline - 2%"
    looked = watch(gate, rows, data, before)
    assert looked is not None
    assert (
        f"; {ceil(looked / 3)} % of the programs would do with --eval-stop-when-decided; about"
        in judge(gate, data, before).sentence
    )


@pytest.mark.parametrize(
    ("gate", "programs"),
    [
        ("drop(semtrace.exact[perturbation=comments]) <= 50%", 300),  # no gate on a drop is decided early
        ("semtrace.exact >= 90%", 300),  # too near to be decided
        ("semtrace.exact >= 50%", 2),
    ],
)
def test_nothing_is_said_where_all_programs_were_needed(gate: str, programs: int) -> None:
    assert "would do with" not in judge(gate, make_data(make_rows(0.9, 1, programs))).sentence
