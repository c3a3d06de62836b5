"""A run is checked as a whole before its first request."""

from __future__ import annotations

import re

import pytest

from pytest_codereason.core import Completion
from pytest_codereason.errors import UsageError
from tests.engine.tellers import Teller
from tests.session.conftest import Project
from tests.session.ordered import check, make_order


def test_a_run_without_mistakes_is_described_and_sized(project: Project) -> None:
    checked = check(make_order(project, "--eval-gate=small.exact >= 10%"), project.suite(count=2))
    assert [str(gate) for gate in checked.gates] == ["small.exact >= 0.1"]
    assert (checked.selection.counts, checked.notes, checked.signer) == ({"small": 4}, [], None)
    assert checked.sizes["teller"].requests == checked.sizing.count_requests() == 4
    assert checked.description["sandbox"] == "none"
    assert checked.description["estimate"]["teller"]["requests"] == 4


@pytest.mark.parametrize(
    ("arguments", "mistake"),
    [
        (["--eval-gate=small.exact >= "], "column 16: expected a number"),
        (["--eval-gate=large.exact >= 50%"], "large"),
        (["--eval-stop-when-decided"], "there is no gate to decide"),
        (["--eval-reporter=nowhere:Reporter"], "nowhere"),
        (["--eval-max-cost=1"], "the price of teller is unknown"),
        (["--eval-sign=missing.pem"], "missing.pem"),
        (["--eval-baseline=missing"], "--eval-baseline"),
        (["--eval-store=small.suite.toml"], "the answer store"),
    ],
)
def test_a_mistake_of_the_user_costs_no_request(project: Project, arguments: list[str], mistake: str) -> None:
    model = Teller()
    with pytest.raises(UsageError, match=re.escape(mistake)):
        check(make_order(project, *arguments, models={"teller": model}), project.suite(count=1))
    assert model.asked == []


def test_a_dry_run_asks_no_model_whether_it_is_there(project: Project) -> None:
    class Absent(Teller):
        async def check(self) -> None:
            raise UsageError("the endpoint is not there")

    path, models = project.suite(count=1), {"teller": Absent()}
    with pytest.raises(UsageError, match="the endpoint is not there"):
        check(make_order(project, models=models), path)
    checked = check(make_order(project, "--eval-dry-run", models=models), path)
    assert (checked.sizes, checked.description["estimate"]) == ({}, {})
    assert not (project.path / "store").exists()


def test_questions_that_a_model_cannot_take_are_told_before(project: Project) -> None:
    class Short(Teller):
        def context_length(self) -> int:
            return 10

    checked = check(make_order(project, models={"teller": Short()}), project.suite(count=1))
    (note,) = checked.notes
    assert "about 2 of 2 questions are longer than the 10 tokens that teller takes" in note


def test_an_option_without_an_effect_is_told(project: Project) -> None:
    free = Teller(lambda request: Completion(text="x"))
    free.price = (0.0, 0.0)
    (note,) = check(make_order(project, "--eval-max-cost=1", models={"teller": free}), project.suite(count=1)).notes
    assert note == "--eval-max-cost has no effect: teller costs nothing"
    typed = make_order(project, "--eval-max-cost=1", models={"teller": free}, typed={"--eval-max-cost": ["1"]})
    with pytest.raises(UsageError, match="--eval-max-cost has no effect"):
        check(typed, project.suite(count=1))


def test_a_gate_that_so_few_programs_cannot_let_pass_is_told_before(project: Project) -> None:
    path, gate = project.suite(count=4), "--eval-gate=small.exact >= 80%"
    sentence = "the gate 'small.exact >= 0.8' cannot pass with 4 programs: it takes 14, even if every answer is right"
    for more in ((), ("--eval-dry-run",)):
        assert check(make_order(project, gate, *more), path).notes == [sentence]
    assert check(make_order(project, gate, "--eval-claim=suite"), path).notes == []
    assert check(make_order(project, gate), project.suite(count=14)).notes == []


def test_programs_are_counted_as_verdicts_count_them(project: Project) -> None:
    """A program of each level is another one; in two languages it is the same."""
    path = project.path / "levels.suite.toml"
    path.write_text(
        'task = "output-prediction"\nlanguages = ["python", "php"]\n[source]\nname = "ladder"\ncount = 5\n'
        "[matrix]\nlevel = [1, 2]\n"
    )
    order = make_order(project, "--eval-gate=levels.exact >= 80%", "--eval-gate=levels.exact[level=1] >= 50%")
    (note,) = check(order, path).notes
    assert "'levels.exact >= 0.8' cannot pass with 10 programs: it takes 14" in note
