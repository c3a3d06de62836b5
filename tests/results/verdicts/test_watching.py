"""Gates are decided by a complete beginning of a random order of programs, whatever arrives first."""

from __future__ import annotations

import random

import pytest

from pytest_codereason.core import Metric, Record
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import ModelInfo, RunInfo, SuiteInfo
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.planned import PlannedQuestion, place_program
from pytest_codereason.results.verdicts.watching import Watch
from tests.results.synthetic import make_record, make_row

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


def test_skipped_questions_count_for_nothing_below_the_number_either() -> None:
    whole, half = watch("s.exact <= 0.7"), watch("s.exact <= 0.7")
    first = ask(whole, order(plan(PROGRAMS)), 0.1)
    asked = 0
    while not half.decided:
        question = order(plan(PROGRAMS))[asked]
        half.take(answer(question, "skipped" if question.axes["perturbation"] == "comments" else "wrong"))
        asked += 1
    assert first / 2 < asked < 400
    (described,) = half.describe()
    assert (described.verdict, described.value, described.n) == ("PASS", 0, described.programs)
    assert described.at_most <= 0.7 + 1e-6


def test_a_truncated_answer_is_not_right() -> None:
    """It has no number of the metric, and counts as 0 where a higher number is better."""
    planned = plan(PROGRAMS[:20])
    watched = Watch([parse_gate("s.exact >= 0.1")], RUN, planned, seed=0)
    for question in planned:
        watched.take(answer(question, "correct" if question.axes["perturbation"] == "comments" else "truncated"))
    (described,) = watched.describe()
    assert (described.value, described.n) == (0.5, 40)


def test_a_figure_without_ends_is_judged_at_the_end() -> None:
    watched = watch("s.exact >= 0.5", "s.words <= 3", "drop(s.exact[perturbation=comments]) <= 5%")
    ask(watched, order(plan(PROGRAMS)), 1.0)
    assert not watched.decided
    assert watched.unwatched == ["s.words <= 3", "drop(s.exact[perturbation=comments]) <= 0.05"]
    assert [described.gate for described in watched.describe()] == ["s.exact >= 0.5"]


def test_an_axis_that_only_the_answer_knows_is_looked_up_there() -> None:
    """Each program has a question whose answer turns out to be about comments, and one about none, which is wrong."""
    planned = [question._replace(axes={"language": "python"}) for question in plan(PROGRAMS[:40])]
    watched = Watch([parse_gate("s.exact[perturbation=comments] >= 0.5")], RUN, planned, seed=0)
    for question in plan(PROGRAMS[:40]):
        watched.take(answer(question, "correct" if question.axes["perturbation"] == "comments" else "wrong"))
    (described,) = watched.describe()
    assert (described.verdict, described.value, described.n) == ("PASS", 1.0, 40)
    assert (described.programs, described.questions) == (40, 80)


def make_baseline(**right: int) -> RunData:
    """An earlier run of 40 programs, of which each model had so many right."""
    rows = [
        make_row(
            suite="s",
            model=model,
            id=question.id,
            family=question.program,
            axes={"perturbation": question.axes["perturbation"]},
            metrics={"exact": float(number // 2 < many)},
        )
        for model, many in right.items()
        for number, question in enumerate(plan(PROGRAMS[:40]))
    ]
    run = RunInfo(models=dict.fromkeys(right, ModelInfo()), suites=RUN.suites)
    return RunData.build({"earlier": (run, rows)})


@pytest.mark.parametrize(
    ("gate", "right", "verdict"),
    [(">= baseline - 10%", 30, "PASS"), (">= baseline + 10%", 12, "FAIL"), ("<= baseline", 12, "PASS")],
)
def test_a_difference_to_the_same_model_of_the_baseline_is_exact_at_the_end(
    gate: str, right: int, verdict: str
) -> None:
    """Of 40 programs 20 were right before. The other model of the baseline, which was always right, is none of it."""
    planned, baseline = plan(PROGRAMS[:40]), make_baseline(other=40, m=20)
    watched = Watch([parse_gate(f"s.exact {gate}")], RUN, planned, seed=0, baseline=baseline)
    assert not watched.unwatched
    for number, question in enumerate(planned):
        watched.take(answer(question, "correct" if number // 2 < right else "wrong"))
    (described,) = watched.describe()
    assert described.verdict == verdict
    assert (described.value, described.baseline) == (right / 40, 0.5)
    assert described.at_least == pytest.approx((right - 20) / 40, abs=1e-6)
    assert described.at_most == pytest.approx((right - 20) / 40, abs=1e-6)
    assert (described.n, described.programs, described.of, described.questions) == (80, 40, 40, 80)


def test_a_gate_whose_baseline_is_gone_is_judged_at_the_end() -> None:
    watched = Watch([parse_gate("s.exact >= baseline")], RUN, plan(PROGRAMS[:4]), seed=0, baseline=None)
    assert watched.unwatched == ["s.exact >= baseline"]
    ask(watched, order(plan(PROGRAMS[:4])), 1.0)
    assert not watched.decided
    lacking = make_baseline(m=4)
    planned = plan(PROGRAMS[:41])
    watched = Watch([parse_gate("s.exact >= baseline")], RUN, planned, seed=0, baseline=lacking)
    assert watched.unwatched == ["s.exact >= baseline"], "the 41st program was not asked then"


@pytest.mark.parametrize(
    ("gate", "share", "verdict"),
    [
        ("s.exact > 0", 1.0, "PASS"),
        ("s.exact < 1", 0.0, "PASS"),
        ("s.exact <= 0", 1.0, "FAIL"),
        ("s.exact >= 1", 0.0, "FAIL"),
    ],
)
def test_a_number_at_the_end_of_the_scale_is_decided_too(gate: str, share: float, verdict: str) -> None:
    watched = watch(gate)
    assert ask(watched, order(plan(PROGRAMS)), share) < 800
    (described,) = watched.describe()
    assert described.verdict == verdict


def test_programs_with_fewer_answers_count_for_less() -> None:
    """Each program is asked twice; of the second ten the second question is skipped. So 20 + 10 answers, 20 right."""
    planned = plan(PROGRAMS[:20])
    watched = Watch([parse_gate("s.exact >= 0.1")], RUN, planned, seed=0)
    for number, question in enumerate(planned):
        program, second = divmod(number, 2)
        watched.take(answer(question, "correct" if program < 10 else "skipped" if second else "wrong"))
    (described,) = watched.describe()
    assert (described.value, described.n, described.programs) == (20 / 30, 30, 20)
    assert described.at_least is not None
    assert described.at_most is not None
    assert described.at_least <= 20 / 30 <= described.at_most
