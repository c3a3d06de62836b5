"""What a gate speaks of, as a sum of means over the same programs."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.values import Bounds, Flips, Undefined
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.quantities import Measurement, Term, join_rows, list_terms, measure
from tests.results.synthetic import build_data, make_row, make_run
from tests.results.verdicts.answers import make_drop

PLAIN, DROP = "semtrace.exact[perturbation=comments] >= 0.5", "drop(semtrace.exact[perturbation=comments]) <= 5%"


def list_all(gate: str, data: RunData, earlier: RunData | None = None) -> list[Term]:
    rows = [None if each is None else each.select_suite("semtrace") for each in (data, earlier)]
    assert rows[0] is not None
    return list_terms(parse_gate(gate), data.suites["semtrace"], rows[0], rows[1])


def measure_gate(gate: str, before: str, after: str, *earlier: str) -> Measurement | Undefined:
    """Letters are the answers at ``vanilla`` and at ``comments``, in this run and in the baseline."""
    data = build_data(*make_drop(before, after))
    terms = list_all(gate, data, build_data(*make_drop(*earlier)) if earlier else None)
    return measure(terms, data.suites["semtrace"].headline)


def test_each_mean_is_a_term_with_a_factor() -> None:
    data = build_data(*make_drop("cccw", "ccww"))
    shapes: dict[str, list[tuple[Any, float, bool]]] = {}
    for gate, earlier in ((PLAIN, None), (DROP, None), (PLAIN + " ", data), (DROP + " ", data)):
        terms = list_all(gate.strip(), data, earlier)
        assert [len(term.rows) for term in terms] == [4] * len(terms)
        shapes[gate] = [(term.where["perturbation"], term.factor, term.of_baseline) for term in terms]
    assert shapes == {
        PLAIN: [("comments", 1, False)],
        DROP: [("vanilla", 1, False), ("comments", -1, False)],
        PLAIN + " ": [("comments", 1, False), ("comments", -1, True)],
        DROP + " ": [
            ("vanilla", 1, False),
            ("comments", -1, False),
            ("vanilla", -1, True),
            ("comments", 1, True),
        ],
    }


def test_a_mean_alone_has_an_interval() -> None:
    measured = measure_gate(PLAIN, "cccc", "cccw")
    assert isinstance(measured, Measurement)
    assert (measured.value, measured.means, measured.n, measured.families) == (0.75, (0.75,), 4, 4)
    assert measured.low is not None
    assert measured.low < 0.75
    assert (measured.flips, measured.bounds, measured.baseline) == (None, None, None)
    assert measured.contrast.value == 0.75
    assert measured.contrast.ends == (0.0, 1.0)


def test_a_drop_is_the_plain_mean_less_the_other_over_common_questions() -> None:
    measured = measure_gate(DROP, "cccwe", "cwwcc")
    assert isinstance(measured, Measurement)
    assert (measured.value, measured.means, measured.n, measured.families) == (0.25, (0.75, 0.5), 4, 4)
    assert measured.flips == Flips(lost=2, won=1, pairs=4)
    assert (measured.low, measured.high) == (None, None)


def test_beside_a_baseline_the_difference_is_compared() -> None:
    measured = measure_gate(PLAIN, "cccc", "cccw", "cccc", "cwww")
    assert isinstance(measured, Measurement)
    assert (measured.value, measured.baseline, measured.contrast.value) == (0.75, 0.25, 0.5)
    assert measured.means == (0.75,)
    assert measured.flips == Flips(lost=0, won=2, pairs=4)


def test_a_drop_is_compared_with_the_drop_of_the_baseline() -> None:
    measured = measure_gate(DROP, "cccc", "ccww", "cccc", "cccw")
    assert isinstance(measured, Measurement)
    assert (measured.value, measured.baseline, measured.contrast.value) == (0.5, 0.25, 0.25)
    assert measured.means == (1.0, 0.5)
    assert measured.flips is None, "four sides have no flips"


def test_truncated_answers_give_bounds_of_what_is_compared() -> None:
    measured = measure_gate(DROP, "cctw", "cwtt")
    assert isinstance(measured, Measurement)
    assert measured.truncated == (1, 2)
    assert measured.bounds == Bounds(all_wrong=0.25, all_right=0.0, truncated=3)


@pytest.mark.parametrize(
    ("sides", "reason"),
    [
        (("cc", "ee"), "unanswered"),
        (("ee", "cc"), "unanswered"),
        (("cc", "cc", "cc", "ee"), "baseline unanswered"),
        (("ce", "ec"), "any question in both ways not asked"),
    ],
)
def test_what_is_undefined_says_where(sides: tuple[str, ...], reason: str) -> None:
    measured = measure_gate(DROP, *sides)
    assert isinstance(measured, Undefined)
    assert measured.reason == reason


def test_rows_of_several_runs_share_their_labels() -> None:
    first, second = (pd.DataFrame({"id": pd.Categorical([*names]), "n": [1, 2]}) for names in ("ab", "bc"))
    assert join_rows([first]) is first
    joined = join_rows([first, second])
    assert list(joined["id"]) == ["a", "b", "b", "c"]
    assert list(joined["id"].cat.categories) == ["a", "b", "c"]
    assert list(joined.index) == [0, 1, 2, 3]
    assert joined["n"].dtype == "int64"


def test_the_change_of_a_question_with_more_answers_is_that_of_all_of_them() -> None:
    axes: dict[str, list[Any]] = {"language": ["python"], "perturbation": ["vanilla", "comments"]}
    run = make_run(models=["m"], suites={"semtrace": axes})
    letters = {"vanilla": ("cww", "ccc"), "comments": ("c", "w")}
    rows = [
        make_row(id=f"{family}{value}", family=str(family), sample=sample, axes={"perturbation": value})
        | {"outcome": "correct" if letter == "c" else "wrong", "metrics": {"exact": float(letter == "c")}}
        for value, texts in letters.items()
        for family, text in enumerate(texts)
        for sample, letter in enumerate(text)
    ]
    data = build_data(run, rows)
    measured = measure(list_all(DROP, data), data.suites["semtrace"].headline)
    assert isinstance(measured, Measurement)
    assert measured.means == pytest.approx((4 / 6, 1 / 2))
