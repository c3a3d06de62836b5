"""Like failures get one name, and a reader can tell the names apart."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.results.records.failure_kinds import name_kind
from tests.results.synthetic import make_record


@pytest.mark.parametrize(
    ("expected", "answer", "kind"),
    [
        ("[1, 2, 3]", "[1, 5, 3]", "wrong: one position of a list"),
        ("[1, 2, 3]", "[4, 5, 3]", "wrong: several positions of a list"),
        ("[1, 2, 3]", "[1, 3, 2]", "wrong: a list in another order"),
        ("[1, 2, 3]", "[1, 2]", "wrong: a list of another length"),
        ("[1]", "1", "wrong: a number where a list is right"),
        ("'1'", "1", "wrong: a number where a string is right"),
        ("7", "8", "wrong: a number that is off by one"),
        ("7", "-7", "wrong: a number with the other sign"),
        ("7", "70", "wrong: another number"),
        ("'Ab'", "'ab'", "wrong: other case or spacing"),
        ("'ab'", "'cd'", "wrong: another string"),
        ("True", "False", "wrong: another truth value"),
        ("true", "41", "wrong: a number where a truth value is right"),
        ("None", "41", "wrong: a number where None is right"),
        ("[]", "null", "wrong: null where a list is right"),
        ("None", "nil", "wrong: a value where None is right"),
        ("A.B", "A.C", "wrong: another value"),
        ("'" + "a" * 3_000 + "'", "'" + "a" * 2_999 + "'", "wrong: another long answer"),
        ("", "3", "wrong: another answer"),
    ],
)
def test_a_wrong_answer_is_named_after_the_difference(expected: str, answer: str, kind: str) -> None:
    assert name_kind(make_record(outcome="wrong", expected=expected, answer=answer)) == kind


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"outcome": "correct"}, "right"),
        ({"outcome": "truncated"}, "truncated"),
        ({"outcome": "error", "reason": "rate limit: patience spent"}, "error: rate limit"),
        (
            {"outcome": "wrong", "audit": [*[{"tag": "library", "forgiven": True}] * 3, *[{"tag": "left-out"}] * 2]},
            "wrong: edge left-out",
        ),
        ({"outcome": "wrong", "audit": None, "answer": None}, "wrong: another answer"),
    ],
)
def test_other_failures_are_named_after_outcome_reason_or_audit(changes: dict[str, Any], kind: str) -> None:
    assert name_kind(make_record(**changes)) == kind
