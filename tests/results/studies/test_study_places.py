"""The figure of a paper that a picture names is the one with the same task, programs and language."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_codereason.results.runs.run_info import SuiteInfo, parse_run
from pytest_codereason.results.studies.study_places import (
    may_reason,
    place_agreement,
    place_change,
    place_course,
    place_density,
    place_dissociation,
    place_drops,
    place_largest_drops,
    place_removal,
    place_scores,
    place_ways,
)
from tests.results.synthetic import METRICS, make_run


def read(task: str, source: str, axes: dict[str, list[Any]] | None = None, **resolved: Any) -> SuiteInfo:
    run = make_run(suites={"s": {"language": ["python"], **(axes or {})}})
    run["suites"]["s"] |= {"task": task, "resolved": {"source": {"name": source}, **resolved}, "metrics": METRICS}
    return parse_run(run).suites["s"]


LEXICAL = read("function-retrieval", "cruxeval-x")
OUTPUTS = read("output-prediction", "cruxeval-x")
INPUTS = read("input-prediction", "cruxeval-x")
SEMTRACE = read("output-prediction", "semtrace")
DIGITS = read("output-prediction", "semtrace", {"digits": [2, 6]})


@pytest.mark.parametrize(
    ("suite", "language", "place"),
    [
        (LEXICAL, "python", "figures 2a and 5a"),
        (OUTPUTS, "python", "figures 2b and 5b"),
        (SEMTRACE, "python", "figures 2c and 5c"),
        (INPUTS, "python", "figures 6 and 7"),
        (OUTPUTS, "javascript", "figure 10b"),
        (SEMTRACE, "php", "figure 11c"),
        (INPUTS, "php", "section 5"),
        (OUTPUTS, "java", "section 5"),
        (DIGITS, "python", "figure 4"),
        (DIGITS, "php", "section 5.3"),
    ],
)
def test_changes_by_position(suite: SuiteInfo, language: str, place: str) -> None:
    assert place_change(suite, language) == f"Sense and Sensitivity, {place}"


@pytest.mark.parametrize(
    ("suite", "metric", "place"),
    [
        (SEMTRACE, "partial", "figure 8"),
        (SEMTRACE, "unresolved", "figure 9"),
        (SEMTRACE, "exact", "section 5"),
        (DIGITS, "exact", "figure 4"),
        (DIGITS, "partial", "section 5.3"),
        (DIGITS, "unresolved", "section 5.3"),
        (OUTPUTS, "partial", "section 5"),
    ],
)
def test_scores_by_position(suite: SuiteInfo, metric: str, place: str) -> None:
    (of,) = (each for each in suite.metrics if each.name == metric)
    assert place_course(suite, "python", of) == f"Sense and Sensitivity, {place}"


def test_the_largest_drops_are_of_the_section_on_digits_where_digits_vary() -> None:
    assert place_largest_drops(SEMTRACE) == "Sense and Sensitivity, section 5"
    assert place_largest_drops(DIGITS) == "Sense and Sensitivity, section 5.3"


SEVEN = ["rename", "conditions", "dead-code", "psc-all", "comments", "prints", "hint"]


def test_tables_of_drops() -> None:
    assert place_drops("output-prediction", "python", "direct", "percent", SEVEN) == "CodeCrash, tables 1, 2 and 10"
    assert place_drops("output-prediction", "python", "direct", "percent", SEVEN[3:]) == "CodeCrash, tables 1 and 2"
    assert place_drops("output-prediction", "python", "cot", "points") == "CodeCrash, tables 14 and 16"
    assert place_drops("output-prediction", "javascript", "cot", "percent") == "CodeCrash, table 7"
    assert place_drops("output-prediction", "python", "direct", "points") == "CodeCrash, tables 13 and 14"
    assert place_drops("output-prediction", "python", "cot", "percent") == "CodeCrash, tables 2 and 15"
    assert place_drops("output-prediction", "python", "reflection", "percent") == "CodeCrash, table 4"
    assert place_drops("input-prediction", "python", "direct", "percent") == "CodeCrash, table 5"
    assert place_drops("input-prediction", "python", "direct", "points") == "CodeCrash, table 17"
    assert place_drops("input-prediction", "python", "direct", "percent", reasoned=True) == "CodeCrash, table 5"
    assert place_drops("function-retrieval", "python", "", "points") == "CodeCrash, section 3"
    densities = ["comments(density=0.5)", "comments"]
    assert place_drops("output-prediction", "python", "cot", "percent", densities) == "CodeCrash, figure 4"


def test_changes_of_models_that_reason_are_of_the_table_on_them() -> None:
    for unit in ("percent", "points"):
        place = place_drops("output-prediction", "python", "direct", unit, SEVEN[3:], reasoned=True)
        assert place == "CodeCrash, table 4"
    densities = ["comments(density=0.5)", "comments"]
    place = place_drops("output-prediction", "python", "direct", "percent", densities, reasoned=True)
    assert place == "CodeCrash, table 6"


def test_only_models_that_do_not_reason_are_in_the_figure_on_density() -> None:
    answers = read("output-prediction", "cruxeval")
    reasoned = read("output-prediction", "cruxeval", prefill=False)
    assert place_density(answers, tokens=False) == "CodeCrash, figure 4 and table 6"
    assert place_density(answers, tokens=True) == "CodeCrash, table 6"
    assert place_density(reasoned, tokens=False) == "CodeCrash, table 6"


@pytest.mark.parametrize(
    ("axes", "resolved", "place"),
    [
        ({}, {}, "tables 1 and 2"),
        ({"perturbation": ["vanilla", *SEVEN]}, {}, "tables 1, 2 and 10"),
        ({}, {"prefill": False}, "table 4"),
        ({"perturbation": ["vanilla", "comments(density=0.5)"]}, {"prefill": False}, "table 6"),
        ({"defence": ["none", "refactor"]}, {}, "tables 8 and 9"),
        ({"perturbation": ["vanilla", "comments(density=0.5)"]}, {}, "figure 4"),
    ],
)
def test_tables_of_scores(axes: dict[str, list[Any]], resolved: dict[str, Any], place: str) -> None:
    suite = read("output-prediction", "cruxeval", {"perturbation": ["vanilla", "comments"], **axes}, **resolved)
    assert place_scores(suite, "python") == f"CodeCrash, {place}"


def test_tables_of_scores_of_inputs_and_of_other_languages() -> None:
    values = {"perturbation": ["vanilla", "comments"]}
    assert place_scores(read("input-prediction", "cruxeval", values), "python") == "CodeCrash, table 5"
    assert place_scores(read("input-prediction", "cruxeval", values, prefill=False), "python") == "CodeCrash, table 5"
    assert place_scores(read("output-prediction", "livecodebench", values), "javascript") == "CodeCrash, table 7"


def test_tables_of_the_stability_of_answers() -> None:
    assert place_agreement("output-prediction") == "CodeCrash, table 11"
    assert place_agreement("input-prediction") == "CodeCrash, table 12"


def test_figures_of_lines_that_are_removed() -> None:
    """Figure 1 is of the interpreter, which predicts outputs alone."""
    assert place_removal("output-prediction") == "Sense and Sensitivity, equation 1, figures 1 and 3"
    assert place_removal("input-prediction") == "Sense and Sensitivity, equation 1, figure 3"


@pytest.mark.parametrize(
    ("language", "place"),
    [("python", "figures 2 and 5"), ("javascript", "figure 10"), ("php", "figure 11"), ("java", "section 5")],
)
def test_figures_of_lexical_and_semantic_recall(language: str, place: str) -> None:
    assert place_dissociation(language) == f"Sense and Sensitivity, {place}"


@pytest.mark.parametrize(
    ("task", "language", "ways", "place"),
    [
        ("output-prediction", "python", ["direct", "cot"], "CodeCrash, table 2"),
        ("input-prediction", "python", ["cot", "direct", "more"], "CodeCrash, table 5"),
        ("output-prediction", "php", ["direct", "cot"], ""),
        ("output-prediction", "python", ["direct", "more"], ""),
        ("function-retrieval", "python", ["direct", "cot"], ""),
    ],
)
def test_tables_of_two_ways_side_by_side(task: str, language: str, ways: list[str], place: str) -> None:
    assert place_ways(task, language, ways) == place


def test_models_may_reason_where_no_prompt_begins_the_reply() -> None:
    assert may_reason(read("output-prediction", "cruxeval", prefill=False))
    assert not may_reason(read("output-prediction", "cruxeval", prefill=True))
    assert not may_reason(read("output-prediction", "cruxeval"))


def test_numbers_of_two_digits_are_no_study_of_their_own() -> None:
    assert place_change(read("output-prediction", "semtrace", {"digits": [2]}), "python").endswith("figures 2c and 5c")
    fixed = replace(SEMTRACE, resolved={"source": {"name": "semtrace", "digits": 6}})
    assert place_change(fixed, "python").endswith("figure 4")
    assert place_change(read("output-prediction", "cruxeval", {"digits": [6]}), "python").endswith("2b and 5b")
