"""The noise floor: answers to questions that were asked a second time."""

from __future__ import annotations

from typing import Any

from pytest_codereason.results.figures.robustness import ASKED_AGAIN, Robustness
from pytest_codereason.results.measures.noise import measure_noise
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.values import Flips
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.judging import Rules, judge_gates
from tests.results.synthetic import make_row, make_run

AXES = {"language": ["python"], "perturbation": ["vanilla", "rename"]}


def make_answer(number: int, perturbation: str, *, right: bool = True, **changes: Any) -> dict[str, Any]:
    axes = {"perturbation": perturbation}
    outcome = "correct" if right else "wrong"
    about = {"id": f"python/{number}[perturbation:{perturbation}]", "family": str(number), "axes": axes, "cost": 0.5}
    return make_row(**about | {"outcome": outcome, "metrics": {"exact": float(right)}, **changes})


def build_run(**changes: Any) -> RunData:
    """Twelve programs, each perturbed too; four questions are asked once more, and two of the answers flip."""
    rows = [make_answer(number, name) for number in range(12) for name in AXES["perturbation"]]
    again = [
        make_answer(0, "vanilla", right=False, response="[0]"),
        make_answer(0, "rename", right=False, response="[0]"),
        make_answer(1, "vanilla", response="The list is [1, 2]."),
        make_answer(1, "rename", outcome="error", metrics={}, response=None),
    ]
    run = make_run(suites={"semtrace": AXES}, models=["m"], **changes)
    return RunData.build({"r": (parse_run(run), [*rows, *(row | {"repeat": 1} for row in again)])})


def test_second_answers_are_counted_for_the_noise_floor_alone() -> None:
    data = build_run()
    assert len(data.records) == 24
    assert (data.records["outcome"] == "correct").all()
    assert data.run.cost == 24 * 0.5 + 3 * 0.5
    noise = measure_noise(data, "semtrace", data.subjects[0])
    assert noise is not None
    assert noise.flips == Flips(lost=2, won=0, pairs=3)
    assert (noise.share.value, noise.share.n, noise.share.families) == (2 / 3, 3, 2)
    assert (noise.texts, noise.unanswered) == (3, 1)
    (record,) = data.find_records(data.records[:1]).values()
    assert record.outcome == "correct"


def test_the_noise_floor_stands_beside_drops() -> None:
    data = build_run()
    (picture,) = Robustness().pictures(data)
    assert picture.table is not None
    floor = picture.table.rows[-1]
    assert getattr(floor[1], "text", "") == ASKED_AGAIN
    assert floor[-1] == Flips(lost=2, won=0, pairs=3)
    (verdict,) = judge_gates([parse_gate("drop(semtrace.exact[perturbation=rename]) <= 50%")], data)
    assert "12 pairs, 0 lost, 0 won, asked again 2 of 3 flipped, 12 programs" in verdict.sentence
    assert verdict.noise is not None
    (plain,) = judge_gates([parse_gate("semtrace.exact >= 50%")], data)
    assert plain.noise is None


def test_the_noise_floor_stands_beside_a_baseline_that_was_decided_early() -> None:
    gate = parse_gate("semtrace.exact >= baseline - 20%")
    known = {"verdict": "PASS", "value": 1.0, "baseline": 1.0, "at_least": -0.1, "at_most": 0.1, "n": 24}
    entry = {"gate": str(gate), "model": "m", **known, "programs": 12, "of": 40, "questions": 80}
    data = build_run(stopped_early={"asked": 24, "of": 80, "gates": [entry]})
    (verdict,) = judge_gates([gate], data, Rules(claim="suite"))
    assert verdict.noise is not None
    assert "n 24, asked again 2 of 3 flipped, 12 of 40 programs in a random order) passes" in verdict.sentence
