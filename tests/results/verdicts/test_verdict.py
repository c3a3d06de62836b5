"""The exit code that verdicts give."""

from __future__ import annotations

import pytest

from pytest_codereason.results.verdicts.verdict import Decision, GateVerdict, choose_exit_code


def make_verdict(decision: str, *, passed: bool | None = None) -> GateVerdict:
    return GateVerdict(
        gate="s.exact >= 0.5",
        model="m",
        verdict=Decision(decision),
        passed=decision == "PASS" if passed is None else passed,
        claim="generator",
        sentence="",
    )


@pytest.mark.parametrize(
    ("decisions", "code"),
    [
        ([], 0),
        (["PASS", "PASS"], 0),
        (["PASS", "FAIL"], 1),
        (["UNDECIDED", "FAIL"], 1),
        (["UNMEASURED", "FAIL"], 1),
        (["PASS", "UNDECIDED"], 10),
        (["UNMEASURED"], 10),
    ],
)
def test_a_failure_weighs_more_than_what_is_not_known(decisions: list[str], code: int) -> None:
    assert choose_exit_code([make_verdict(decision) for decision in decisions]) == code


def test_an_undecided_gate_that_the_user_lets_pass_is_no_obstacle() -> None:
    assert choose_exit_code([make_verdict("PASS"), make_verdict("UNDECIDED", passed=True)]) == 0


def test_a_verdict_without_evidence_counts_nothing() -> None:
    verdict = make_verdict("UNMEASURED")
    assert (verdict.n, verdict.families) == (0, 0)
    assert (verdict.value, verdict.low, verdict.high, verdict.at_least, verdict.at_most) == (None,) * 5
