from __future__ import annotations

import json
import random
from typing import Any

import pytest

from pytest_codereason.results.frame import load
from pytest_codereason.results.summary import Summary, summarise
from pytest_codereason.statistics.intervals import wilson
from tests.results.synthetic import make_row, make_rows, make_run


def of_one(rows: list[dict[str, Any]], axes: dict[str, list[Any]]) -> Summary:
    run = make_run(suites={"semtrace": axes}, models=["m"])
    found: Summary = summarise(load(rows), run)["suites"]["semtrace"]["models"]["m"]
    return found


def row(family: str, outcome: str = "correct", **changes: Any) -> dict[str, Any]:
    right = float(outcome == "correct")
    language, axes = changes.pop("language", "python"), changes.pop("axes", {})
    return make_row(
        id=f"{language}/{family}{axes}",
        family=family,
        language=language,
        axes=axes,
        outcome=outcome,
        metrics={"exact": right, "partial": right, "exact_answered": right, "unresolved": 0.0},
        **changes,
    )


def test_errors_and_skips_leave_every_denominator() -> None:
    rows = [row("a"), row("b", "wrong"), row("c", "truncated"), row("d", "error"), row("e", "skipped")]
    found = of_one(rows, {"language": ["python"]})
    assert found["counts"]["records"] == 5
    assert found["counts"]["scored"] == 3
    assert (found["counts"]["error"], found["counts"]["skipped"], found["counts"]["truncated"]) == (1, 1, 1)
    exact, answered = found["metrics"]["exact"], found["metrics"]["exact_answered"]
    assert (exact["n"], exact["families"], exact["value"]) == (3, 3, pytest.approx(1 / 3))
    assert (answered["n"], answered["value"]) == (2, 0.5)
    assert (exact["low"], exact["high"]) == pytest.approx(wilson(1 / 3, 3))


def test_a_missing_metric_never_flatters() -> None:
    rows = [row("a"), make_row(id="b", family="b", outcome="refused", metrics={}, axes={})]
    rows += [make_row(id="c", family="c", outcome="invalid", metrics={}, axes={})]
    found = of_one(rows, {"language": ["python"]})["metrics"]
    assert (found["exact"]["n"], found["exact"]["value"]) == (3, pytest.approx(1 / 3))
    assert found["unresolved"]["n"] == 1  # less is better: 0 would flatter


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
        rows.append(row(family, outcome, axes={"digits": digits, "prompting": mode}))
    found = of_one(rows, {"language": ["python"], "digits": [2, 4], "prompting": ["direct", "cot"]})
    first, second = found["axes"]["digits"]
    assert first["metrics"]["exact"]["delta"] is None
    assert (first["metrics"]["exact"]["value"], second["metrics"]["exact"]["value"]) == (0.75, pytest.approx(1 / 3))
    delta = second["metrics"]["exact"]["delta"]
    # Pairs: (direct, a) 1 to 0, (cot, a) 0 to 0, (cot, b) 1 to 1.
    assert delta["value"] == pytest.approx(-1 / 3)
    assert delta["relative"] == pytest.approx(-1 / 2)
    assert (delta["pairs"], delta["families"]) == (3, 2)
    assert second["counts"]["error"] == 1


def test_families_of_their_own_are_compared_as_groups() -> None:
    rows = [row(f"python/{i}", "correct" if i < 8 else "wrong") for i in range(10)]
    rows += [row(f"php/{i}", "correct" if i < 4 else "wrong", language="php") for i in range(10)]
    delta = of_one(rows, {"language": ["python", "php"]})["axes"]["language"][1]["metrics"]["exact"]["delta"]
    assert delta["value"] == pytest.approx(-0.4)
    assert delta["pairs"] == 0
    assert delta["low"] < -0.4 < delta["high"] < 0.1


def test_samples_pair_with_samples() -> None:
    rows = [row("a", axes={"digits": d}, sample=s) for d in (2, 4) for s in (0, 1)]
    rows += [row("b", "wrong", axes={"digits": d}, sample=s) for d in (2, 4) for s in (0, 1, 2)]
    delta = of_one(rows, {"language": ["python"], "digits": [2, 4]})["axes"]["digits"][1]["metrics"]["exact"]["delta"]
    assert (delta["value"], delta["pairs"], delta["families"]) == (0, 5, 2)


def test_a_zero_reference_and_a_value_nobody_answered() -> None:
    rows = [row("a", "wrong", axes={"digits": 2}), row("a", axes={"digits": 3})]
    found = of_one(rows, {"language": ["python"], "digits": [2, 3, 4]})["axes"]["digits"]
    assert found[1]["metrics"]["exact"]["delta"]["value"] == 1
    assert found[1]["metrics"]["exact"]["delta"]["relative"] is None
    assert found[2]["metrics"]["exact"] == {
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
        "families": 0,
        "delta": None,
    }


def test_values_keep_the_order_of_the_suite() -> None:
    rows = [row("a", axes={"digits": d}) for d in (2, 10, 3)]
    found = of_one(rows, {"language": ["python"], "digits": [10, 2, 3]})["axes"]["digits"]
    assert [entry["value"] for entry in found] == [10, 2, 3]


def test_unknown_is_none_and_never_zero() -> None:
    found = of_one([row("a", usage={}, latency_s=None)], {"language": ["python"]})
    assert found["tokens"]["prompt"] == {"total": None, "known": 0}
    assert found["cost"] == {"total": None, "known": 0}
    assert found["latency_s"] == {"median": None, "p95": None, "n": 0}
    found = of_one([row("a", latency_s=1.0), row("b", latency_s=3.0, cost=0.25)], {"language": ["python"]})
    assert found["tokens"]["prompt"] == {"total": 200, "known": 2}
    assert found["latency_s"] == {"median": 2.0, "p95": pytest.approx(2.9), "n": 2}
    assert found["cost"] == {"total": 0.25, "known": 1}


def test_reasons_are_counted() -> None:
    rows = [row(str(i), "error", reason="rate limit") for i in range(3)] + [row("x", "error", reason="reset")]
    assert of_one(rows, {"language": ["python"]})["reasons"] == {"error": [("rate limit", 3), ("reset", 1)]}


def test_the_summary_is_strict_json_and_independent_of_order() -> None:
    run = make_run(families=20)
    rows = list(make_rows(run, families=20, samples=2))
    first = json.dumps(summarise(load(rows), run), allow_nan=False)
    again = json.dumps(summarise(load(random.Random(4).sample(rows, len(rows))), run), allow_nan=False)
    assert first == again
    json.dumps(summarise(load([]), run), allow_nan=False)


def test_the_summary_accepts_the_run_as_it_is_in_memory() -> None:
    run = make_run(families=3)
    for suite in run["suites"].values():
        suite["metrics"] = [dict(metric, of=frozenset(metric["of"])) for metric in suite["metrics"]]
        suite["axes"] = {axis: tuple(values) for axis, values in suite["axes"].items()}
    json.dumps(summarise(load(make_rows(run, families=3)), run), allow_nan=False)


def test_known_effects_are_found() -> None:
    run = make_run(families=100)
    models = summarise(load(make_rows(run)), run)["suites"]["semtrace"]["models"]
    for found in models.values():
        digits = found["axes"]["digits"][1]["metrics"]["exact"]["delta"]
        assert digits["high"] < 0
        assert digits["relative_high"] < 0
    strong, weak = (found["metrics"]["exact"] for found in models.values())
    assert strong["low"] > weak["high"]
