"""The horizon by the records of a run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pytest_codereason.results.measures.horizons import READINGS, SuiteHorizon, compare_horizons, measure_horizon
from pytest_codereason.results.runs.run_data import RunData
from tests.results.statistics.readers import Reader
from tests.results.synthetic import build_data, make_row
from tests.results.synthetic_curves import make_curve_data, make_curve_rows, make_curve_run

HALF = np.array([0.5])
NEAR, FAR = Reader(8, 2.0), Reader(64, 2.0)


def measure(data: RunData) -> SuiteHorizon:
    horizon = measure_horizon(data.select_suite("horizon"), data.run.suites["horizon"])
    assert horizon is not None
    return horizon


def ask_again(row: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Another answer to the question of a row."""
    return make_row(**{**{name: row[name] for name in ("id", "family", "suite", "axes")}, **changes})


def test_each_cell_has_a_curve_and_the_suite_their_geometric_mean() -> None:
    horizon = measure(make_curve_data({"int": NEAR, "list": FAR}))
    assert [cell.where for cell in horizon.cells] == [
        {"language": "python", "state": "int"},
        {"language": "python", "state": "list"},
    ]
    near, far = (cell.horizon.value for cell in horizon.cells)
    assert near == pytest.approx(8, rel=0.35)
    assert far == pytest.approx(64, rel=0.35)
    assert horizon.horizon.value == pytest.approx((near * far) ** 0.5, rel=0.1)
    assert horizon.horizon.low < 22.6 < horizon.horizon.high
    assert horizon.asked == 2 * 17 * 6
    assert horizon.lapse.value < 0.1


def test_replies_that_are_cut_off_are_left_out_and_bounded() -> None:
    horizon = measure(make_curve_data({"int": Reader(64, 2.0)}, cut_from=64))
    assert horizon.cut == 5 * 6
    assert horizon.asked == 12 * 6
    left_out, wrong, right = (float(2 ** cell.log_h50(HALF)[0]) for cell in map(horizon.cells[0].read, READINGS))
    assert wrong <= left_out <= right
    assert right > 256
    assert wrong < 64


def test_a_question_with_several_samples_counts_once() -> None:
    rows = make_curve_rows({"int": NEAR})
    again = [ask_again(row, sample=1, outcome="wrong") for row in rows]
    cut = [ask_again(row, sample=2, outcome="truncated") for row in rows]
    once = measure(build_data(make_curve_run(), rows))
    thrice = measure(build_data(make_curve_run(), [*rows, *again, *cut]))
    assert sum(tally.asked for tally in thrice.cells[0].tallies.values()) == pytest.approx(2 / 3 * once.asked)
    assert thrice.cells[0].tallies[0.0].right == pytest.approx(once.cells[0].tallies[0.0].right / 3)


def test_skipped_and_unanswered_questions_are_in_no_curve() -> None:
    rows = make_curve_rows({"int": NEAR})
    more = [ask_again(row, id=f"x{row['id']}", outcome=outcome) for row in rows for outcome in ("skipped", "error")]
    assert measure(build_data(make_curve_run(), [*rows, *more])).cells[0].tallies == (
        measure(build_data(make_curve_run(), rows)).cells[0].tallies
    )
    nothing = build_data(make_curve_run(), more)
    assert measure_horizon(nothing.select_suite("horizon"), nothing.run.suites["horizon"]) is None


def test_languages_ask_about_the_same_programs_and_states_do_not() -> None:
    rows = make_curve_rows({"int": NEAR, "list": NEAR})
    php = [
        ask_again(row, language="php", id=str(row["id"]).replace("python", "php"), outcome=row["outcome"])
        for row in rows
    ]
    axes = {"language": ["python", "php"], "state": ["int", "list"], "steps": [0, 256, 1]}
    horizon = measure(build_data(make_curve_run(axes=axes), [*rows, *php]))
    assert [cell.group for cell in horizon.cells] == [0, 1, 0, 1]
    python_alone = measure(build_data(make_curve_run(), rows))
    assert horizon.horizon.high / horizon.horizon.low > 0.9 * python_alone.horizon.high / python_alone.horizon.low


def test_the_ratio_of_two_models_is_over_the_cells_that_both_have() -> None:
    first = measure(make_curve_data({"int": NEAR, "list": NEAR}))
    second = measure(make_curve_data({"list": FAR}, seed=1))
    pair = compare_horizons(first, second)
    assert pair is not None
    assert [cell.where["state"] for cell in pair.first.cells] == ["list"]
    assert pair.ratio.low < 8 < pair.ratio.high
    assert pair.is_clear
    assert not pair.is_open
    back = compare_horizons(second, first)
    assert back is not None
    assert back.ratio.value == pytest.approx(1 / pair.ratio.value, rel=0.1)
    assert compare_horizons(first, measure(make_curve_data({"text": FAR}))) is None


def test_equal_models_are_not_told_apart() -> None:
    pair = compare_horizons(
        measure(make_curve_data({"int": NEAR}, seed=3)), measure(make_curve_data({"int": NEAR}, seed=4))
    )
    assert pair is not None
    assert pair.ratio.low < 1 < pair.ratio.high
    assert not pair.is_clear


@pytest.mark.parametrize(("reader", "end"), [(Reader(0.01), "below"), (Reader(10**6), "above")])
def test_cells_beyond_the_same_end_count_as_equal_and_are_named(reader: Reader, end: str) -> None:
    first, second = (measure(make_curve_data({"int": reader, "list": NEAR}, seed=seed)) for seed in (1, 2))
    assert first.cells[0].end == end
    pair = compare_horizons(first, second)
    assert pair is not None
    assert [where["state"] for where in pair.equal_ends] == ["int"]
    assert not pair.is_open
    one_side = compare_horizons(first, measure(make_curve_data({"int": FAR, "list": NEAR}, seed=2)))
    assert one_side is not None
    assert one_side.is_open
