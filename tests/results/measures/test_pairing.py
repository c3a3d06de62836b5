"""Pairs across any condition, and what is counted over them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core import Metric
from pytest_codereason.results.measures.pairing import (
    bound_change,
    compare,
    count_flips,
    judge_course,
    judge_difference,
    judge_sums,
    number_pairs,
)
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.statistics import chance
from pytest_codereason.results.statistics.chance import judge_groups, judge_pairs
from pytest_codereason.results.values import ChangeBounds, Delta, Flips, Undefined
from tests.results.synthetic import make_row, make_run

OUTCOMES = st.sampled_from(["correct", "wrong", "error", None])
SIDES = st.lists(
    st.tuples(
        st.sampled_from(["correct", "wrong", "error", None]), st.sampled_from(["correct", "wrong", "error", None])
    ),
    max_size=12,
)
OF = {
    "run": ("first", "second"),
    "model": ("a", "b"),
    "perturbation": ("vanilla", "rename"),
    "position": (0, 50),
}


def build(across: str, sides: list[tuple[str | None, str | None]]) -> tuple[pd.DataFrame, pd.DataFrame, RunData]:
    """Answers that differ in ``across`` alone: one family a pair of outcomes, ``None`` where there is no record."""
    axes: dict[str, list[Any]] = {
        "language": ["python"],
        "perturbation": ["vanilla", "rename"],
        "position": [0, 50],
        "prompting": ["cot"],
    }
    info = parse_run(make_run(suites={"s": axes}, models=["a", "b"]))
    rows: dict[str, list[dict[str, object]]] = {"first": [], "second": []}
    for family, outcomes in enumerate(sides):
        for side, outcome in enumerate(outcomes):
            if outcome is None:
                continue
            point = {name: values[side if name == across else 0] for name, values in OF.items()}
            run, model = str(point.pop("run")), point.pop("model")
            row = make_row(id=f"{family}{point}", family=str(family), suite="s", model=model, outcome=outcome)
            rows[run].append(
                row | {"axes": point | {"prompting": "cot"}, "metrics": {"exact": float(outcome == "correct")}}
            )
    data = RunData.build({name: (info, records) for name, records in rows.items()})
    records = number_pairs(data.select_suite("s"), data.suites["s"], {across})
    column = across if across in ("run", "model") else f"axes.{across}"
    if column not in records:
        return records, records, data
    before, after = (records[(records[column] == value).astype(bool)] for value in OF[across])
    return before, after, data


@pytest.mark.parametrize("across", list(OF))
def test_every_condition_pairs_alike(across: str) -> None:
    sides: list[tuple[str | None, str | None]] = [
        ("correct", "wrong"),
        ("correct", "correct"),
        ("wrong", "correct"),
        ("correct", "wrong"),
        ("correct", "error"),
        (None, "correct"),
    ]
    before, after, data = build(across, sides)
    delta = compare(before, after, [data.suites["s"].headline])["exact"]
    assert isinstance(delta, Delta)
    assert delta.value == pytest.approx(-0.25)  # 3 of 4 right before, 2 of 4 after
    assert (delta.pairs, delta.families) == (4, 4)
    assert delta.flips is not None
    assert (delta.flips.lost, delta.flips.won, delta.flips.pairs) == (2, 1, 4)


@pytest.mark.slow
@given(sides=SIDES, across=st.sampled_from(list(OF)))
def test_flips_are_those_of_pairs_answered_on_both_sides(
    sides: list[tuple[str | None, str | None]], across: str
) -> None:
    before, after, data = build(across, sides)
    both = [side for side in sides if None not in side and "error" not in side]
    flips = count_flips(before, after, data.suites["s"].headline)
    if before is not after:
        assert flips.pairs == len(both)
        assert flips.lost == both.count(("correct", "wrong"))
        assert flips.won == both.count(("wrong", "correct"))


@pytest.mark.slow
@given(sides=SIDES)
def test_a_comparison_the_other_way_round_has_the_opposite_sign(sides: list[tuple[str | None, str | None]]) -> None:
    before, after, data = build("model", sides)
    metric = data.suites["s"].headline
    forth, back = compare(before, after, [metric])["exact"], compare(after, before, [metric])["exact"]
    assert bool(forth) == bool(back)
    if forth and back:
        assert forth.value == pytest.approx(-back.value)
        assert forth.pairs == back.pairs


def make_side(model: str, *answers: tuple[str, str]) -> list[dict[str, Any]]:
    """The answers of a model, each a program and an outcome, all of one number of a sample."""
    return [
        make_row(id=program, family=program, suite="s", model=model, outcome=outcome, axes={}, sample=place, metrics={})
        | {"metrics": {"exact": float(outcome == "correct")}}
        for place, (program, outcome) in enumerate(answers)
    ]


def pair(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> tuple[pd.DataFrame, pd.DataFrame, Metric]:
    """Both sides of a pair of models, where samples do not tell answers apart."""
    info = parse_run(make_run(suites={"s": {"language": ["python"]}}, models=["a", "b"]))
    data = RunData.build({"run": (info, [*before, *after])})
    rows = number_pairs(data.select_suite("s").assign(sample=0), data.suites["s"], {"model"})
    first, second = (rows[rows["model"] == model] for model in ("a", "b"))
    return first, second, data.suites["s"].headline


def test_a_pair_whose_side_has_several_answers_has_no_flip() -> None:
    """Nobody can say which of two answers turned into which."""
    before, after, metric = pair(
        make_side("a", ("0", "correct"), ("0", "wrong"), ("1", "correct"), ("2", "wrong"), ("3", "correct")),
        make_side("b", ("0", "wrong"), ("1", "wrong"), ("2", "correct"), ("2", "wrong"), ("3", "correct")),
    )
    flips = count_flips(before, after, metric)
    assert (flips.lost, flips.won, flips.pairs) == (1, 0, 2)


@pytest.mark.parametrize(("shared", "pairs"), [(3, 3), (2, 2), (1, 0), (0, 0)])
def test_two_sides_are_paired_if_half_of_one_side_has_a_partner(shared: int, pairs: int) -> None:
    """Of four answers to four; with fewer partners all answers of both sides are compared as groups."""
    before, after, metric = pair(
        make_side("a", *((str(n), "correct") for n in range(4))),
        make_side("b", *((str(n + 4 - shared), "correct" if n < shared else "wrong") for n in range(4))),
    )
    delta = compare(before, after, [metric])["exact"]
    assert isinstance(delta, Delta)
    assert delta.pairs == pairs
    assert delta.families == (pairs or 8 - shared)
    assert delta.value == pytest.approx(0.0 if pairs else shared / 4 - 1)


def test_half_of_the_smaller_side_is_enough() -> None:
    before, after, metric = pair(
        make_side("a", *((str(n), "correct") for n in range(8))), make_side("b", ("0", "wrong"), ("9", "correct"))
    )
    for delta in (compare(before, after, [metric])["exact"], compare(after, before, [metric])["exact"]):
        assert isinstance(delta, Delta)
        assert delta.pairs == 1
        assert abs(delta.value) == 1


def test_a_side_without_an_answer_is_named() -> None:
    before, after, metric = pair(make_side("a", ("0", "correct")), make_side("b", ("0", "error")))
    lost, won = compare(before, after, [metric])["exact"], compare(after, before, [metric])["exact"]
    assert isinstance(lost, Undefined)
    assert isinstance(won, Undefined)
    assert (lost.of, won.of) == ("", "reference")
    assert judge_difference(before, after, metric) is None


def test_a_difference_is_judged_by_its_pairs() -> None:
    """Eight programs got worse and none better: 2 of 2⁸ choices of signs are as far from 0."""
    before, after, metric = pair(
        make_side("a", *((str(n), "correct") for n in range(10))),
        make_side("b", *((str(n), "wrong" if n < 8 else "correct") for n in range(10))),
    )
    judged = judge_difference(before, after, metric)
    assert judged is not None
    assert judged.value == pytest.approx(-0.8)
    assert judged.p == pytest.approx(2 / 2**8)
    delta = compare(before, after, [metric])["exact"]
    assert isinstance(delta, Delta)
    assert (delta.value, delta.p) == pytest.approx((judged.value, judged.p))
    assert delta.relative == pytest.approx(-0.8)
    assert delta.flips == Flips(lost=8, won=0, pairs=10)


@pytest.mark.parametrize(("lost", "reaches"), [(4, True), (5, True), (6, False), (8, False)])
def test_an_interval_leaves_out_zero_only_where_the_test_does(lost: int, reaches: bool) -> None:
    """Five of 12 are lost: chance does that in one of 16 runs, and resampling alone would not have reached zero."""
    before, after, metric = pair(
        make_side("a", *((str(n), "correct") for n in range(12))),
        make_side("b", *((str(n), "wrong" if n < lost else "correct") for n in range(12))),
    )
    delta = compare(before, after, [metric])["exact"]
    assert isinstance(delta, Delta)
    assert delta.p == pytest.approx(2 / 2**lost)
    assert delta.high is not None
    assert delta.relative_high is not None
    assert (delta.high >= 0, delta.relative_high >= 0) == (reaches, reaches)
    assert delta.is_significant is not reaches


def test_groups_that_chance_may_have_made_reach_zero_too() -> None:
    before, after, metric = pair(
        make_side("a", *((str(n), "correct" if n < 9 else "wrong") for n in range(10))),
        make_side("b", *((str(n), "correct" if n < 15 else "wrong") for n in range(10, 20))),
    )
    delta = compare(before, after, [metric])["exact"]
    assert isinstance(delta, Delta)
    assert delta.p is not None
    assert (delta.p > 0.05) == (not delta.is_significant)


def test_truncated_answers_give_a_change_its_bounds() -> None:
    """2 of 4 right before and one cut off; 1 of 4 right after and two cut off."""
    before, after, metric = pair(
        make_side("a", ("0", "correct"), ("1", "correct"), ("2", "wrong"), ("3", "truncated")),
        make_side("b", ("0", "correct"), ("1", "truncated"), ("2", "truncated"), ("3", "wrong")),
    )
    assert bound_change(before, after, metric) == ChangeBounds(
        all_wrong=-0.25,
        all_right=0.0,
        lowest=-0.5,
        highest=0.25,
        relative_all_wrong=-0.5,
        relative_all_right=0.0,
        before=1,
        after=2,
    )
    before, after, metric = pair(make_side("a", ("0", "truncated")), make_side("b", ("0", "truncated")))
    bounds = bound_change(before, after, metric)
    assert bounds is not None
    assert (bounds.relative_all_wrong, bounds.relative_all_right) == (None, 0)
    before, after, metric = pair(make_side("a", ("0", "wrong")), make_side("b", ("0", "correct")))
    assert bound_change(before, after, metric) is None


@pytest.mark.parametrize(("first", "second"), [("truncated", "correct"), ("correct", "truncated")])
def test_truncated_answers_of_one_side_are_enough_for_bounds(first: str, second: str) -> None:
    """The other of two programs is right on both sides."""
    before, after, metric = pair(
        make_side("a", ("0", first), ("1", "correct")), make_side("b", ("0", second), ("1", "correct"))
    )
    bounds = bound_change(before, after, metric)
    assert bounds is not None
    cut = int(first == "truncated")
    assert (bounds.before, bounds.after, bounds.all_right) == (cut, 1 - cut, 0)
    assert bounds.all_wrong == (0.5 if cut else -0.5)


def ask_twice(*cells: dict[str, Any]) -> pd.DataFrame:
    """An answer about each of two programs at each of these values of axes, numbered across perturbations."""
    axes: dict[str, list[Any]] = {"language": ["python"], "perturbation": ["vanilla", "rename"], "digits": [2, 4]}
    rows = [
        make_row(id=f"{family}{cell}", family=family, suite="s", model="m", axes=cell)
        for cell in cells
        for family in "ab"
    ]
    data = RunData.build({"run": (parse_run(make_run(suites={"s": axes}, models=["m"])), rows)})
    return number_pairs(data.select_suite("s"), data.suites["s"], {"perturbation"})


def test_a_pair_differs_in_nothing_but_what_it_is_across() -> None:
    cells = [{"perturbation": change, "digits": digits} for change in ("vanilla", "rename") for digits in (2, 4)]
    rows = ask_twice(*cells)
    sizes = rows.groupby("pair").agg({"family": "nunique", "axes.digits": "nunique", "axes.perturbation": "nunique"})
    assert sizes.to_numpy().tolist() == [[1, 1, 2]] * 4


def test_answers_without_a_value_of_an_axis_pair_with_each_other_and_not_by_it() -> None:
    """Digits were left out of half of the questions. Two programs are two pairs there, too."""
    rows = ask_twice(
        *({"perturbation": change} for change in ("vanilla", "rename")),
        *({"perturbation": change, "digits": 2} for change in ("vanilla", "rename")),
    )
    assert sorted(rows["pair"].value_counts()) == [2, 2, 2, 2]
    assert (rows["pair"] >= 0).all()


def test_groups_are_judged_by_the_means_of_their_families() -> None:
    before, after, metric = pair(
        make_side("a", *((str(n), "correct" if n < 30 else "wrong") for n in range(40))),
        make_side("b", *((str(n), "correct" if n < 58 else "wrong") for n in range(40, 90))),
    )
    judged = judge_difference(before, after, metric)
    assert judged is not None
    old, new = (np.array([1.0] * right + [0.0] * wrong) for right, wrong in ((30, 10), (18, 32)))
    assert judged.value == pytest.approx(18 / 50 - 30 / 40)
    assert judged.p == pytest.approx(judge_groups(old, new))


def test_a_family_counts_as_often_in_the_test_as_in_the_means() -> None:
    """One family lost all of its four answers, eight others won one each."""
    columns = np.array([[4.0, 4.0, 0.0, 4.0], *[[0.0, 1.0, 1.0, 1.0]] * 8])
    assert judge_sums(columns, 12) == pytest.approx(judge_pairs(np.array([-4.0] + [1.0] * 8)))
    without = np.array([*columns, [0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 0.0]])
    assert judge_sums(without, 12) == judge_sums(columns, 12), "what one side alone has is no pair"


def test_a_course_compares_the_means_of_families_at_each_place() -> None:
    info = parse_run(make_run(suites={"s": {"language": ["python"]}}, models=["a"]))
    parts = []
    for right in ("cccccc", "wwcccc", "wwwwwc"):
        twice = [(str(n), "correct" if letter == "c" else "wrong") for n, letter in enumerate(right) for _ in range(2)]
        rows = make_side("a", *twice)
        parts.append(RunData.build({"run": (info, rows)}).select_suite("s"))
    values = np.array([[1, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 0], [1, 1, 0], [1, 1, 1]], dtype=np.float64)
    assert judge_course(parts, info.suites["s"].headline) == pytest.approx(chance.judge_course(values))
    assert judge_course(parts[:1], info.suites["s"].headline) is None


def test_one_answer_with_reasoning_is_compared_with_all_direct_ones() -> None:
    """Else the table shows 0.5 and 0.5 and says that they differ."""
    answers = {"direct": ("cww", "ccc", "www", "cwc"), "cot": ("c", "c", "w", "w")}
    info = parse_run(make_run(suites={"s": {"language": ["python"], "prompting": ["direct", "cot"]}}, models=["m"]))
    records = [
        make_row(id=f"{family}{way}", family=str(family), suite="s", model="m", sample=sample, axes={"prompting": way})
        | {"outcome": "correct" if letter == "c" else "wrong", "metrics": {"exact": float(letter == "c")}}
        for way, texts in answers.items()
        for family, text in enumerate(texts)
        for sample, letter in enumerate(text)
    ]
    data = RunData.build({"run": (info, records)})
    rows = number_pairs(data.select_suite("s"), info.suites["s"], {"prompting"})
    direct, cot = (rows[(rows["axes.prompting"] == way).astype(bool)] for way in answers)
    delta = compare(direct, cot, [info.suites["s"].headline])["exact"]
    assert isinstance(delta, Delta)
    assert (delta.value, delta.pairs, delta.families) == (0.0, 4, 4)
    assert delta.flips == Flips(lost=1, won=0, pairs=4)  # of the samples that both have
    three = number_pairs(direct, info.suites["s"], {"language"})
    assert three["question"].equals(three["pair"])
