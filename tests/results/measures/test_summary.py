from __future__ import annotations

import json
import random
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Outcome
from pytest_codereason.reports.reporters.summary_json import list_content
from pytest_codereason.results.measures.summary import AxisEntry, ModelSummary, Spread, Total, summarise
from pytest_codereason.results.report import Report
from pytest_codereason.results.statistics.intervals import wilson_interval
from pytest_codereason.results.values import Estimate, Undefined, Why
from tests.results.synthetic import build_data, make_row, make_rows, make_run


def of_one(rows: list[dict[str, Any]], axes: dict[str, list[Any]]) -> ModelSummary:
    run = make_run(suites={"semtrace": axes}, models=["m"])
    return summarise(build_data(run, rows)).suites["semtrace"].models["m"]


def find_delta(entry: AxisEntry) -> Any:
    """The difference of exact match, its numbers untyped, for they are compared with approximations."""
    delta = entry.deltas["exact"]
    assert delta
    return delta


def find_estimate(entry: AxisEntry | ModelSummary, metric: str = "exact") -> Any:
    return entry.metrics[metric]


def as_json(run: dict[str, Any], rows: Iterable[dict[str, Any]]) -> str:
    data = build_data(run, rows)
    report = Report(folder=Path("run"), data=data, summary=summarise(data), pictures=(), gates=())
    return json.dumps(list_content(report), allow_nan=False)


def row(family: str, outcome: str = "correct", **changes: Any) -> dict[str, Any]:
    right = float(outcome == "correct")
    numbers = {"exact": right, "partial": right, "exact_answered": right, "unresolved": 0.0}
    language, axes = changes.pop("language", "python"), changes.pop("axes", {})
    return make_row(
        id=f"{language}/{family}{axes}",
        family=family,
        language=language,
        axes=axes,
        outcome=outcome,
        metrics={} if outcome == "skipped" else numbers,
        **changes,
    )


def test_errors_and_skips_leave_every_denominator() -> None:
    rows = [row("a"), row("b", "wrong"), row("c", "truncated"), row("d", "error"), row("e", "skipped")]
    model = of_one(rows, {"language": ["python"]})
    assert model.counts.records == 5
    assert model.counts.scored == 3
    names: list[Outcome] = ["error", "skipped", "truncated"]
    assert tuple(model.counts.outcomes[name] for name in names) == (1, 1, 1)
    exact, answered = find_estimate(model), find_estimate(model, "exact_answered")
    assert (exact.n, exact.families, exact.value) == (3, 3, pytest.approx(1 / 3))
    assert (answered.n, answered.value) == (2, 0.5)
    assert (exact.low, exact.high) == pytest.approx(wilson_interval(1 / 3, 3))


def test_a_missing_metric_never_flatters() -> None:
    rows = [row("a"), make_row(id="b", family="b", outcome="refused", metrics={}, axes={})]
    rows += [make_row(id="c", family="c", outcome="invalid", metrics={}, axes={})]
    model = of_one(rows, {"language": ["python"]})
    assert (find_estimate(model).n, find_estimate(model).value) == (3, pytest.approx(1 / 3))
    assert find_estimate(model, "unresolved").n == 1  # less is better: 0 would flatter


def test_deltas_pair_by_family_and_the_other_axes() -> None:
    rows = []
    for digits, mode, family, outcome in [
        (2, "direct", "a", "correct"),
        (2, "direct", "b", "correct"),
        (2, "cot", "a", "wrong"),
        (2, "cot", "b", "correct"),
        (4, "direct", "a", "wrong"),
        (4, "direct", "b", "error"),  # its partner at 2 digits must not count either
        (4, "cot", "a", "wrong"),
        (4, "cot", "b", "correct"),
    ]:
        rows.append(row(family, outcome, axes={"digits": digits, "shown": mode}))
    model = of_one(rows, {"language": ["python"], "digits": [2, 4], "shown": ["direct", "cot"]})
    first, second = model.axes["digits"]
    assert first.deltas["exact"] == Undefined(Why.REFERENCE)
    assert (find_estimate(first).value, find_estimate(second).value) == (0.75, pytest.approx(1 / 3))
    delta = find_delta(second)
    # Pairs: (direct, a) 1 to 0, (cot, a) 0 to 0, (cot, b) 1 to 1.
    assert delta.value == pytest.approx(-1 / 3)
    assert delta.relative == pytest.approx(-1 / 2)
    assert (delta.pairs, delta.families) == (3, 2)
    assert second.counts.unanswered == 1


def test_families_of_their_own_are_compared_as_groups() -> None:
    rows = [row(f"python/{i}", "correct" if i < 8 else "wrong") for i in range(10)]
    rows += [row(f"php/{i}", "correct" if i < 4 else "wrong", language="php") for i in range(10)]
    delta = find_delta(of_one(rows, {"language": ["python", "php"]}).axes["language"][1])
    assert delta.value == pytest.approx(-0.4)
    assert delta.pairs == 0
    assert delta.low < -0.4 < delta.high < 0.1


def test_samples_pair_with_samples() -> None:
    rows = [row("a", axes={"digits": d}, sample=s) for d in (2, 4) for s in (0, 1)]
    rows += [row("b", "wrong", axes={"digits": d}, sample=s) for d in (2, 4) for s in (0, 1, 2)]
    delta = find_delta(of_one(rows, {"language": ["python"], "digits": [2, 4]}).axes["digits"][1])
    assert (delta.value, delta.pairs, delta.families) == (0, 5, 2)


def test_a_zero_reference_and_a_value_nobody_answered() -> None:
    rows = [row("a", "wrong", axes={"digits": 2}), row("a", axes={"digits": 3})]
    entries = of_one(rows, {"language": ["python"], "digits": [2, 3, 4]}).axes["digits"]
    assert find_delta(entries[1]).value == 1
    assert find_delta(entries[1]).relative is None
    assert entries[2].metrics["exact"] == Estimate(value=None, why=Why.NOT_ASKED)
    assert entries[2].deltas["exact"] == Undefined(Why.NOT_ASKED)


def test_values_keep_the_order_of_the_suite() -> None:
    rows = [row("a", axes={"digits": d}) for d in (2, 10, 3)]
    entries = of_one(rows, {"language": ["python"], "digits": [10, 2, 3]}).axes["digits"]
    assert [entry.value for entry in entries] == [10, 2, 3]


def test_unknown_is_none_and_never_zero() -> None:
    model = of_one([row("a", usage={}, latency_s=None)], {"language": ["python"]})
    assert model.tokens["prompt"] == Total(None, 0)
    assert model.cost == Total(None, 0)
    assert model.latency_s == Spread(None, None, 0)
    model = of_one([row("a", latency_s=1.0), row("b", latency_s=3.0, cost=0.25)], {"language": ["python"]})
    assert model.tokens["prompt"] == Total(200, 2)
    assert (model.latency_s.median, model.latency_s.n) == (2.0, 2)
    assert model.latency_s.p95 == pytest.approx(2.9)
    assert model.cost == Total(0.25, 1)


@pytest.mark.slow
def test_the_summary_is_strict_json_and_independent_of_order() -> None:
    run = make_run(families=20)
    rows = list(make_rows(run, families=20, samples=2))
    assert as_json(run, rows) == as_json(run, random.Random(4).sample(rows, len(rows)))
    as_json(run, [])


def test_the_summary_accepts_the_run_as_it_is_in_memory() -> None:
    run = make_run(families=3)
    for suite in run["suites"].values():
        suite["metrics"] = [dict(metric, of=frozenset(metric["of"])) for metric in suite["metrics"]]
        suite["axes"] = {axis: tuple(values) for axis, values in suite["axes"].items()}
    as_json(run, make_rows(run, families=3))


@pytest.mark.slow
def test_known_effects_are_found() -> None:
    run = make_run(families=100)
    models = summarise(build_data(run, make_rows(run))).suites["semtrace"].models
    for model in models.values():
        for sweep in model.sweeps:
            if sweep.axis == "digits":
                digits = find_delta(sweep.entries[1])
                assert digits.high < 0
                assert digits.relative_high < 0
    strong, weak = map(find_estimate, models.values())
    assert strong.low > weak.high


@pytest.mark.parametrize(
    ("outcomes", "exact", "answered"),
    [
        ([], Why.NOT_ASKED, Why.NOT_ASKED),
        (["skipped", "skipped"], Why.SKIPPED, Why.SKIPPED),
        (["skipped", "error"], Why.UNANSWERED, Why.UNANSWERED),
        (["truncated", "error"], None, Why.NONE_COUNTS),
        (["wrong"], None, None),
    ],
)
def test_an_undefined_number_says_why(outcomes: list[str], exact: Why | None, answered: Why | None) -> None:
    rows = [row(str(i), outcome, language="php") for i, outcome in enumerate(outcomes)]
    rows.append(row("a", language="python"))
    of_php = of_one(rows, {"language": ["python", "php"]}).axes["language"][1]
    assert (find_estimate(of_php).why, find_estimate(of_php, "exact_answered").why) == (exact, answered)
    assert of_php.deltas["exact"] == Undefined(exact) if exact else of_php.deltas["exact"]


def test_the_course_over_all_values_of_an_axis_is_judged_too() -> None:
    """Five programs at each level, right at level 1 only: no level is clear of the first, the course is."""
    rows = [
        row(f"{level}.{program}", "correct" if level == 1 else "wrong", axes={"level": level})
        for level in range(1, 9)
        for program in range(5)
    ]
    (sweep,) = of_one(rows, {"language": ["python"], "level": list(range(1, 9))}).sweeps
    assert min(find_delta(entry).p for entry in sweep.entries[1:]) > 0.05 / 7
    assert sweep.p is not None
    assert sweep.p < 0.001
    (sweep,) = of_one(rows[:10], {"language": ["python"], "level": [1, 2]}).sweeps
    assert sweep.p is None, "with two values there is one change"


def test_replies_are_counted_once_and_as_what_they_are() -> None:
    """Two replies are "x" and two "y". A fifth "x" was given to an equal question, and a sixth is no answer."""
    began = datetime.fromisoformat(make_run()["started"]).timestamp()
    rows = [
        row("a", response="x", trace={"collapsed": 1.0}),
        row("b", "wrong", response="x", trace={"collapsed": 0.0}),
        row("c", response="y", reused=True, steps=[{"answered_at": began - 1}]),
        row("d", "wrong", response="y"),
        row("e", response="x", reused=True, steps=[{"answered_at": began}]),
        row("f", "error", response="x", trace={"collapsed": 1.0}),
    ]
    model = of_one(rows, {"language": ["python"]})
    assert model.same_reply == Total(2, 4)
    assert (model.shared, model.reused) == (1, 1)
    assert model.collapsed == Total(1, 2)


def test_the_five_most_frequent_reasons_are_named() -> None:
    times = {"f": 1, "b": 2, "a": 2, "c": 3, "d": 4, "e": 5}
    rows = [
        row(f"{reason}{number}", "refused", reason=reason) for reason, many in times.items() for number in range(many)
    ]
    rows += [row("none", "refused"), row("right", reason="none"), row("wrong", "wrong", reason="none")]
    counted = (("e", 5), ("d", 4), ("c", 3), ("a", 2), ("b", 2))
    assert of_one(rows, {"language": ["python"]}).reasons == {"refused": counted}


WAYS: dict[str, list[Any]] = {
    "language": ["python"],
    "perturbation": ["vanilla", "hint"],
    "prompting": ["direct", "cot"],
    "digits": [2, 4, 6],
}


def ask(perturbation: str, prompting: str, digits: int, outcome: str = "correct") -> list[dict[str, Any]]:
    """Two programs in one condition."""
    axes = {"perturbation": perturbation, "prompting": prompting, "digits": digits}
    return [row(family, outcome, axes=axes) for family in "ab"]


def test_each_way_of_asking_has_a_headline_of_its_plain_questions() -> None:
    rows = [
        *ask("vanilla", "direct", 2),
        *ask("vanilla", "direct", 4, "wrong"),
        *ask("hint", "direct", 2, "wrong"),
        *ask("hint", "direct", 6, "wrong"),
        *ask("vanilla", "cot", 2),
        *ask("hint", "cot", 4, "error"),
    ]
    model = of_one(rows, WAYS)
    shown = {
        each.where["prompting"]: (each.metrics["exact"].value, each.counts.records, each.around.records)
        for each in model.headlines
    }
    # Around it: the perturbed questions of the same way, and the plain ones of the other.
    assert shown == {"direct": (0.5, 4, 4 + 4 + 2), "cot": (1.0, 2, 2 + 2 + 4)}
    assert all(each.where["perturbation"] == "vanilla" for each in model.headlines)
    (only,) = of_one(ask("vanilla", "cot", 2), WAYS).headlines
    assert only.where["prompting"] == "cot", "what was not asked has none"
    nothing = of_one(ask("hint", "cot", 2), WAYS).headlines
    assert [each.metrics["exact"].why for each in nothing] == [Why.NOT_ASKED] * 2, "unless nothing of it was asked"


def test_people_are_shown_axes_of_which_several_values_were_asked() -> None:
    rows = [*ask("vanilla", "direct", 2), *ask("vanilla", "direct", 6, "wrong"), *ask("hint", "direct", 2)]
    model = of_one(rows, WAYS)
    shown = {
        (sweep.axis, *sweep.where.values()): [entry.value for entry in sweep.entries] for sweep in model.shown_sweeps
    }
    assert shown == {("perturbation", "direct"): ["vanilla", "hint"], ("digits", "vanilla", "direct"): [2, 6]}
    digits = next(sweep for sweep in model.sweeps if sweep.axis == "digits")
    assert [entry.value for entry in digits.entries] == [2, 4, 6]
    assert [entry.value for entry in digits.asked] == [2, 6]


def test_one_that_guesses_has_no_headline_and_a_scale_no_claim() -> None:
    rows = [
        row(f"{family}", "correct" if digits == 2 else "wrong", axes={"digits": digits}, model=model)
        for model in ("m", "baseline:chance", "baseline:truth")
        for digits in (2, 4)
        for family in range(20)
    ]
    run = make_run(suites={"semtrace": {"language": ["python"], "digits": [2, 4]}}, models=["m"])
    run["models"] |= {f"baseline:{name}": {"identity": {"baseline": name}} for name in ("chance", "truth")}
    suite = summarise(build_data(run, rows)).suites["semtrace"]
    kinds = {label: (model.guesses, model.unspoken, len(model.headlines)) for label, model in suite.models.items()}
    assert kinds == {"m": (False, False, 1), "baseline:chance": (True, True, 0), "baseline:truth": (False, True, 1)}
    assert {claim.model for claim in suite.claims.p_values} == {"m"}
    assert {claim.value for claim in suite.claims.clear} == {"4"}, "twenty of twenty lost"
    sweeps = suite.find_sweeps("digits", {})
    assert [*sweeps] == ["m", "baseline:chance", "baseline:truth"]
    assert [*suite.leave_out_unspoken(sweeps)] == ["m"]
    assert suite.find_sweeps("digits", {"prompting": "cot"}) == suite.find_sweeps("level", {}) == {}
