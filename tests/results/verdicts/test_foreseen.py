"""Before a run: gates that so few programs cannot let pass, held against the verdict on the best answers."""

from __future__ import annotations

import pytest

from pytest_codereason.core import AxisValue
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.verdicts.baselines import check_gates
from pytest_codereason.results.verdicts.foreseen import count_least, foresee
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.planned import PlannedQuestion
from tests.results.synthetic import make_run
from tests.results.synthetic_curves import CHOSEN, make_curve_run
from tests.results.verdicts.answers import AXES, compare, judge, make_answers, make_changed, make_data

RUN = parse_run(make_run(models=["m"], suites={"semtrace": AXES}))


def plan(many: int, **axes: AxisValue) -> list[PlannedQuestion]:
    return [
        PlannedQuestion("semtrace", "p", "m", str(n), f"python/{n:04}", {"language": "python", **axes}, 1)
        for n in range(many)
    ]


def list_sentences(gate: str, planned: list[PlannedQuestion]) -> list[str]:
    return [*map(str, foresee([parse_gate(gate)], RUN, planned))]


@pytest.mark.parametrize("bound", [0.5, 0.8, 0.9, 0.97])
def test_right_answers_alone_pass_from_the_number_on(bound: float) -> None:
    least = count_least(parse_gate(f"semtrace.exact >= {bound}"), RUN)
    assert least is not None
    # The limits are drawn, so the two numbers may be a little apart.
    assert judge(f"semtrace.exact >= {bound}", (more := round(least * 1.1) + 1), more).verdict == "PASS"
    assert judge(f"semtrace.exact >= {bound}", (less := int(least * 0.9) - 1), less).verdict == "UNDECIDED"


def test_equal_answers_alone_pass_beside_a_baseline_from_the_number_on() -> None:
    gate = "semtrace.exact >= baseline - 3%"
    assert count_least(parse_gate(gate), RUN) == 99
    for many, verdict in ((115, "PASS"), (85, "UNDECIDED")):
        before, after = (make_data(make_answers(many // 2, many)) for _ in range(2))
        assert compare(gate, before, after).verdict == verdict


def test_answers_without_a_drop_alone_pass_from_the_number_on() -> None:
    gate = "drop(semtrace.exact[perturbation=comments]) <= 5%"
    assert count_least(parse_gate(gate), RUN) == 59
    for many, verdict in ((66, "PASS"), (50, "UNDECIDED")):
        data = make_data(make_changed(0, 0, families=many), suites={"semtrace": AXES})
        assert compare(gate, data, data).verdict == verdict


@pytest.mark.parametrize(
    "gate",
    [
        "semtrace.exact == 50%",
        "semtrace.exact >= 0",
        "semtrace.exact >= 100%",
        "semtrace.exact >= baseline",
        "semtrace.exact >= baseline + 2%",
    ],
)
def test_what_nobody_can_know_before_is_not_foreseen(gate: str) -> None:
    assert count_least(parse_gate(gate), RUN) is None


def test_a_fitted_figure_is_not_foreseen() -> None:
    run = parse_run(make_curve_run(("m",), adaptive=CHOSEN))
    assert count_least(parse_gate("horizon.h50 >= 4"), run) is None
    assert count_least(parse_gate("horizon.lapse <= 5%"), run) is None


def test_the_programs_of_a_gate_are_those_that_it_is_about() -> None:
    planned = [*plan(20, perturbation="vanilla"), *plan(10, perturbation="comments"), *plan(5, perturbation="comments")]
    all_right = "it takes 14, even if every answer is right"
    assert list_sentences("semtrace.exact >= 80%", planned) == []
    assert list_sentences("semtrace.exact[perturbation=comments] >= 80%", planned) == [
        f"the gate 'semtrace.exact[perturbation=comments] >= 0.8' cannot pass with 10 programs: {all_right}"
    ]
    assert list_sentences("semtrace.exact[perturbation=comments] >= 80%", plan(20, perturbation="vanilla")) == []


def test_a_family_counts_once() -> None:
    planned = [each._replace(family=f"f{number % 6}") for number, each in enumerate(plan(20))]
    (sentence,) = list_sentences("semtrace.exact >= 80%", planned)
    assert "with 6 programs" in sentence


def test_what_is_best_depends_on_the_gate() -> None:
    planned = plan(10, perturbation="comments")
    drop = list_sentences("drop(semtrace.exact[perturbation=comments]) <= 5%", planned)
    assert drop[0].endswith("cannot pass with 10 programs: it takes 59, even if no answer changes")
    beside = list_sentences("semtrace.exact >= baseline - 3%", planned)
    assert beside[0].endswith("with 10 programs unless one side is better: if all answers are equal, it takes 99")
    few = list_sentences("semtrace.unresolved <= 5%", planned)
    assert few[0].endswith("it takes 59, even if the figure is 0")
    assert check_gates(["semtrace.unresolved <= 5%"], RUN)
