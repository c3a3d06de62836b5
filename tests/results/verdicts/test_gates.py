"""Gates are checked against a run before anything is asked."""

from __future__ import annotations

import pytest

from pytest_codereason.core import AxisValue
from pytest_codereason.errors import UsageError
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.verdicts.gates import Bound, Gate, GateError, GateText, Quantity
from pytest_codereason.results.verdicts.grammar import parse_gate
from tests.results.synthetic import make_run

RUN = parse_run(make_run(models=["m"]))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("cruxeval.exact >= 0.5", "no suite is called 'cruxeval'; there is semtrace"),
        ("semtrace.f1 >= 0.5", "no metric of semtrace is called 'f1'; there is exact, partial"),
        ("semtrace.exact[position=3] >= 0.5", "no axis of semtrace is called 'position'; there is language, digits"),
        ("semtrace.exact[digits=3] >= 0.5", "no value of digits is called '3'; there is 2, 4"),
        ("semtrace.exact[language=PHP] >= 0.5", "there is python, javascript, php"),
        ("semtrace.exact >= 80", "exact is a share between 0 and 1: write 80%"),
        ("semtrace.exact >= 150%", "exact is a share between 0 and 1, so at most 100%"),
        ("semtrace.exact >= baseline - 2", "exact is a share between 0 and 1: write 2%"),
        ("truncated(cruxeval) <= 1%", "no suite is called 'cruxeval'"),
        ("drop(semtrace.exact) <= 1%", "a drop needs an axis of semtrace that can go back to vanilla or none"),
        ("drop(semtrace.exact[digits=2]) <= 1%", "a drop needs an axis"),
        ("semtrace.exact[model=n] >= 1%", "no model of the run is called 'n'; there is m"),
    ],
)
def test_check_names_what_exists(text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=r"gate .*, column \d") as caught:
        parse_gate(text).check(RUN)
    assert complaint in str(caught.value)


def test_values_are_those_of_the_suite() -> None:
    axes: dict[str, list[AxisValue]] = {"cot": [False, True], "temperature": [0.0, 0.5], "digits": [2, 10]}
    gate = parse_gate("s.exact[cot=true,temperature=0,digits=10] >= 0.5")
    assert gate.resolve_values(axes) == {"cot": True, "temperature": 0.0, "digits": 10}


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("cruxeval.exact >= 0.5", "cruxeval"),
        ("semtrace.f1 >= 0.5", "f1"),
        ("semtrace.exact[digits=2,position=3] >= 0.5", "position"),
        ("semtrace.exact[ digits = 33 ] >= 0.5", "33"),
        ("drop(semtrace.exact[model=n]) >= 0.5", "semtrace"),
        ("semtrace.exact[model=n] >= 0.5", "n]"),
        ("semtrace.exact >=  80", "80"),
        ("semtrace.exact >= baseline  -  2", "2"),
        ("truncated( cruxeval ) <= 1%", "cruxeval"),
    ],
)
def test_the_caret_stands_under_what_is_wrong(text: str, part: str) -> None:
    with pytest.raises(GateError) as caught:
        parse_gate(text).check(RUN)
    assert text[caught.value.column - 1 :].startswith(part)


def test_a_drop_goes_back_along_every_axis_that_can() -> None:
    axes: dict[str, list[AxisValue]] = {
        "perturbation": ["comments", "vanilla"],
        "defence": ["none", "remove"],
        "digits": [2, 4],
    }
    gate = parse_gate("drop(s.exact[perturbation=comments,defence=none,digits=4]) <= 0.5")
    assert gate.find_origin(axes, gate.resolve_values(axes)) == {"perturbation": "vanilla"}


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        ("1.0001", ": write 1.0001%"),
        ("100", ": write 100%"),
        ("100.5", ""),
        ("101", ""),
        ("-0.5", ""),
        ("101%", ", so at most 100%"),
        ("-1%", ""),
    ],
)
def test_a_share_beyond_its_ends_has_a_hint_where_a_percentage_was_meant(number: str, hint: str) -> None:
    gate = Gate(Quantity("semtrace", "exact"), ">=", Bound(_read(number)), GateText(f"semtrace.exact >= {number}"))
    with pytest.raises(GateError) as caught:
        gate.check(RUN)
    assert f"exact is a share between 0 and 1{hint}\n" in str(caught.value)


def _read(number: str) -> float:
    return float(number.rstrip("%")) / (100 if number.endswith("%") else 1)


@pytest.mark.parametrize("text", ["semtrace.exact >= 0", "semtrace.exact >= 1", "semtrace.exact >= baseline - 1"])
def test_the_ends_of_a_share_may_be_asked_for(text: str) -> None:
    parse_gate(text).check(RUN)


def test_a_suite_that_is_left_out_says_why() -> None:
    run = parse_run(make_run(models=["m"], left_out={"suites/crux.suite.toml": "its data are not here"}))
    with pytest.raises(GateError, match="the suite 'crux' is left out: its data are not here"):
        parse_gate("crux.exact >= 0.5").check(run)
    with pytest.raises(GateError, match="no suite is called 'rux'"):
        parse_gate("rux.exact >= 0.5").check(run)


def test_a_number_is_that_of_the_suite_however_it_is_written() -> None:
    axes: dict[str, list[AxisValue]] = {"temperature": [0.1, 1.0], "name": ["1", "one"], "cot": [True]}
    resolve = {"temperature=1": 1.0, "temperature=0.10": 0.1, "name=1": "1", "cot=true": True}
    for where, value in resolve.items():
        gate = parse_gate(f"s.exact[{where}] >= 0.5")
        assert list(gate.resolve_values(axes).values()) == [value]
    for where in ("name=1.0", "cot=1", "temperature=one"):
        with pytest.raises(GateError):
            parse_gate(f"s.exact[{where}] >= 0.5").resolve_values(axes)


@pytest.mark.parametrize(
    ("bound", "text"),
    [
        (Bound(0.8), "0.8"),
        (Bound(0.0), "0"),
        (Bound(-0.5), "-0.5"),
        (Bound(0.0, from_baseline=True), "baseline"),
        (Bound(0.05, from_baseline=True), "baseline + 0.05"),
        (Bound(-0.05, from_baseline=True), "baseline - 0.05"),
    ],
)
def test_a_bound_is_spelt_as_a_user_writes_it(bound: Bound, text: str) -> None:
    assert str(bound) == text


def test_a_number_of_an_axis_is_named_exactly() -> None:
    axes: dict[str, list[AxisValue]] = {"temperature": [0.1234567890123, 0.1234567891]}
    assert parse_gate("s.exact[temperature=0.1234567891] >= 0.5").resolve_values(axes) == {"temperature": 0.1234567891}
    assert parse_gate("s.exact[temperature=.123456789012300] >= 0").resolve_values(axes) == {
        "temperature": 0.1234567890123
    }


TWO = parse_run(make_run(models=["a", "b"]))


@pytest.mark.parametrize(
    ("text", "complaint", "part"),
    [
        ("semtrace.exact >= semtrace.exact[digits=2] - 3%", "write semtrace.exact[model=a] on the right", "semtrace.e"),
        (
            "semtrace.exact[model=b,digits=2] >= semtrace.exact[model=a] - 3%",
            "both sides must be the same figure, of two models of the run: write semtrace.exact[model=a,digits=2]",
            "semtrace.exact[model=a] - 3%",
        ),
        ("semtrace.exact[model=b] >= semtrace.partial[model=a]", "write semtrace.exact[model=a]", "semtrace.partial"),
        (
            "semtrace.exact[model=b] >= semtrace.exact[model=c]",
            "no model of the run is called 'c'; there is a, b",
            "c]",
        ),
        ("semtrace.exact[model=b] >= semtrace.exact[model=b]", "'b' is compared with itself", "b]"),
        ("semtrace.exact[model=b] >= semtrace.exact[model=a] * 0.8", "only h50 is compared by a factor", "* 0.8"),
        ("semtrace.exact[model=b] >= semtrace.exact[model=a] - 3", "a share between 0 and 1: write 3%", "3"),
    ],
)
def test_the_other_side_is_the_same_figure_of_another_model(text: str, complaint: str, part: str) -> None:
    with pytest.raises(GateError, match=r"gate .*, column \d") as caught:
        parse_gate(text).check(TWO)
    assert complaint in str(caught.value)
    assert text[caught.value.column - 1 :].startswith(part)


def test_the_models_that_are_judged_are_all_but_the_one_they_are_compared_with() -> None:
    gate = parse_gate("semtrace.exact >= semtrace.exact[model=a] - 3%")
    gate.check(TWO)
    assert gate.list_models(TWO) == ["b"]
    with pytest.raises(GateError, match="'m' is compared with itself"):
        parse_gate("semtrace.exact >= semtrace.exact[model=m]").check(RUN)


def test_a_star_stands_for_each_value() -> None:
    both = parse_gate("semtrace.exact[model=b,digits=*] >= semtrace.exact[model=a,digits=*] - 3%").expand(TWO)
    assert [*map(str, both)] == [
        f"semtrace.exact[model=b,digits={digits}] >= semtrace.exact[model=a,digits={digits}] - 0.03"
        for digits in (2, 4)
    ]
    pairs = parse_gate("semtrace.exact[language=*,digits=*] >= 3%").expand(TWO)
    assert len({str(gate) for gate in pairs}) == 6
    for unknown in ("semtrace.exact[position=*] >= 3%", "cruxeval.exact[digits=*] >= 3%", "semtrace.exact >= 3%"):
        gate = parse_gate(unknown)
        assert gate.expand(TWO) == [gate]


def test_a_drop_from_nothing_to_nothing_is_no_gate() -> None:
    run = parse_run(make_run(models=["a"], suites={"s": {"perturbation": ["vanilla", "rename", "comments"]}}))
    gates = parse_gate("drop(s.exact[perturbation=*]) <= 5%").expand(run)
    assert [gate.quantity.where for gate in gates] == [(("perturbation", "rename"),), (("perturbation", "comments"),)]
