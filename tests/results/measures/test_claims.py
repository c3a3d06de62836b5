"""Which differences a sentence may name, when many were looked at."""

from __future__ import annotations

import pytest

from pytest_codereason.results.measures.claims import Claim, SuiteClaims, describe_few_right, select_clear
from pytest_codereason.results.values import Delta, Estimate, Undefined, Why


def make_delta(p: float | None, *, low: float = 0.1, families: int = 5) -> Delta:
    return Delta(
        value=0.2,
        low=low,
        high=0.3,
        relative=None,
        relative_low=None,
        relative_high=None,
        pairs=families,
        families=families,
        p=p,
    )


def test_claims_are_told_apart_by_what_they_are_about() -> None:
    about = Claim.about("m", "digits", {"prompting": "cot", "shots": 2}, 4)
    assert about == Claim.about("m", "digits", {"shots": 2, "prompting": "cot"}, "4")
    assert about.value == "4"
    assert Claim.about("m", "digits", {}).value is None
    others = [Claim.about("m", "digits", {}, 4), Claim.about("n", "digits", {}), Claim.about("m", "shots", {})]
    assert len({about, *others}) == 4


def test_a_change_needs_an_interval_beside_its_p_and_a_course_does_not() -> None:
    course, change, other = (Claim.about("m", "digits", {}, value) for value in (None, 2, 4))
    judged = SuiteClaims.judge({course: 0.001, change: 0.001, other: 0.001}, frozenset({change}))
    assert judged.clear == {course, change}
    assert (judged.changes, judged.among) == (2, "2 changes looked at together")
    together = SuiteClaims.judge({course: 0.02, change: 0.03, other: 0.9}, frozenset({change}))
    assert not together.clear, "0.02 is more than 5 % of three"
    alone = SuiteClaims.judge({change: 0.02}, frozenset({change}))
    assert alone.clear == {change}
    assert (alone.changes, alone.among) == (1, "1 change")


def test_clear_differences_keep_their_order_and_are_looked_at_together() -> None:
    changes: list[tuple[str, Delta | Undefined | None]] = [
        ("a", make_delta(0.014)),
        ("b", make_delta(0.0001)),
        ("c", Undefined(Why.SKIPPED)),
        ("d", None),
        ("e", make_delta(0.0001, low=-0.1)),
        ("f", make_delta(None)),
    ]
    assert [name for name, _ in select_clear(changes)] == ["a", "b"]
    assert [name for name, _ in select_clear(changes, beside=[0.9] * 3)] == ["b"]
    assert [name for name, _ in select_clear(changes, beside=[0.0] * 3)] == ["a", "b"], "others clear do not count"
    assert select_clear([]) == []


@pytest.mark.parametrize(
    ("value", "n", "words"),
    [
        (
            0.05,
            100,
            "No fall could be: only 5 answers are right without a perturbation, and a clear fall loses at least 6.",
        ),
        (0.06, 100, ""),
        (
            0.01,
            100,
            "No fall could be: only 1 answer is right without a perturbation, and a clear fall loses at least 6.",
        ),
        (
            None,
            0,
            "No fall could be: only 0 answers are right without a perturbation, and a clear fall loses at least 6.",
        ),
    ],
)
def test_a_fall_from_nearly_nothing_cannot_be_clear(value: float | None, n: int, words: str) -> None:
    assert describe_few_right([Estimate(value=value, n=n), Estimate(value=None)], 1) == words
    assert describe_few_right([], 1) == ""
