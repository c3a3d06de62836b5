"""Gates are decided by a complete beginning of a random order of programs, whatever arrives first."""

from __future__ import annotations

import random

import pytest

from pytest_codereason.core import Metric, Record
from pytest_codereason.results.runs.run_info import ModelInfo, RunInfo, SuiteInfo
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.planned import PlannedQuestion, place_program
from pytest_codereason.results.verdicts.watching import Watch
from tests.results.synthetic import make_record

PROGRAMS = [f"python/{number:04}" for number in range(400)]
RUN = RunInfo(
    models={"m": ModelInfo()},
    suites={
        "s": SuiteInfo(
            task="t",
            metrics=(
                Metric(name="exact", title="Exact"),
                Metric(name="words", title="Words", binary=False),
            ),
            axes={"language": ("python",), "perturbation": ("vanilla", "comments")},
        )
    },
)


def plan(programs: list[str]) -> list[PlannedQuestion]:
    return [
        PlannedQuestion("s", "p", "m", f"{program}[{way}]", program, {"language": "python", "perturbation": way}, 1)
        for program in programs
        for way in ("vanilla", "comments")
    ]


def answer(question: PlannedQuestion, outcome: str) -> Record:
    axes = {"perturbation": question.axes["perturbation"]}
    metrics = {"exact": float(outcome == "correct")} if outcome in ("correct", "wrong") else {}
    common = {"sample": 0, "suite": "s", "model": "m", "id": question.id, "language": "python"}
    return make_record(**common, axes=axes, outcome=outcome, metrics=metrics)


def watch(*gates: str) -> Watch:
    return Watch([parse_gate(gate) for gate in gates], RUN, plan(PROGRAMS), seed=0)


def order(questions: list[PlannedQuestion]) -> list[PlannedQuestion]:
    return sorted(questions, key=lambda question: place_program(0, "p", question.program))


def ask(watched: Watch, questions: list[PlannedQuestion], share: float) -> int:
    """Answers questions until every gate is decided, and gives how many were answered."""
    draw = random.Random(3)
    for number, question in enumerate(questions, 1):
        watched.take(answer(question, "correct" if draw.random() < share else "wrong"))
        if watched.decided:
            return number
    return len(questions)


@pytest.mark.parametrize(
    ("gate", "verdict"),
    [
        ("s.exact >= 0.8", "PASS"),
        ("s.exact <= 0.8", "FAIL"),
        ("s.exact[perturbation=vanilla] < 98%", "PASS"),
        ("s.exact >= 0.98", "FAIL"),
    ],
)
def test_a_gate_is_decided_long_before_the_end(gate: str, verdict: str) -> None:
    watched = watch(gate)
    asked = ask(watched, order(plan(PROGRAMS)), 0.9)
    assert asked < 0.4 * 800
    (described,) = watched.describe()
    assert described.verdict == verdict
    assert described.programs < 0.4 * 400 == described.of * 0.4
    assert described.at_least is not None
    assert described.at_most is not None
    assert described.value is not None
    bound = float(parse_gate(gate).bound.number)
    assert described.at_least >= bound - 1e-6 or described.at_most <= bound + 1e-6
    assert described.at_least < described.value < described.at_most


def test_what_arrives_first_does_not_decide() -> None:
    """All right answers come first, wherever they stand in the order: nothing is looked at but its beginning."""
    watched, questions = watch("s.exact >= 0.8"), order(plan(PROGRAMS))
    late = questions[:2]
    for question in questions[2:]:
        watched.take(answer(question, "correct"))
    assert not watched.decided
    for question in late:
        watched.take(answer(question, "wrong"))
    assert watched.decided


def test_an_unanswered_question_keeps_a_gate_open() -> None:
    watched, questions = watch("s.exact >= 0.5"), order(plan(PROGRAMS))
    for question in questions:
        watched.take(answer(question, "error" if question is questions[0] else "correct"))
    assert not watched.decided


def test_skipped_questions_count_for_nothing() -> None:
    """Half of the questions are skipped. The figure is that of the others, and its limits are wider."""
    whole, half = watch("s.exact >= 0.3"), watch("s.exact >= 0.3")
    first = ask(whole, order(plan(PROGRAMS)), 0.9)
    asked = 0
    while not half.decided:
        question = order(plan(PROGRAMS))[asked]
        half.take(answer(question, "skipped" if question.axes["perturbation"] == "comments" else "correct"))
        asked += 1
    assert first < asked < 400
    (described,) = half.describe()
    assert described.value == 1
    assert described.n == described.programs


def test_a_figure_without_ends_is_judged_at_the_end() -> None:
    watched = watch("s.exact >= 0.5", "s.words <= 3", "drop(s.exact[perturbation=comments]) <= 5%")
    ask(watched, order(plan(PROGRAMS)), 1.0)
    assert not watched.decided
    assert watched.unwatched == ["s.words <= 3", "drop(s.exact[perturbation=comments]) <= 0.05"]
    assert [described.gate for described in watched.describe()] == ["s.exact >= 0.5"]
