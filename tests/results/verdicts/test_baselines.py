"""Gates that name an earlier run are checked against it before anything is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.verdicts.baselines import check_baseline, check_gates, find_counterpart, read_baseline
from pytest_codereason.results.verdicts.gates import GateError
from pytest_codereason.results.verdicts.grammar import parse_gate
from tests.results.synthetic import make_run, write_run
from tests.results.verdicts.answers import AXES, make_answers


@pytest.mark.parametrize(
    ("models", "suites", "plan", "complaint"),
    [
        (["m"], {"other": AXES}, None, "the baseline did not ask semtrace; it asked other"),
        (["m"], None, "77b1", "the baseline asked other questions of semtrace"),
        (["a", "b"], None, None, "the baseline has several models, and none is called 'm'; it has a, b"),
        (["a"], None, None, ""),
    ],
)
def test_a_baseline_that_cannot_be_compared_is_refused(
    models: list[str], suites: Any, plan: str | None, complaint: str
) -> None:
    baseline = make_run(models=models, suites=suites)
    if plan:
        baseline["suites"]["semtrace"]["plan"] = plan
    texts, run = ["semtrace.exact >= baseline - 2%"], parse_run(make_run(models=["m"]))
    if not complaint:
        assert check_gates(texts, run, parse_run(baseline))
        return
    with pytest.raises(GateError, match=complaint):
        check_gates(texts, run, parse_run(baseline))


def test_without_a_baseline_no_gate_can_name_it() -> None:
    with pytest.raises(GateError, match="there is no baseline: name the folder") as caught:
        check_gates(["semtrace.exact >= baseline - 2%"], parse_run(make_run()))
    assert caught.value.column == 19


def test_a_gate_that_names_no_baseline_needs_none() -> None:
    run = parse_run(make_run(models=["m"]))
    check_baseline(parse_gate("semtrace.exact >= 0.5"), run, None)
    assert [str(gate) for gate in check_gates(["semtrace.exact >= 0.5", "semtrace.exact < 1"], run)] == [
        "semtrace.exact >= 0.5",
        "semtrace.exact < 1",
    ]
    assert check_gates(["semtrace.exact >= baseline"], run, gone=True), "its verdict says that the baseline is gone"
    with pytest.raises(GateError, match="no suite is called 'other'"):
        check_gates(["other.exact >= baseline"], run, gone=True)


def test_a_gate_on_one_model_needs_the_counterpart_of_this_one_alone() -> None:
    run, baseline = parse_run(make_run(models=["m", "n"])), parse_run(make_run(models=["m", "o"]))
    check_baseline(parse_gate("semtrace.exact[model=m] >= baseline"), run, baseline)
    with pytest.raises(GateError, match="none is called 'n'; it has m, o"):
        check_baseline(parse_gate("semtrace.exact >= baseline"), run, baseline)


@pytest.mark.parametrize(
    ("label", "models", "found"),
    [
        ("m", ["m", "n"], "m"),
        ("m", ["n"], "n"),
        ("m", ["n", "o"], None),
        ("m", ["baseline:random", "n"], "n"),
        ("m", ["baseline:random"], "baseline:random"),
        ("baseline:random", ["baseline:random", "n"], "baseline:random"),
        ("m", ["baseline:random", "baseline:truth"], None),
    ],
)
def test_a_model_is_compared_with_its_namesake_or_with_the_only_model(
    label: str, models: list[str], found: str | None
) -> None:
    run = make_run(models=models)
    for name, about in run["models"].items():
        about["identity"] = {"baseline": name.partition(":")[2]} if name.startswith("baseline:") else about["identity"]
    assert find_counterpart(label, parse_run(run)) == found


def test_the_baseline_is_read_only_if_a_gate_names_it(tmp_path: Path) -> None:
    write_run(tmp_path / "old", make_run(models=["m"]), make_answers(3, 4))
    named = [parse_gate("semtrace.exact < 1"), parse_gate("semtrace.exact >= baseline")]
    data = read_baseline(tmp_path / "old", named)
    assert data is not None
    assert len(data.records) == 4
    assert read_baseline(tmp_path / "old", named[:1]) is None
    assert read_baseline(tmp_path / "gone", named) is None
