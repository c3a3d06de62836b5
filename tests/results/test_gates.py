from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core import AxisValue
from pytest_codereason.errors import UsageError
from pytest_codereason.results.gates import Gate, GateResult, judge_gates, parse_gate
from pytest_codereason.results.run_info import parse_run
from pytest_codereason.results.summary import summarise
from tests.results.synthetic import build_data, make_row, make_rows, make_run

RUN = parse_run(make_run(models=["m"]))


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("semtrace.exact >= 0.8", Gate("semtrace", "exact", (), ">=", 0.8)),
        ("semtrace.exact>=80%", Gate("semtrace", "exact", (), ">=", 0.8)),
        ("  s.unresolved  <  .05 ", Gate("s", "unresolved", (), "<", 0.05)),
        ("a.b.f1 == 1", Gate("a.b", "f1", (), "==", 1.0)),
        ("s.exact[language=php] > 33.3 %", Gate("s", "exact", (("language", "php"),), ">", 0.333)),
        (
            "s.exact[ perturbation=rename+dead-code(strength=3,density=1) , digits=2 ] <= 1",
            Gate("s", "exact", (("perturbation", "rename+dead-code(strength=3,density=1)"), ("digits", "2")), "<=", 1),
        ),
    ],
)
def test_parse(text: str, gate: Gate) -> None:
    assert parse_gate(text) == gate


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "it has none of >="),
        ("semtrace.exact", "it has none of >="),
        ("semtrace.exact >= high", "'high' is not a number"),
        ("semtrace.exact >=", "no number after >="),
        ("semtrace >= 0.5", "'semtrace' is not SUITE.METRIC"),
        ("semtrace.exact[language=php >= 0.5", "a bracket is not closed"),
        ("semtrace.exact[php] >= 0.5", "'php' is not AXIS=VALUE"),
        ("semtrace.exact[] >= 0.5", "'' is not AXIS=VALUE"),
        ("semtrace.exact[digits=2,digits=4] >= 0.5", "axis 'digits' occurs twice"),
        ("semtrace.exact => 0.5", "is no"),
        ("semtrace.exact >= nan", "'nan' is not a number"),
    ],
)
def test_what_cannot_be_read_is_said_with_the_grammar(text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_gate(text)
    assert complaint in str(caught.value)
    assert "SUITE.METRIC[AXIS=VALUE,...] OP NUMBER" in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=40))
def test_parse_reads_or_says_why(text: str) -> None:
    try:
        gate = parse_gate(text)
    except UsageError:
        return
    assert parse_gate(str(gate)).name == gate.name


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("cruxeval.exact >= 0.5", "no suite is called 'cruxeval'; there is semtrace"),
        ("semtrace.f1 >= 0.5", "no metric of semtrace is called 'f1'; there is exact, partial"),
        ("semtrace.exact[position=3] >= 0.5", "no axis of semtrace is called 'position'; there is language, digits"),
        ("semtrace.exact[digits=3] >= 0.5", "no value of digits is called '3'; there is 2, 4"),
        ("semtrace.exact[language=PHP] >= 0.5", "there is python, javascript, php"),
        ("semtrace.exact >= 80", "exact is a share between 0 and 1: write 80%"),
    ],
)
def test_check_names_what_exists(text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match="gate '") as caught:
        parse_gate(text).check(RUN)
    assert complaint in str(caught.value)


def test_values_are_those_of_the_suite() -> None:
    axes: dict[str, list[AxisValue]] = {"cot": [False, True], "temperature": [0.0, 0.5], "digits": [2, 10]}
    gate = parse_gate("s.exact[cot=true,temperature=0,digits=10] >= 0.5")
    assert gate.resolve_values(axes) == {"cot": True, "temperature": 0.0, "digits": 10}


def verdict(
    text: str, right: int, of: int, *, extra: Sequence[dict[str, Any]] = (), allow_partial: bool = False, **changes: Any
) -> GateResult:
    rows = [make_row(id=str(i), family=str(i), outcome="correct" if i < right else "wrong") for i in range(of)]
    for row in rows:
        row["metrics"]["exact"] = float(row["outcome"] == "correct")
    run = make_run(models=["m"], **changes)
    gate = parse_gate(text)
    gate.check(parse_run(run))
    (result,) = judge_gates([gate], build_data(run, [*rows, *extra]), allow_partial=allow_partial)
    return result


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("semtrace.exact >= 0.35", True),  # exactly 7 of 20
        ("semtrace.exact >= 35%", True),
        ("semtrace.exact > 0.35", False),
        ("semtrace.exact == 35%", True),
        ("semtrace.exact < 0.35", False),
        ("semtrace.exact <= 0.35", True),
        ("semtrace.exact[digits=2,prompting=direct] >= 0.35", True),
    ],
)
def test_the_threshold_itself(text: str, passed: bool) -> None:
    result = verdict(text, 7, 20)
    assert result.passed is passed
    assert (result.value, result.n) == (0.35, 20)


def test_the_sentence() -> None:
    result = verdict("semtrace.exact[language=python] >= 0.5", 7, 20)
    assert result.sentence == "semtrace.exact[language=python] = 0.350 (0.18 to 0.57, n 20) fails >= 0.5"


def test_rounding_does_not_contradict_the_verdict() -> None:
    result = verdict("semtrace.exact >= 0.5", 2_499, 5_000)
    assert not result.passed
    assert "= 0.4998 (" in result.sentence


def test_no_answers_fail() -> None:
    result = verdict("semtrace.unresolved[digits=4] <= 1", 7, 20)
    assert not result.passed
    assert result.value is None
    assert result.sentence.endswith("= undefined (not asked) fails <= 1; no scored answers")


def test_unanswered_questions_fail() -> None:
    result = verdict("semtrace.exact >= 0.1", 20, 20, extra=[make_row(id="x", outcome="error")])
    assert not result.passed
    assert result.sentence.endswith("n 20) would pass >= 0.1; 1 unanswered")


def test_unanswered_questions_elsewhere_do_not_matter() -> None:
    elsewhere = make_row(id="x", outcome="error", axes={"digits": 4, "prompting": "direct"})
    assert verdict("semtrace.exact[digits=2] >= 0.1", 20, 20, extra=[elsewhere]).passed


@pytest.mark.parametrize("partial", [{"selection": "-k 'php'"}, {"complete": False}])
def test_a_partial_run_passes_only_if_allowed(partial: dict[str, Any]) -> None:
    refused = verdict("semtrace.exact >= 0.1", 20, 20, **partial)
    allowed = verdict("semtrace.exact >= 0.1", 20, 20, **partial, allow_partial=True)
    assert not refused.passed
    assert allowed.passed
    assert "PARTIAL" in refused.sentence
    assert "PARTIAL" in allowed.sentence
    assert not verdict("semtrace.exact >= 0.9", 1, 20, **partial, allow_partial=True).passed


def test_each_model_is_judged_and_named_and_agrees_with_the_summary() -> None:
    run = make_run(families=30)
    data = build_data(run, make_rows(run, families=30))
    results = judge_gates(
        [parse_gate("semtrace.partial[language=php] >= 0.2"), parse_gate("semtrace.exact > 0.2")], data
    )
    assert [result.model for result in results] == list(run["models"]) * 2
    for result in results[:2]:
        model = summarise(data).suites["semtrace"].models[result.model]
        php = model.axes["language"][2].metrics["partial"]
        assert (result.value, result.low, result.high, result.n) == (php.value, php.low, php.high, php.n)
        assert result.sentence.startswith(f"{result.model}: semtrace.partial")
