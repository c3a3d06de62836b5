"""Tokens, doubt and collapse, for models whose numbers are known."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core import Metric
from pytest_codereason.core.files.typed_json import convert
from pytest_codereason.results.figures.reasoning import Reasoning
from pytest_codereason.results.measures.measures import estimate_metric
from tests.results.figures.rows import Axes, frame, record, run, show

VALUES = ["vanilla", "comments"]
REFACTOR = {"name": "rewrite_kept", "of": ["correct", "wrong"], "binary": True, "higher_is_better": True}


def thinking(program: int, axes: Axes, tokens: int | None, **more: Any) -> dict[str, Any]:
    row = record("s", "m", program, axes, True)
    return {
        **row,
        "usage": {"completion": 7, "reasoning": tokens},
        "trace": {"characters": 9.0, "collapsed": 0.0},
    } | more


def pictures(rows: list[dict[str, Any]], values: list[str] = VALUES) -> list[Any]:
    of = run({"s": ("output-prediction", {"perturbation": values})}, ["m"])
    return show(Reasoning(), rows, of)


def test_growth_is_paired_by_program() -> None:
    rows = []
    for program in range(20):
        rows.append(thinking(program, {"perturbation": "vanilla"}, 100 * (program + 1)))
        rows.append(thinking(program, {"perturbation": "comments"}, 150 * (program + 1)))
    # An answer without its pair says nothing about growth.
    rows.append(thinking(99, {"perturbation": "comments"}, 1_000_000))
    (picture,) = pictures(rows)
    (vanilla, comments) = picture.rows
    assert vanilla[3].startswith("1,050 [")
    assert (vanilla[2], *vanilla[4:]) == ("20", "2,000", "reference", "0 of 20 (0.0 %)")
    assert comments[4] == "1,000,000"
    assert comments[5].startswith("+50.0"), "each program took half as much again"
    assert picture.sentence.startswith("Largest clear growth of m against vanilla (1 change): +50.0")
    (panel,) = picture.panels
    assert panel.labels == VALUES
    assert panel.lines["m"][0].value == pytest.approx(1_050)


def test_a_model_that_does_not_reason_has_no_such_picture() -> None:
    rows = [thinking(p, {"perturbation": v}, None) for p in range(5) for v in VALUES]
    assert not pictures(rows)


def test_records_from_before_there_were_traces_still_make_pictures() -> None:
    rows = [thinking(p, {"perturbation": v}, 50) for p in range(5) for v in VALUES]
    for row in rows:
        del row["trace"]
    (picture,) = pictures(rows)
    assert [row[6] for row in picture.rows] == ["none to count", "none to count"]


def test_collapse_and_doubt_are_counted() -> None:
    doubt = {"characters": 900.0, "collapsed": 1.0, "confusion.8": 2.0, "confusion.9": 6.0}
    rows = [thinking(p, {"perturbation": "vanilla"}, 50) for p in range(4)]
    rows += [
        thinking(p, {"perturbation": "comments"}, 90, trace=doubt if p < 1 else {"characters": 9.0}) for p in range(4)
    ]
    tokens, along = pictures(rows)
    assert [row[6] for row in tokens.rows] == ["0 of 4 (0.0 %)", "1 of 1 (100.0 %)"]
    (panel,) = along.panels
    assert [p.value for p in panel.lines["comments"]] == [0.0] * 8 + [0.5, 1.5]
    assert [p.x for p in panel.lines["comments"]] == list(range(1, 11))
    assert along.sentence == (
        "Words of doubt in an answer of m: 0.0 under vanilla, 2.0 under comments "
        "(0.0 in the first half of the trace, 2.0 in the second)."
    )


def test_a_metric_of_some_questions_alone_is_averaged_over_those() -> None:
    rows = [record("s", "m", p, {"defence": "none"}, True) for p in range(6)]
    for p, share in enumerate((1.0, 1.0, 0.0)):
        row = record("s", "m", p, {"defence": "refactor"}, True)
        rows.append({**row, "metrics": {**row["metrics"], "rewrite_kept": share, "rewritten": 1.0}})
    estimate = estimate_metric(frame(rows), convert(Metric, {**REFACTOR, "only": ["defence", "refactor"]}))
    assert estimate.value == pytest.approx(2 / 3)
    assert estimate.n == 3
    assert estimate_metric(frame(rows), convert(Metric, REFACTOR)).n == 9, "others count 0 where they lack a metric"
