"""What the figures about faults share, for models whose answers are known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pytest_codereason.core import Metric
from pytest_codereason.results.figures._faults import (
    ALL,
    LOCALIZATION,
    QUARTERS,
    ROBUSTNESS,
    FaultSuite,
    estimate_found,
    find_findable,
    get_quarters,
    group_by_setting,
    list_fault_suites,
    name_faults,
    select_fault,
    select_language,
)
from pytest_codereason.results.figures.fault_quarters import FaultQuarters
from pytest_codereason.results.figures.fault_strength import FaultStrength
from pytest_codereason.results.figures.fault_types import FaultTypes
from pytest_codereason.results.figures.faults_lost import FaultsLost
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.values import Estimate, Undefined, Why
from tests.results.figures.fault_rows import describe_run, list_questions, localise, localise_twice
from tests.results.figures.localisers import finds_swaps, perfect
from tests.results.figures.rows import data


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        (["a", "b"], {}),
        (["a(strength=1)"], {}),
        (["a(strength=1)", "a(strength=2)", "a"], {"a": [1, 2]}),
        (["a(strength=10)", "a(strength=2)"], {"a": [2, 10]}),
        (["a(strength=1)+b(strength=1)", "a(strength=2)+b(strength=2)"], {"a+b": [1, 2]}),
        (["a(strength=1)+b(strength=2)", "a(strength=2)+b(strength=1)"], {}),
        (["a(strength=1,place=3)", "a(strength=2,place=3)", "a(strength=2,place=4)"], {"a(place=3)": [1, 2]}),
    ],
)
def test_mutations_that_differ_in_strength_alone_belong_together(
    values: list[str], groups: dict[str, list[int]]
) -> None:
    assert {name: list(group) for name, group in group_by_setting(values, "strength").items()} == groups


def test_other_suites_draw_nothing() -> None:
    of = describe_run({"s": ("call-graph", ())}, ["m"])
    empty = data([], of)
    assert isinstance(empty, RunData)
    for figure in (FaultTypes(), FaultQuarters(), FaultsLost(), FaultStrength()):
        assert not list(figure.pictures(empty))


def describe(task: str, values: Sequence[str] = (), languages: Sequence[str] = ("python",)) -> FaultSuite:
    """A suite of two programs, whose model finds every fault."""
    questions = list_questions(programs=2, languages=languages)
    tell = localise_twice if task == ROBUSTNESS else localise
    rows = tell("s", "m", questions, perfect, values)
    (suite,) = list_fault_suites(data(rows, describe_run({"s": (task, values)}, ["m"], languages)))
    return suite


def test_only_suites_about_faults_are_listed_each_with_what_counts_as_found() -> None:
    of = describe_run({"a": (LOCALIZATION, ()), "b": ("call-graph", ()), "c": (ROBUSTNESS, ("none", "x"))}, ["m"])
    listed = list(list_fault_suites(data(localise("a", "m", list_questions(), perfect), of)))
    assert [(suite.name, suite.found.name) for suite in listed] == [("a", "exact"), ("c", "exact_first")]
    assert [len(suite.rows) for suite in listed] == [160, 0]
    of["suites"]["a"]["metrics"] = [{"name": "other", "of": ["correct"], "binary": True, "higher_is_better": True}]
    (suite, _) = list_fault_suites(data([], of))
    assert (suite.found.name, suite.found.title) == ("exact", "Faulty line")


@pytest.mark.parametrize(
    ("task", "values", "mutations", "control"),
    [
        (ROBUSTNESS, ("none", "vanilla", "rename"), ["vanilla", "rename"], True),
        (ROBUSTNESS, ("rename", "prints"), ["rename", "prints"], False),
        (LOCALIZATION, ("none", "vanilla", "rename"), ["rename"], False),
        (LOCALIZATION, (), [], False),
    ],
)
def test_what_is_a_mutation(task: str, values: tuple[str, ...], mutations: list[str], control: bool) -> None:
    suite = describe(task, values)
    assert (suite.mutations, suite.has_control) == (mutations, control)


def test_kinds_of_fault_and_languages_of_a_suite() -> None:
    assert describe(LOCALIZATION).languages == ["python"]
    suite = describe(LOCALIZATION, languages=("python", "java"))
    assert suite.languages == ["all", "python", "java"]
    assert suite.faults == ["off-by-one", "operator-swap"]
    of = describe_run({"s": (LOCALIZATION, ())}, ["m"])
    of["suites"]["s"]["axes"]["fault"] = ["none", "off-by-one"]
    (suite,) = list_fault_suites(data([], of))
    assert suite.faults == ["off-by-one"]
    del of["suites"]["s"]["axes"]["fault"]
    (suite,) = list_fault_suites(data([], of))
    assert suite.faults == []


@pytest.mark.parametrize(
    ("task", "values", "first"),
    [
        (ROBUSTNESS, ("rename", "none"), {"none"}),
        (ROBUSTNESS, ("rename", "prints"), {"rename"}),
        (LOCALIZATION, ("prints", "vanilla"), {"vanilla"}),
    ],
)
def test_a_fault_is_found_in_the_program_before_a_change(task: str, values: tuple[str, ...], first: set[str]) -> None:
    suite = describe(task, values)
    assert {*suite.first["axes.perturbation"]} == first
    assert len(suite.first) == 16
    assert len(suite.rows) == 32
    assert len(describe(LOCALIZATION).first) == 16, "without changes all answers are about unchanged programs"


def test_rows_of_a_language_and_of_a_fault() -> None:
    rows = describe(LOCALIZATION, languages=("python", "java")).rows
    assert (len(select_language(rows, ALL)), len(select_language(rows, "java"))) == (32, 16)
    assert {*select_language(rows, "java")["language"]} == {"java"}
    assert (len(select_fault(rows, ALL)), len(select_fault(rows, "operator-swap"))) == (32, 16)
    assert {*select_fault(rows, "operator-swap")["axes.fault"]} == {"operator-swap"}


def test_quarters_of_faults_and_of_answers() -> None:
    rows = describe(LOCALIZATION).rows
    assert get_quarters(rows).value_counts().to_dict() == {1: 4, 2: 4, 3: 4, 4: 4}
    assert {*get_quarters(rows, "answer_quarter")} == {*QUARTERS}
    unknown = get_quarters(rows, "other")
    assert len(unknown) == 16
    assert unknown.isna().all()
    assert list(unknown.index) == list(rows.index)


def test_a_share_of_what_was_found_needs_something_that_was_found() -> None:
    lost = next(metric for metric in describe(ROBUSTNESS, ("none", "x")).info.metrics if metric.name == "lost")
    kept = next(metric for metric in describe(ROBUSTNESS, ("none", "x")).info.metrics if metric.name == "exact_after")
    never = data(
        localise_twice("s", "m", list_questions(programs=2), lambda *_: False, ("none", "x")),
        describe_run({"s": (ROBUSTNESS, ("none", "x"))}, ["m"]),
    ).select_suite("s")
    for metric in (lost, kept):
        assert estimate_found(never, metric) == Undefined(Why.NEVER_RIGHT)
        assert estimate_found(never.iloc[:0], metric) == Undefined(Why.NOT_ASKED)
    found = estimate_found(describe(ROBUSTNESS, ("none", "x")).rows, kept)
    assert isinstance(found, Estimate)
    assert found.value == 1
    exact = estimate_found(never, Metric(name="exact_first", title="E"))
    assert isinstance(exact, Estimate)
    assert exact.value == 0, "a plain share of nothing right is 0"


def test_a_planted_fault_has_one_name_whatever_is_done_to_its_program() -> None:
    rows = describe(ROBUSTNESS, ("none", "rename"), ("python", "java")).rows
    names = name_faults(rows)
    assert len(names) == 64
    assert len(names.unique()) == 32, "two programs, two languages, two kinds, four quarters; each asked twice"
    assert ("s", "java", "0001", "operator-swap", "4", "") in names


def test_a_fault_can_be_found_if_a_model_has_found_it_in_the_same_suite() -> None:
    questions = list_questions(programs=4)
    rows = [
        *localise("s", "swaps", questions, finds_swaps),
        *localise("s", "none", questions, lambda *_: False),
        *localise("s", "base", questions, perfect),
        *localise("t", "swaps", questions, perfect),
    ]
    tasks = {"s": (LOCALIZATION, ()), "t": (LOCALIZATION, ())}
    run_data = data(rows, describe_run(tasks, ["swaps", "none", "unasked"], baselines=["base"]))
    findable = find_findable("s", run_data)
    assert (len(findable.faults), findable.models, findable.filters) == (16, 2, True)
    kept = findable.select(run_data.select_suite("s"))
    assert {*kept["axes.fault"]} == {"operator-swap"}
    assert len(kept) == 16 * 3
    other = find_findable("t", run_data)
    assert (len(other.faults), other.models, other.filters) == (32, 1, False)
    nobody = find_findable("none", run_data)
    assert (len(nobody.faults), nobody.models, nobody.filters) == (0, 0, False)
    assert nobody.select(run_data.select_suite("s")).empty


def test_mutations_may_differ_in_their_place_too() -> None:
    values = ["a(strength=2, place=1)", "a(strength=2, place=3)", "b(place=x)", "b(place=y)", "c(place=2)"]
    assert group_by_setting(values, "place") == {"a(strength=2)": {1: values[0], 3: values[1]}}
