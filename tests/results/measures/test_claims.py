"""Which differences a sentence may name, when many were looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_codereason.results.measures.claims import Claim, Reach, SuiteClaims, describe_few_right, select_clear
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


def test_programs_that_could_not_tell_are_no_proof() -> None:
    assert Reach(5, 8).deny("No defence changes m", "a defence changes m", "6 changes looked at together") == (
        "5 programs are too few to tell whether a defence changes m: it takes at least 8 (6 changes looked at "
        "together)."
    )
    assert Reach(1, 8).deny("No change") == "1 program is too few to tell: it takes at least 8."
    assert Reach(8, 8).deny("No change", "a defence changes m") == "No change."
    assert Reach(9, 8).deny("No change", among="1 change") == "No change (1 change)."
    assert [Reach(many, 8).suffices for many in (7, 8, 9)] == [False, True, True]


def test_the_change_with_the_most_programs_says_what_could_be_clear() -> None:
    """One claim takes 6 pairs (2 / 2 ** 6 = 0.031), and 8 programs in two groups (chi-square of Yates 4.5, 0.034)."""
    pairs, apart = make_delta(0.5, families=5), replace(make_delta(0.5, families=7), pairs=0)
    assert Reach.of_changes([pairs, make_delta(0.5, families=4)], 1) == Reach(5, 6)
    assert Reach.of_changes([apart], 1) == Reach(7, 8)
    assert Reach.of_changes([pairs, apart], 1) == Reach(7, 8), "7 of 8 is nearer than 5 of 6"
    assert Reach.of_changes([pairs], 7) == Reach(5, 9)
    assert Reach.of_changes([], 1) == Reach(0, 6)


def test_the_longest_course_says_what_could_be_clear() -> None:
    """Cochran's Q of n programs at k places is at most n (k - 1): with 3 places 5 programs are enough for 4 claims."""
    assert Reach.of_courses([(2, 3), (4, 3)], 4) == Reach(4, 5)
    assert Reach.of_courses([(4, 3), (4, 2)], 4) == Reach(4, 5), "two places take 7 programs"
    assert Reach.of_courses([], 4) == Reach(0, 8)


def test_what_is_still_open_is_what_is_not_clear() -> None:
    course, change, other = (Claim.about("m", "digits", {}, value) for value in (None, 2, 4))
    judged = SuiteClaims.judge({course: 0.001, change: 0.9, other: 0.8}, frozenset())
    assert judged.still_open == 2
