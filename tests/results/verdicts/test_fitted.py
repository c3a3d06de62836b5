"""Gates on the horizon and on the lapse rate, against readers whose horizon is known."""

from __future__ import annotations

import pytest

from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.verdicts.baselines import check_gates
from pytest_codereason.results.verdicts.gates import GateError
from pytest_codereason.results.verdicts.verdict import Decision
from pytest_codereason.results.verdicts.watching import Watch
from tests.results.statistics.readers import Reader
from tests.results.synthetic import build_data, make_row
from tests.results.synthetic_curves import AXES, judge_gate, make_curve_data, make_curve_rows, make_curve_run

NEAR, FAR = Reader(8, 2.0), Reader(64, 2.0)


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("horizon.h50 >= 12", "PASS"),  # the geometric mean of 8 and 64 is 22.6
        ("horizon.h50 >= 22", "UNDECIDED"),
        ("horizon.h50 >= 48", "FAIL"),
        ("horizon.h50 <= 48", "PASS"),
        ("horizon.h50[state=list] >= 32", "PASS"),
        ("horizon.h50[state=int] >= 32", "FAIL"),
        ("horizon.h50 == 22.6", "UNDECIDED"),
        ("horizon.h50 == 100", "FAIL"),
        ("horizon.lapse <= 15%", "PASS"),
        ("horizon.lapse >= 30%", "FAIL"),
    ],
)
def test_the_posterior_decides(text: str, decision: str) -> None:
    verdict = judge_gate(text, make_curve_data({"int": NEAR, "list": FAR}))
    assert (verdict.verdict, verdict.passed) == (decision, decision == "PASS")


def test_the_sentence_tells_the_figure_its_limit_and_from_how_much() -> None:
    data = make_curve_data({"int": NEAR, "list": FAR})
    passed = judge_gate("horizon.h50 >= 12", data)
    assert passed.at_least is not None
    assert passed.value is not None
    assert passed.low is not None
    assert passed.low < passed.at_least < passed.value
    assert passed.sentence == (
        f"horizon.h50 = {passed.value:.0f} steps [{passed.low:.0f}, {passed.high:.0f}] (at least "
        f"{passed.at_least:.0f} in 19 of 20 such runs, n 204, 2 cells) passes >= 12; about programs like these"
    )
    open_one = judge_gate("horizon.h50 >= 22", data)
    assert "leaves >= 22 open: it may lie between " in open_one.sentence
    assert open_one.needed is None or f"some {open_one.needed:,} questions a cell would decide" in open_one.sentence
    lapse = judge_gate("horizon.lapse <= 15%", data)
    assert lapse.sentence.startswith("horizon.lapse = ")
    assert " %, " in lapse.sentence


def test_the_budget_that_would_decide_grows_as_the_limit_comes_nearer() -> None:
    data = make_curve_data({"int": NEAR}, programs=2)
    value = judge_gate("horizon.h50 >= 1", data).value
    assert value is not None
    needed = [judge_gate(f"horizon.h50 >= {value * part:.2f}", data).needed for part in (0.6, 0.8)]
    assert needed[0] is not None
    assert needed[1] is not None
    assert 34 <= needed[0] < needed[1]


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("horizon.h50 >= baseline * 0.8", "FAIL"),
        ("horizon.h50 >= baseline * 0.05", "PASS"),
        ("horizon.h50 >= baseline", "FAIL"),
        ("horizon.h50 <= baseline", "PASS"),
        ("horizon.h50 >= baseline * 0.125", "UNDECIDED"),
        ("horizon.lapse <= baseline + 20%", "PASS"),
    ],
)
def test_a_baseline_is_compared_by_the_ratio(text: str, decision: str) -> None:
    before, after = make_curve_data({"int": FAR}, seed=1), make_curve_data({"int": NEAR}, seed=2)
    assert judge_gate(text, after, before).verdict == decision


def test_the_same_model_again_does_not_fail_beside_its_baseline() -> None:
    before, after = make_curve_data({"int": NEAR}, seed=1), make_curve_data({"int": NEAR}, seed=2)
    verdict = judge_gate("horizon.h50 >= baseline * 0.4", after, before)
    assert verdict.verdict is Decision.PASS
    assert "in the baseline, " in verdict.sentence
    assert " times as far (at least " in verdict.sentence


def test_cells_beyond_the_same_end_are_named() -> None:
    endless = Reader(10**6)
    before, after = (make_curve_data({"int": endless, "list": NEAR}, seed=seed) for seed in (1, 2))
    sentence = judge_gate("horizon.h50 >= baseline * 0.5", after, before).sentence
    assert "both lie beyond the rungs in 1 cell, which counts as equal" in sentence


def test_replies_that_are_cut_off_leave_a_gate_open_that_they_could_change() -> None:
    data = make_curve_data({"int": FAR}, cut_from=64)
    assert judge_gate("horizon.h50 >= 100", data).verdict is Decision.UNDECIDED
    verdict = judge_gate("horizon.h50 >= 16", data)
    assert verdict.verdict is Decision.PASS
    assert verdict.bounds is not None
    assert verdict.bounds.truncated == 30
    assert verdict.bounds.all_wrong < 64 < verdict.bounds.all_right
    assert "with 30 replies cut off" in verdict.sentence
    assert judge_gate("horizon.h50 >= 100", make_curve_data({"int": FAR})).verdict is Decision.FAIL


def test_a_gate_without_answers_or_with_unanswered_questions_is_unmeasured() -> None:
    rows = make_curve_rows({"int": NEAR})
    nothing = judge_gate("horizon.h50[state=list] >= 4", build_data(make_curve_run(), rows))
    assert nothing.verdict is Decision.UNMEASURED
    assert "the run lacks an answer that says anything about reading" in nothing.sentence
    error = make_row(**{name: rows[0][name] for name in ("family", "suite", "axes")}, id="x", outcome="error")
    failed = judge_gate("horizon.h50 >= 1", build_data(make_curve_run(), [*rows, error]))
    assert failed.verdict is Decision.UNMEASURED
    assert failed.sentence.endswith("cannot be judged against >= 1: 1 unanswered")


def test_a_part_of_a_suite_is_judged_only_if_that_is_allowed() -> None:
    cells = [[24, {"language": "python", "state": state, "steps": step}] for state in AXES["state"] for step in (0, 1)]
    run = make_curve_run(cells=cells) | {"selection": "a part"}
    data = build_data(run, make_curve_rows({"int": NEAR}, programs=3))
    assert judge_gate("horizon.h50 >= 1", data).verdict is Decision.UNMEASURED
    allowed = judge_gate("horizon.h50 >= 1", data, allow_partial=True)
    assert allowed.verdict is Decision.PASS
    assert "PARTIAL, allowed: " in allowed.sentence


@pytest.mark.parametrize(
    ("text", "column", "complaint"),
    [
        ("drop(horizon.h50[state=int]) <= 3", 6, "h50 has no drop: it is fitted over steps"),
        ("horizon.h50[steps=4] >= 3", 13, "h50 is fitted over steps, so it has no value at one of them"),
        ("horizon.h50 >= baseline - 2", 25, r"h50 is compared by a factor: write baseline \* 0.8"),
        ("horizon.exact >= baseline * 0.8", 27, "only h50 is compared by a factor"),
        ("horizon.lapse <= baseline * 2", 27, "only h50 is compared by a factor"),
        ("horizon.lapse <= 5", 18, "lapse is a share between 0 and 1: write 5%"),
        ("horizon.h50 >= 0", 16, "h50 is above 0"),
        ("horizon.h5 >= 3", 9, "no metric of horizon is called 'h5'"),
    ],
)
def test_what_a_fitted_figure_cannot_be_asked(text: str, column: int, complaint: str) -> None:
    run = parse_run(make_curve_run())
    with pytest.raises(GateError, match=complaint) as caught:
        check_gates([text], run, run)
    assert caught.value.column == column


def test_a_suite_without_a_curve_has_no_horizon() -> None:
    with pytest.raises(GateError, match="horizon has no curve, so it has no h50: that needs one axis along which"):
        check_gates(["horizon.h50 >= 3"], parse_run(make_curve_run(curve="")))


def test_a_baseline_of_another_version_is_refused() -> None:
    run, before = parse_run(make_curve_run()), parse_run(make_curve_run(plan="of another generator"))
    with pytest.raises(GateError, match="the baseline asked other questions of horizon"):
        check_gates(["horizon.h50 >= baseline * 0.8"], run, before)


def test_betting_leaves_fitted_figures_out() -> None:
    run = parse_run(make_curve_run())
    watch = Watch(check_gates(["horizon.h50 >= 3", "horizon.lapse <= 5%"], run), run, [], seed=0)
    assert watch.unwatched == ["horizon.h50 >= 3", "horizon.lapse <= 0.05"]
    assert not watch.decided
