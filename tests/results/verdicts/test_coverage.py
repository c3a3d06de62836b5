"""How many questions of a gate a run has, and how many programs it has left."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import pytest

from pytest_codereason.core import AxisValue
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.verdicts.coverage import count_left, find_gap
from pytest_codereason.results.verdicts.quantities import Term

PYTHON: dict[str, AxisValue] = {"language": "python", "digits": 2}
PHP: dict[str, AxisValue] = {"language": "php", "digits": 2}
SUITE = SuiteInfo(
    task="t",
    metrics=(),
    axes={},
    cells=((20, PYTHON), (10, PYTHON | {"digits": 3}), (20, PHP)),
    families=((10, {"digits": 2}), (10, PYTHON), (10, PHP)),
)
UNKNOWN = SuiteInfo(task="t", metrics=(), axes={})


@pytest.mark.parametrize(
    ("conditions", "has", "gap"),
    [
        ([PYTHON], 20, None),
        ([PYTHON], 19, "19 of 20 questions asked"),
        ([{"language": "python"}], 29, "29 of 30 questions asked"),
        ([PYTHON, PHP], 40, None),
        ([PYTHON, PHP], 20, "20 of 40 questions asked"),
        ([{}], 50, None),
        ([PYTHON], 21, None),
    ],
)
def test_a_gap_is_what_is_missing_under_all_conditions(
    conditions: list[Mapping[str, AxisValue]], has: int, gap: str | None
) -> None:
    assert find_gap(SUITE, conditions, has, "asked", "selected") == gap


@pytest.mark.parametrize("because", [None, "-k php"])
def test_a_run_that_does_not_count_its_questions_says_itself_whether_it_is_a_part(because: str | None) -> None:
    assert find_gap(UNKNOWN, [PYTHON], 5, "asked", because) == because


def make_term(where: Mapping[str, AxisValue], families: Mapping[str, int], *, cluster: str = "") -> Term:
    """Answers to so many questions about each family."""
    rows = [
        {"family": family, "cluster": cluster or family, "id": f"{family}[{number}]"}
        for family, many in families.items()
        for number in range(many)
    ]
    return Term(rows=pd.DataFrame([*rows, *rows[:1]]), where=where, factor=1.0, of_baseline=False)


def test_a_program_is_done_with_once_all_its_questions_are_asked() -> None:
    """There are ten programs of two questions each in Python."""
    assert count_left(SUITE, [make_term(PYTHON, {"a": 2, "b": 2, "c": 1})]) == 8
    assert count_left(SUITE, [make_term(PYTHON, {str(n): 2 for n in range(10)})]) == 0
    assert count_left(SUITE, [make_term(PYTHON, {"a": 1})]) == 10


def test_a_program_is_done_with_in_all_terms() -> None:
    terms = [make_term(PYTHON, {"a": 2, "b": 2, "c": 2}), make_term(PHP, {"b": 2, "c": 1, "d": 2})]
    assert count_left(SUITE, terms) == 9


def test_what_nobody_has_counted_is_unknown() -> None:
    assert count_left(UNKNOWN, [make_term(PYTHON, {"a": 2})]) is None
    assert count_left(SUITE, [make_term(PYTHON, {"a": 2}, cluster="repository")]) is None
    other = SuiteInfo(task="t", metrics=(), axes={}, cells=SUITE.cells, families=((10, PYTHON), (7, PHP)))
    assert count_left(other, [make_term(PYTHON, {"a": 2}), make_term(PHP, {"a": 2})]) is None
