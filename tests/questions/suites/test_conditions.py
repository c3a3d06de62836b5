"""The values of the axes of a suite, and the conditions that they make."""

from __future__ import annotations

from pytest_codereason.core import Spec
from pytest_codereason.questions.suites.conditions import SuiteConditions

CONDITIONS = SuiteConditions(
    matrix={"prompting": ("direct", "cot"), "digits": (2, 4)},
    fixed={"shots": 0, "layout": "plain"},
    prompted={"cot": {"shots": 1}},
)


def ask(**axes: object) -> Spec:
    return Spec("python", "p", tuple(axes.items()))  # type: ignore[arg-type]


def test_every_combination_of_the_matrix_is_a_cell_in_its_order() -> None:
    assert list(CONDITIONS.list_cells()) == [
        (("prompting", "direct"), ("digits", 2)),
        (("prompting", "direct"), ("digits", 4)),
        (("prompting", "cot"), ("digits", 2)),
        (("prompting", "cot"), ("digits", 4)),
    ]
    assert list(SuiteConditions(matrix={}, fixed={"digits": 2}).list_cells()) == [()]


def test_a_way_of_prompting_is_in_the_matrix_or_fixed_or_there_is_none() -> None:
    assert CONDITIONS.ways == ("direct", "cot")
    assert CONDITIONS.find_way(ask(prompting="cot")) == "cot"
    fixed = SuiteConditions(matrix={}, fixed={"prompting": "cot"})
    assert (fixed.ways, fixed.find_way(ask())) == (("cot",), "cot")
    none = SuiteConditions(matrix={"digits": (2,)}, fixed={})
    assert (none.ways, none.find_way(ask(digits=2))) == (("",), "")


def test_an_axis_of_a_question_has_its_own_value_before_that_of_its_way_and_the_fixed_one() -> None:
    assert CONDITIONS.list_axes(ask(prompting="direct", digits=2)) == {
        "shots": 0,
        "layout": "plain",
        "prompting": "direct",
        "digits": 2,
    }
    assert CONDITIONS.list_axes(ask(prompting="cot", digits=2))["shots"] == 1
    assert CONDITIONS.list_axes(ask(prompting="cot", shots=3))["shots"] == 3


def test_an_axis_is_asked_about_at_all_its_values() -> None:
    assert CONDITIONS.list_values("digits") == {2, 4}
    assert CONDITIONS.list_values("shots") == {0, 1}
    assert CONDITIONS.list_values("layout") == {"plain"}
    assert CONDITIONS.list_values("fault") == set()
