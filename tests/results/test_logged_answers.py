"""Answers of another tool's log become a run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_codereason.results.logged_answers import (
    UNKNOWN,
    LoggedAnswer,
    build_log,
    list_records,
    measure_scores,
    read_facts,
    read_outcome,
    read_score,
)

FACTS = {"family": "f1", "language": "php", "axes": {"digits": 2}}
RIGHT = LoggedAnswer(id="a", expected="1", response="1", answer="1", scores={"exact": 1.0}, facts=FACTS)
WRONG = LoggedAnswer(id="b", expected="2", scores={"exact": 0.0, "loss": 3.0})
SKIPPED = LoggedAnswer(id="c", outcome="skipped", scores={"exact": 0.0})


def build(*answers: LoggedAnswer, **settings: Any) -> Any:
    return build_log({"task": answers}, tool="tool 1", model="m", **settings)


def test_every_answer_is_a_record() -> None:
    first, second, third = build(RIGHT, WRONG, SKIPPED).rows
    assert (first["outcome"], second["outcome"], third["outcome"]) == ("correct", "wrong", "skipped")
    assert (first["family"], first["language"], first["axes"]) == ("f1", "php", {"digits": 2})
    assert (second["family"], second["language"], second["axes"]) == ("b", UNKNOWN, {})
    assert (first["metrics"], second["metrics"], third["metrics"]) == ({"exact": 1.0}, {"exact": 0.0, "loss": 3.0}, {})
    assert first["suite"] == "task"
    assert (first["sample"], build(replace(RIGHT, sample=1)).rows[0]["sample"]) == (0, 1)
    assert first["model"] == "m"


@pytest.mark.parametrize(
    ("scores", "outcome"), [({"a": 1.0, "b": 0.0}, "correct"), ({"a": 0.99, "b": 1.0}, "wrong"), ({}, "wrong")]
)
def test_the_first_score_says_whether_an_answer_is_right(scores: dict[str, float], outcome: str) -> None:
    assert build(LoggedAnswer(id="a", scores=scores)).rows[0]["outcome"] == outcome


def test_a_suite_is_described_by_its_answers() -> None:
    suite = build(RIGHT, replace(RIGHT, sample=1), WRONG, lower_is_better=["loss"]).info.suites["task"]
    assert (suite.instances, suite.selected, suite.whole) == (2, 2, 2)
    assert suite.axes == {"language": ("php", UNKNOWN), "digits": (2,)}
    exact, loss = suite.metrics
    assert (exact.name, exact.binary, exact.proportion, exact.higher_is_better) == ("exact", True, True, True)
    assert (loss.name, loss.binary, loss.proportion, loss.higher_is_better) == ("loss", False, False, False)
    [part] = build(LoggedAnswer(id="a", scores={"f1": 0.5})).info.suites["task"].metrics
    assert (part.binary, part.proportion) == (False, True)


def test_outcomes_are_untold_unless_every_answer_has_one() -> None:
    told = replace(RIGHT, outcome="correct")
    assert build(told, told, untold=["truncated"]).info.suites["task"].untold == frozenset()
    assert build(told, WRONG, untold=["truncated"]).info.suites["task"].untold == {"truncated"}


def test_models_that_are_asked_alike_have_one_plan() -> None:
    def plan(*answers: LoggedAnswer) -> str:
        return str(build(*answers).info.suites["task"].plan)

    same = plan(RIGHT)
    assert plan(replace(RIGHT, response="2", answer="2")) == same
    assert plan(replace(RIGHT, expected="2")) != same
    assert plan(replace(RIGHT, id="z")) != same
    assert plan(replace(RIGHT, messages=({"role": "user", "content": "x"},))) != same
    assert plan(replace(RIGHT, scores={"f1": 1.0})) != same


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        (FACTS, FACTS),
        ({**FACTS, "more": 1}, FACTS),
        ({"family": 1, "language": None, "axes": []}, {}),
        ({"axes": {"digits": [1]}}, {}),
        ({"axes": {}}, {"axes": {}}),
        ("text", {}),
        (None, {}),
    ],
)
def test_facts_are_read_from_what_is_foreign(content: Any, facts: dict[str, Any]) -> None:
    assert read_facts(content) == facts


def test_scores_are_means_over_the_records_that_have_them() -> None:
    log = build(RIGHT, WRONG, SKIPPED)
    asked = list_records(log, "task", "m")
    assert [row["id"] for row in asked] == ["a", "b"]
    assert measure_scores(asked) == {"exact": 0.5, "loss": 3.0}
    assert list_records(log, "task", "n") == list_records(log, "other", "m") == []


@pytest.mark.parametrize(
    ("value", "score"),
    [(True, 1.0), (0, 0.0), (0.5, 0.5), ("1", None), (None, None), ((1, 2), None), (float("nan"), None)],
)
def test_a_score_is_a_finite_number(value: object, score: float | None) -> None:
    assert read_score(value) == score


def test_an_outcome_has_a_known_name() -> None:
    assert read_outcome("correct") == "correct"
    assert read_outcome("passed") is None
    assert read_outcome(None) is None
