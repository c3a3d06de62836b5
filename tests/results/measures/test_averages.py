"""Averages of differences, by hand and by the laws that hold for weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_codereason.core import Metric
from pytest_codereason.core.files.typed_json import convert
from pytest_codereason.results.measures.averages import Comparison, average_changes
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.measures.over_models import pool_answers
from pytest_codereason.results.values import ChangeBounds
from tests.results.figures.rows import METRICS, frame, record


def make(data: str, before: list[int], after: list[int], model: str = "") -> Comparison:
    """One answer a program on both sides."""
    ones = np.ones(len(before))
    columns = np.stack([np.array(before, float), ones, np.array(after, float), ones], axis=1)
    return Comparison(data, columns, len(before), model=model)


bits = st.lists(st.integers(0, 1), min_size=6, max_size=6)
comparisons = st.lists(st.builds(make, st.sampled_from(["crux", "lcb"]), bits, bits), min_size=1, max_size=4)


def test_two_data_sets_weighted_by_hand() -> None:
    """0.5 to 0.25 on 800 programs and 1 to 0.75 on 479: -0.25 in points; -50 % and -25 % give -40.64 %."""
    parts = [make("crux", [1, 1, 0, 0], [1, 0, 0, 0]), make("lcb", [1, 1, 1, 1], [1, 1, 1, 0])]
    delta = average_changes(parts, [800, 479])
    assert delta is not None
    assert delta.value == pytest.approx(-0.25)
    assert delta.relative == pytest.approx(-(800 * 0.5 + 479 * 0.25) / 1279)
    assert (delta.pairs, delta.families) == (8, 8), "the programs of two data sets are different programs"


def test_an_undefined_relative_change_makes_the_average_undefined() -> None:
    delta = average_changes([make("a", [0, 0], [1, 0]), make("a", [1, 1], [1, 0])], [1, 1])
    assert delta is not None
    assert (delta.value, delta.relative) == (0.0, None)
    assert average_changes([], []) is None


@given(comparisons, st.data())
def test_an_average_lies_between_its_parts_and_depends_on_shares_alone(
    parts: list[Comparison], data: st.DataObject
) -> None:
    weights = data.draw(st.lists(st.integers(0, 1_000), min_size=len(parts), max_size=len(parts)))
    assume(sum(weights))
    delta, scaled = average_changes(parts, weights), average_changes(parts, [7 * weight for weight in weights])
    assert delta is not None
    assert scaled is not None
    alone = [one.value for part in parts if (one := average_changes([part], [1]))]
    assert min(alone) - 1e-9 <= delta.value <= max(alone) + 1e-9
    assert scaled.value == pytest.approx(delta.value)
    assert scaled.low == pytest.approx(delta.low)


@given(bits, bits)
def test_the_average_of_a_change_with_itself_is_that_change(before: list[int], after: list[int]) -> None:
    one, two = average_changes([make("a", before, after)], [1]), average_changes([make("a", before, after)] * 2, [1, 3])
    assert one is not None
    assert two is not None
    assert two.value == pytest.approx(one.value)
    assert two.families == one.families == 6


@given(bits)
def test_opposite_changes_of_the_same_programs_cancel_in_every_draw(before: list[int]) -> None:
    """The draws are shared: the average has no spread at all, so resampling gives no interval."""
    after = [1 - bit for bit in before]
    delta = average_changes([make("a", before, after), make("a", after, before)], [1, 1])
    assert delta is not None
    assert delta.value == pytest.approx(0)
    assert delta.low is None


def test_an_average_over_models_is_as_unsure_as_the_models_differ() -> None:
    """Three models lose 0, 10 and 90 of 100 programs. Each loss is known well, and what a fourth would lose is not."""
    losses = {"a": 0, "b": 10, "c": 90}
    right = [1] * 100
    several = [make("crux", right, [0] * lost + [1] * (100 - lost), name) for name, lost in losses.items()]
    one = [make("crux", right, [0] * lost + [1] * (100 - lost), "a") for lost in losses.values()]
    over_models, over_perturbations = average_changes(several, [1, 1, 1]), average_changes(one, [1, 1, 1])
    assert over_models is not None
    assert over_perturbations is not None
    assert over_models.value == pytest.approx(over_perturbations.value)
    assert over_models.value == pytest.approx(-1 / 3)
    assert over_models.low == -1.0, "it ends where shares end"
    assert over_models.high == pytest.approx(0.87, abs=0.1)
    assert over_perturbations.low == pytest.approx(-0.37, abs=0.03)
    assert over_models.relative == pytest.approx(-1 / 3)
    assert over_models.relative_low == -1.0


def test_answers_of_several_models_are_pooled_with_an_interval_over_models() -> None:
    metric = convert(Metric, METRICS[0])
    rows = [
        record("s", name, p, {}, p < right) for name, right in (("a", 90), ("b", 60), ("c", 30)) for p in range(100)
    ]
    records = frame(rows)
    parts = [records[records["model"] == name] for name in "abc"]
    pooled, alone = pool_answers(parts, metric), estimate_metric(records, metric)
    assert (pooled.value, pooled.n, pooled.families) == (alone.value, alone.n, alone.families)
    assert alone.low == pytest.approx(0.54, abs=0.03)
    assert (pooled.low, pooled.high) == (0.0, 1.0), "three models from 0.3 to 0.9 say little of a fourth"
    assert pool_answers(parts[:1], metric) == estimate_metric(parts[0], metric)
    alike = pool_answers([parts[0], parts[0]], metric)
    assert alike.low is not None
    assert alike.low > 0.8


def test_programs_of_data_sets_of_unequal_size_are_counted_once() -> None:
    parts = [make("a", [1, 1, 0, 0], [1, 0, 0, 0]), make("b", [1, 1, 1], [1, 1, 0]), make("a", [1, 1, 0, 0], [0] * 4)]
    delta = average_changes(parts, [1, 1, 1])
    assert delta is not None
    assert (delta.pairs, delta.families) == (11, 7)
    absent = Comparison("a", np.array([[1.0, 1, 0, 1], [0, 0, 0, 0], [1, 1, 1, 1]]), 2)
    alone = average_changes([absent], [1])
    assert alone is not None
    assert (alone.families, alone.value) == (2, -0.5), "a program that was not asked is none"


def test_the_interval_of_a_change_is_that_of_the_paired_bootstrap() -> None:
    random = np.random.default_rng(7)
    before = random.random(200) < 0.9
    after = before & (random.random(200) < 0.7)
    delta = average_changes([make("a", [*before.astype(int)], [*after.astype(int)])], [3])
    assert delta is not None
    error = np.std(after.astype(float) - before, ddof=1) / np.sqrt(200)
    assert delta.low == pytest.approx(delta.value - 1.96 * error, abs=0.01)
    assert delta.high == pytest.approx(delta.value + 1.96 * error, abs=0.01)
    ratio = after.mean() / before.mean()
    spread = np.std(after - ratio * before, ddof=1) / before.mean() / np.sqrt(200)
    assert delta.relative == pytest.approx(ratio - 1)
    assert delta.relative_low == pytest.approx(ratio - 1 - 1.96 * spread, abs=0.01)
    assert delta.relative_high == pytest.approx(ratio - 1 + 1.96 * spread, abs=0.01)


def test_draws_in_which_a_side_is_missing_are_left_out() -> None:
    """Of three programs one was asked on both sides, the others on one side each."""
    columns = np.array([[1.0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 1, 1]])
    delta = average_changes([Comparison("a", columns, 1)], [1])
    assert delta is not None
    assert delta.value == -0.5
    assert (delta.low, delta.high) == (-1.0, 0.0)
    assert delta.relative_low == -1.0


def make_bounds(scale: float, before: int, after: int, relative: float | None = 1.0) -> ChangeBounds:
    """Bounds that are multiples of ``scale``, so that each of them shows in a mean."""
    return ChangeBounds(
        all_wrong=-2 * scale,
        all_right=scale,
        lowest=-3 * scale,
        highest=2 * scale,
        relative_all_wrong=None if relative is None else -4 * scale * relative,
        relative_all_right=None if relative is None else 3 * scale * relative,
        before=before,
        after=after,
    )


def test_bounds_are_averaged_with_what_has_none_as_it_is() -> None:
    """0.5 to 0.25 has no truncated answer, so its change is -0.25 and -50 % at every bound. It counts three times."""
    plain = make("a", [1, 1, 0, 0], [1, 0, 0, 0])
    first = replace(plain, bounds=make_bounds(0.1, 1, 2))
    second = replace(plain, bounds=make_bounds(0.2, 10, 20))
    delta = average_changes([first, plain, second], [1, 3, 1])
    assert delta is not None
    bounds = delta.bounds
    assert bounds is not None
    assert bounds.all_wrong == pytest.approx((-0.2 - 3 * 0.25 - 0.4) / 5)
    assert bounds.all_right == pytest.approx((0.1 - 3 * 0.25 + 0.2) / 5)
    assert bounds.lowest == pytest.approx((-0.3 - 3 * 0.25 - 0.6) / 5)
    assert bounds.highest == pytest.approx((0.2 - 3 * 0.25 + 0.4) / 5)
    assert bounds.relative_all_wrong == pytest.approx((-0.4 - 3 * 0.5 - 0.8) / 5)
    assert bounds.relative_all_right == pytest.approx((0.3 - 3 * 0.5 + 0.6) / 5)
    assert (bounds.before, bounds.after) == (11, 22)
    assert (delta.value, delta.relative) == pytest.approx((-0.25, -0.5))


def test_without_a_relative_bound_of_one_part_there_is_none_of_all() -> None:
    plain = make("a", [1, 1, 0, 0], [1, 0, 0, 0])
    unknown = replace(plain, bounds=make_bounds(0.1, 0, 1, relative=None))
    delta = average_changes([replace(plain, bounds=make_bounds(0.1, 0, 1)), unknown], [1, 1])
    assert delta is not None
    assert delta.bounds is not None
    assert (delta.bounds.relative_all_wrong, delta.bounds.relative_all_right) == (None, None)
    assert delta.bounds.all_wrong == pytest.approx(-0.2)
    zero = replace(make("a", [0, 0], [1, 0]), bounds=make_bounds(0.1, 0, 1))
    delta = average_changes([zero], [1])
    assert delta is not None
    assert delta.bounds is not None
    assert delta.bounds.relative_all_right is None, "nothing was right before"
    delta = average_changes([plain, plain], [1, 1])
    assert delta is not None
    assert delta.bounds is None


def test_weights_of_nothing_have_no_average() -> None:
    plain = make("a", [1, 1], [1, 0])
    assert average_changes([plain], [0]) is None
    assert average_changes([plain, plain], [1, -1]) is None
    one = average_changes([plain, make("a", [1, 1], [0, 0])], [1, 0])
    assert one is not None
    assert one.value == -0.5


def test_means_that_are_no_shares_have_no_ends() -> None:
    """Two models need 10 and 30 tokens more, of 100. A third may need any number more."""
    counts = {"a": 110, "b": 130}
    parts = [make("crux", [100] * 50, [more] * 50, model) for model, more in counts.items()]
    delta = average_changes(parts, [1, 1])
    assert delta is not None
    assert (delta.value, delta.relative) == pytest.approx((20, 0.2))
    # Only models vary, by 200 / 2 = 100: 12.706 times 10, to both sides.
    assert (delta.low, delta.high) == pytest.approx((20 - 127.06, 20 + 127.06), abs=0.1)
    assert (delta.relative_low, delta.relative_high) == pytest.approx((-1, 0.2 + 1.2706), abs=0.01)


def test_a_relative_interval_needs_a_right_answer_in_every_draw() -> None:
    delta = average_changes([make("a", [1, 0, 0, 0], [0, 0, 0, 0])], [1])
    assert delta is not None
    assert (delta.value, delta.relative) == (-0.25, -1)
    assert delta.low is not None
    assert (delta.relative_low, delta.relative_high) == (None, None), "some draws lack the one right program"
