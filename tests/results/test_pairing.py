"""Pairs across any condition, and what is counted over them."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.results.pairing import compare, count_flips, number_pairs
from pytest_codereason.results.run_data import RunData
from pytest_codereason.results.run_info import parse_run
from pytest_codereason.results.values import Delta
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


@given(sides=SIDES)
def test_a_comparison_the_other_way_round_has_the_opposite_sign(sides: list[tuple[str | None, str | None]]) -> None:
    before, after, data = build("model", sides)
    metric = data.suites["s"].headline
    forth, back = compare(before, after, [metric])["exact"], compare(after, before, [metric])["exact"]
    assert bool(forth) == bool(back)
    if forth and back:
        assert forth.value == pytest.approx(-back.value)
        assert forth.pairs == back.pairs
