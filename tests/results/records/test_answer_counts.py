"""Questions that have all the answers that their suite asks for, and answers beyond those."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from pytest_codereason.results.records.answer_counts import AnswerCount, count_answers, list_answers
from pytest_codereason.results.runs.run_info import SuiteInfo


def make_suite(**resolved: Any) -> SuiteInfo:
    return SuiteInfo(task="t", metrics=(), axes={}, cells=((9, {}),), resolved=resolved)


def make_rows(*answers: tuple[str, int], way: str | None = None) -> pd.DataFrame:
    rows = pd.DataFrame([{"id": name, "family": name[0], "sample": sample} for name, sample in answers])
    return rows if way is None else rows.assign(**{"axes.prompting": way})


TWO = make_suite(samples={"default": 2})


@pytest.mark.parametrize(
    ("answers", "count"),
    [
        ([("a", 0), ("a", 1), ("b", 0), ("b", 1)], (0, 0)),
        ([("a", 0), ("a", 1), ("b", 0)], (1, 0)),
        ([("a", 0), ("b", 1)], (2, 0)),
        ([("a", 0), ("a", 1), ("a", 2)], (0, 1)),
        ([("a", 0), ("a", 2), ("a", -1)], (1, 2)),
    ],
)
def test_a_question_lacks_an_answer_and_an_answer_may_be_too_many(
    answers: list[tuple[str, int]], count: tuple[int, int]
) -> None:
    assert count_answers(TWO, make_rows(*answers)) == AnswerCount(*count)


def test_each_way_of_prompting_has_a_number_of_its_own() -> None:
    suite = make_suite(samples={"default": 1, "cot": 2})
    direct, cot = make_rows(("a", 0), way="direct"), make_rows(("b", 0), way="cot")
    assert count_answers(suite, pd.concat([direct, cot])) == AnswerCount(lacking=1, surplus=0)
    assert count_answers(suite, pd.concat([direct.assign(sample=1), cot])) == AnswerCount(lacking=2, surplus=1)
    fixed = make_suite(samples={"default": 1, "cot": 2}, fixed={"prompting": "cot"})
    assert count_answers(fixed, make_rows(("a", 0))) == AnswerCount(lacking=1, surplus=0)


def test_a_run_that_does_not_say_lacks_nothing() -> None:
    assert count_answers(make_suite(), make_rows(("a", 7))) == AnswerCount(0, 0)


def test_answers_are_listed_once() -> None:
    assert list_answers(make_rows(("a[x]", 0), ("a[x]", 0), ("b", 1))) == {("a[x]", "a", 0), ("b", "b", 1)}
