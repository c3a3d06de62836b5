"""The verdict of a run that stopped when its gates were decided."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.results.measures.noise import Noise
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.values import Estimate, Flips
from pytest_codereason.results.verdicts.baselines import check_gates
from pytest_codereason.results.verdicts.early import find_early_verdict
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.judging import Rules, judge_gates
from pytest_codereason.results.verdicts.verdict import GateVerdict
from tests.results.synthetic import build_data
from tests.results.verdicts.answers import make_answers, make_sampled_run


@pytest.mark.parametrize(
    ("right", "of", "said"),
    [
        (80, 100, ""),
        (80, 80, "96 answers decided it by run.json, and the records have 80"),
        (75, 100, "the records do not have this figure: over their 100 answers it is 0.750"),
        (91, 100, "the records do not have this figure: over their 100 answers it is 0.910"),
    ],
)
def test_records_that_cannot_hold_what_decided_are_not_judged_by_it(right: int, of: int, said: str) -> None:
    """80 of the first 96 answers decided the gate. Somebody has changed ``run.json``, or taken records away."""
    entry = {"gate": "semtrace.exact >= 0.7", "model": "m", "verdict": "PASS", "value": 80 / 96, "baseline": None}
    entry |= {"at_least": 0.71, "at_most": 0.9, "n": 96, "programs": 96, "of": 400, "questions": 400}
    run = make_sampled_run(stopped_early={"asked": 100, "of": 400, "gates": [entry]}, claim="suite")
    (gate,) = check_gates(["semtrace.exact >= 0.7"], parse_run(run))
    (verdict,) = judge_gates([gate], build_data(run, make_answers(right, of)), Rules(claim="suite"))
    assert verdict.verdict == ("UNMEASURED" if said else "PASS")
    assert verdict.sentence.endswith(said)
    assert verdict.passed is not bool(said)


def find(
    gate: str, *, right: int = 18, of: int = 20, run: dict[str, Any] | None = None, **rules: Any
) -> GateVerdict | None:
    """The early verdict on a gate, of a run with these answers."""
    data = build_data(make_sampled_run(1) | (run or {}), make_answers(right, of))
    (info,) = data.runs.values()
    rows = data.select_subject(data.select_suite("semtrace"), data.subjects[0])
    return find_early_verdict(parse_gate(gate), "m", info, rows, **{"allow_partial": False, **rules})


def stop(gate: str, **entry: Any) -> dict[str, Any]:
    """A run that stopped after ten programs for this gate."""
    about = {"gate": gate, "model": "m", "verdict": "PASS", "value": 0.9, "baseline": None, "questions": 20}
    about |= {"at_least": 0.81, "at_most": 1.0, "n": 20, "programs": 20, "of": 20}
    return {"stopped_early": {"asked": 20, "of": 20, "gates": [about | entry]}}


def test_a_gate_that_did_not_end_the_run_has_no_early_verdict() -> None:
    assert find("semtrace.exact >= 0.8") is None
    run = stop("semtrace.exact >= 0.8")
    assert find("semtrace.exact >= 0.7", run=run) is None
    assert find("semtrace.exact >= 0.8", run=stop("semtrace.exact >= 0.8", model="n")) is None
    assert find("semtrace.exact >= 0.8", run=run) is not None


def test_the_evidence_of_an_early_verdict() -> None:
    verdict = find("semtrace.exact >= 0.8", run=stop("semtrace.exact >= 0.8", of=400))
    assert verdict is not None
    assert (verdict.verdict, verdict.passed, verdict.claim) == ("PASS", True, "suite")
    assert (verdict.value, verdict.at_least, verdict.at_most) == (0.9, 0.81, 1.0)
    assert (verdict.n, verdict.families, verdict.baseline, verdict.noise) == (20, 20, None, None)
    assert verdict.sentence == (
        "semtrace.exact = 0.900 (at least 0.810, valid after every program, n 20, 20 of 400 programs in a random "
        "order) passes >= 0.8; decided early; about this suite's questions"
    )


@pytest.mark.parametrize(
    ("gate", "verdict", "evidence"),
    [
        (">= 0.8", "PASS", "(at least 0.810, "),
        ("> 0.8", "PASS", "(at least 0.810, "),
        ("<= 0.95", "PASS", "(at most 0.940, "),
        ("< 0.95", "PASS", "(at most 0.940, "),
        (">= 0.95", "FAIL", "(at most 0.940, "),
        ("<= 0.8", "FAIL", "(at least 0.810, "),
        (">= 0.81", "PASS", "(at least 0.8101, "),
    ],
)
def test_the_side_that_decides_is_shown(gate: str, verdict: str, evidence: str) -> None:
    gate = f"semtrace.exact {gate}"
    entry = {"verdict": verdict, "at_least": 0.8101 if "0.81" in gate else 0.81, "at_most": 0.94}
    found = find(gate, run=stop(gate, **entry))
    assert found is not None
    assert (found.verdict, found.passed) == (verdict, verdict == "PASS")
    assert evidence in found.sentence


def test_a_difference_to_the_baseline_stands_beside_its_noise() -> None:
    gate = "semtrace.exact >= baseline - 0.02"
    noise = Noise(flips=Flips(lost=1, won=2, pairs=40), share=Estimate(value=None), texts=3, unanswered=0)
    verdict = find(gate, run=stop(gate, baseline=0.91, at_least=-0.015), noise=noise)
    assert verdict is not None
    assert verdict.noise is noise
    assert "= 0.900, 0.910 in the baseline, a difference of −0.010 (at least −0.015" in verdict.sentence
    assert "n 20, asked again 3 of 40 flipped, 20 of 20 programs" in verdict.sentence
    plain = find("semtrace.exact >= 0.8", run=stop("semtrace.exact >= 0.8"), noise=noise)
    assert plain is not None
    assert plain.noise is None


def test_a_part_that_leaves_out_questions_measures_nothing_unless_allowed() -> None:
    run = stop("semtrace.exact >= 0.8", questions=12) | {"selection": "12 of 20 questions"}
    verdict = find("semtrace.exact >= 0.8", run=run)
    assert verdict is not None
    assert (verdict.verdict, verdict.passed) == ("UNMEASURED", False)
    assert "cannot be judged against >= 0.8: PARTIAL: 12 of 20 questions selected; --eval-allow-partial" in (
        verdict.sentence
    )
    allowed = find("semtrace.exact >= 0.8", run=run, allow_partial=True)
    assert allowed is not None
    assert allowed.verdict == "PASS"
    assert "; PARTIAL, allowed: 12 of 20 questions selected; about this" in allowed.sentence
    wrong = find("semtrace.exact >= 0.8", run=run, right=0)
    assert wrong is not None
    assert "over their 20 answers it is 0.000; PARTIAL: 12 of 20 questions selected" in wrong.sentence
    assert "--eval-allow-partial" not in wrong.sentence


def test_the_records_may_hold_more_than_decided() -> None:
    """18 of 20 decided. Five more answers may be right or wrong, and no more than that."""
    for right, holds in ((18, True), (23, True), (17, False), (24, False)):
        verdict = find("semtrace.exact >= 0.8", run=stop("semtrace.exact >= 0.8"), right=right, of=25)
        assert verdict is not None
        assert (verdict.verdict == "PASS") is holds


def test_of_two_models_a_verdict_names_its_own() -> None:
    entry = stop("semtrace.exact >= 0.8")
    alone = find("semtrace.exact >= 0.8", run=entry)
    models = {name: {"identity": {"model": name}} for name in ("m", "n")}
    beside = find("semtrace.exact >= 0.8", run=entry | {"models": models})
    assert alone is not None
    assert beside is not None
    assert beside.sentence == f"m: {alone.sentence}"


@pytest.mark.parametrize(("value", "said"), [(0.9, True), (0.903, False), (0.897, False), (0.9 + 1e-9, True)])
def test_a_figure_that_is_nearly_that_of_the_records_is_another(value: float, said: bool) -> None:
    """18 of 20 answers are right, and all 20 decided."""
    verdict = find("semtrace.exact >= 0.8", run=stop("semtrace.exact >= 0.8", value=value))
    assert verdict is not None
    assert verdict.passed is said
