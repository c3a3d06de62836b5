"""A metric over several models, counted by hand from their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pytest_codereason.core import Metric, Ratio
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.measures.over_models import measure_models, pool_answers
from pytest_codereason.results.statistics.over_models import average_models, pool_models
from pytest_codereason.results.values import Estimate, Undefined, Why
from tests.results.figures.rows import frame, record

EXACT = Metric(name="exact", title="Exact match")
#: Less is better, so answers that add nothing to the whole do not count.
LOST = Metric(name="lost", title="Lost", higher_is_better=False, ratio=Ratio(part={"lost": 1.0}, whole={"first": 1.0}))

#: Right (1) and wrong (0) answers of each model, by program.
Answers = Mapping[str, Mapping[int, Sequence[int]]]
UNEVEN: Answers = {
    "a": {p: [int(p == 0)] for p in range(10)},  # 1 of 10
    "b": {0: [1, 1], 1: [1, 0]},  # 3 of 4
}


def ask(answers: Answers) -> list[pd.DataFrame]:
    """The rows of each model, all of one run."""
    rows = [
        record("s", model, program, {}, bool(right)) | {"sample": sample}
        for model, programs in answers.items()
        for program, samples in programs.items()
        for sample, right in enumerate(samples)
    ]
    run = frame(rows)
    return [run[run["model"] == model] for model in answers]


def count(answers: Answers, programs: int) -> np.ndarray:
    """Sums and counts of each model and program."""
    return np.array(
        [[(sum(of.get(p, [])), len(of.get(p, []))) for p in range(programs)] for of in answers.values()], dtype=float
    )


def test_each_model_counts_alike_or_each_answer() -> None:
    average, pooled = measure_models(ask(UNEVEN), EXACT)
    assert isinstance(average, Estimate)
    assert isinstance(pooled, Estimate)
    assert average.value == pytest.approx(float((Fraction(1, 10) + Fraction(3, 4)) / 2))
    assert pooled.value == pytest.approx(4 / 14)
    assert (average.n, average.families) == (pooled.n, pooled.families) == (14, 10)
    columns = count(UNEVEN, 10)
    assert (average.low, average.high) == pytest.approx(average_models(columns)[1])
    assert (pooled.low, pooled.high) == pytest.approx(pool_models(columns)[1])


def test_programs_that_no_model_was_asked_are_not_counted() -> None:
    parts = ask({"a": {0: [1], 1: [0]}, "b": {1: [1], 2: [0]}, "other": {p: [1] for p in range(9)}})
    average, _ = measure_models(parts[:2], EXACT)
    assert isinstance(average, Estimate)
    assert (average.value, average.n, average.families) == (0.5, 4, 3)


def test_an_average_lacks_no_model_but_all_answers_together_may() -> None:
    parts = ask(UNEVEN)
    average, pooled = measure_models([*parts, parts[0].iloc[:0]], EXACT)
    assert average == Undefined(Why.NOT_ASKED)
    assert isinstance(pooled, Estimate)
    assert pooled.value == pytest.approx(4 / 14)


def test_without_any_answer_nothing_is_known() -> None:
    empty = ask(UNEVEN)[0].iloc[:0]
    assert measure_models([empty, empty], EXACT) == (Undefined(Why.NOT_ASKED), Undefined(Why.NONE_COUNTS))


def lose(model: str, found: int, lost: int) -> list[dict[str, Any]]:
    """Ten answers of a model, of which so many were right before, and so many of these are lost."""
    return [
        record("s", model, p, {}, False) | {"metrics": {"first": float(p < found), "lost": float(p < lost)}}
        for p in range(10)
    ]


def test_a_model_that_never_was_right_has_nothing_to_lose() -> None:
    rows = frame([*lose("a", 8, 2), *lose("b", 2, 1), *lose("never", 0, 0)])
    a, b, never = (rows[rows["model"] == model] for model in ("a", "b", "never"))
    average, pooled = measure_models([a, b], LOST)
    assert isinstance(average, Estimate)
    assert isinstance(pooled, Estimate)
    assert (average.value, pooled.value) == pytest.approx((3 / 8, 3 / 10))
    assert (average.n, average.families) == (10, 8)
    average, pooled = measure_models([a, b, never], LOST)
    assert average == Undefined(Why.NEVER_RIGHT)
    assert isinstance(pooled, Estimate)
    assert pooled.value == pytest.approx(3 / 10)
    assert measure_models([never], LOST) == (Undefined(Why.NEVER_RIGHT), Undefined(Why.NONE_COUNTS))
    assert measure_models([never, a.iloc[:0]], LOST).average == Undefined(Why.NOT_ASKED), "the plainer reason"


def test_answers_that_add_nothing_to_the_whole_are_not_counted() -> None:
    """Of 8 and 2 faults that were found before, 6 and 1 are found again. The other answers are about none of these."""
    kept = replace(LOST, name="kept", higher_is_better=True, ratio=Ratio(part={"kept": 1.0}, whole={"first": 1.0}))
    rows = frame([*lose("a", 8, 2), *lose("b", 2, 1)])
    rows["metrics.kept"] = rows["metrics.first"] - rows["metrics.lost"]
    a, b = (rows[rows["model"] == model] for model in "ab")
    average, pooled = measure_models([a, b], kept)
    assert isinstance(average, Estimate)
    assert isinstance(pooled, Estimate)
    assert (average.value, pooled.value) == pytest.approx(((6 / 8 + 1 / 2) / 2, 7 / 10))
    assert (average.n, average.families) == (pooled.n, pooled.families) == (10, 8)
    assert [estimate_metric(each, kept).n for each in (a, b)] == [8, 2], "as of each model alone"


def test_answers_of_one_model_are_pooled_as_its_own() -> None:
    a, b = ask(UNEVEN)
    for parts in ([a], [a, b.iloc[:0]]):
        assert pool_answers(parts, EXACT) == estimate_metric(a, EXACT)


def test_the_interval_of_pooled_answers_counts_models_as_well() -> None:
    """Two models that never agree: as one they would be known within a few points."""
    apart: Answers = {"a": {p: [1] for p in range(40)}, "b": {p: [0] for p in range(40)}}
    parts = ask(apart)
    pooled, alone = pool_answers(parts, EXACT), estimate_metric(pd.concat(parts), EXACT)
    assert (pooled.value, pooled.n, pooled.families) == (0.5, 80, 40)
    assert alone.low is not None
    assert (pooled.low, pooled.high) == (0.0, 1.0)
    assert alone.low > 0
    unasked = [*parts, parts[0].iloc[:0]]
    assert pool_answers(unasked, EXACT) == pooled, "a model without an answer is none of them"
