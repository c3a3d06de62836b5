"""Tokens, doubt and collapse, for models whose numbers are known."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core import Metric
from pytest_codereason.core.files.typed_json import convert
from pytest_codereason.questions.replies.reasoning import measure_reasoning
from pytest_codereason.results.figures.defences import Defences
from pytest_codereason.results.figures.density import DensityFigure
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


def reason(program: int, value: str, text: str, *, right: bool, **usage: int) -> dict[str, Any]:
    """A record with the reasoning ``text``, measured as a run measures it."""
    step = {"reasoning": text, "response": "4", "usage": {"completion": 120, **usage}}
    row = record("s", "m", program, {"perturbation": value}, right)
    return {**row, "usage": step["usage"], "trace": measure_reasoning([(text, "4")]), "steps": [step]}


def test_doubt_is_followed_along_the_longest_trace_of_a_wrong_answer() -> None:
    text = "x" * 395 + " wait" + " is" * 100 + " hmm" * 25 + " " + "y" * 199
    rows = [
        reason(1, "vanilla", "wait " * 900 + "!", right=True, reasoning=1_000),
        reason(2, "comments", text, right=False, reasoning=100),
        reason(3, "comments", text[:-1], right=False, reasoning=99),
    ]
    picture = pictures(rows)[-1]
    assert picture.name == "s-python-one-trace"
    assert list(map(list, picture.rows)) == [
        ["m", "python/0002[perturbation:comments]", "wrong", "100", "1", "25", "no"]
    ]
    (panel,) = picture.panels
    assert panel.x == "tokens of the trace"
    curve = {point.x: point.value for point in panel.lines["m"]}
    assert (curve[0.0], curve[37.5], curve[40.0], curve[70.0], curve[80.0], curve[100.0]) == (0, 0, 1, 1, 26, 26)
    assert "26 words of doubt, 1 in the first half of the trace and 25 in the second." in picture.sentence


def test_without_a_wrong_answer_the_longest_trace_of_all_is_followed() -> None:
    rows = [reason(p, "vanilla", "wait " * p + "." * 95, right=True) for p in range(1, 4)]
    rows.append(reason(9, "comments", "wait " + "hmm " * 800, right=True))
    picture = pictures(rows)[-1]
    assert picture.rows[0][1:] == ("python/0009[perturbation:comments]", "correct", "120", "401", "400", "yes")
    assert "then it collapsed." in picture.sentence
    del rows[-1]["steps"][0]["usage"]
    picture = pictures(rows)[-1]
    assert picture.rows[0][3] == "unknown"
    assert picture.panels[0].x == "characters of the trace"


def test_tokens_by_density_stand_in_a_picture_of_their_own() -> None:
    share = {"vanilla": 10, "comments(density=0.5)": 20, "comments": 30}
    rows = [thinking(p, {"perturbation": v}, many) for p in range(6) for v, many in share.items()]
    of = run({"s": ("output-prediction", {"perturbation": list(share)})}, ["m"])
    accuracy, tokens = show(DensityFigure(), rows, of)
    assert accuracy.name == "s-python-density"
    (panel,) = tokens.panels
    assert [(p.x, p.value) for p in panel.lines["m"]] == [(0.0, 10.0), (0.5, 20.0), (1.0, 30.0)]
    assert tokens.sentence == "m goes from 10 at 0 to 30 at 1 under comments."


def test_a_metric_of_some_questions_alone_is_averaged_over_those() -> None:
    rows = [record("s", "m", p, {"defence": "none"}, True) for p in range(6)]
    for p, share in enumerate((1.0, 1.0, 0.0)):
        row = record("s", "m", p, {"defence": "refactor"}, True)
        rows.append({**row, "metrics": {**row["metrics"], "rewrite_kept": share, "rewritten": 1.0}})
    estimate = estimate_metric(frame(rows), convert(Metric, {**REFACTOR, "only": ["defence", "refactor"]}))
    assert estimate.value == pytest.approx(2 / 3)
    assert estimate.n == 3
    assert estimate_metric(frame(rows), convert(Metric, REFACTOR)).n == 9, "others count 0 where they lack a metric"


def test_defences_stand_side_by_side_under_each_perturbation() -> None:
    rows = []
    for program in range(40):
        for value in VALUES:
            for defence in ("none", "ignore-comments", "refactor"):
                right = value == "vanilla" or defence == "ignore-comments"
                row = record("s", "m", program, {"perturbation": value, "defence": defence}, right)
                if defence == "refactor":
                    row["metrics"] |= {"rewritten": 1.0, "rewrite_kept": float(value == "vanilla" or program >= 10)}
                rows.append(row)
    axes = {"perturbation": VALUES, "defence": ["none", "ignore-comments", "refactor"]}
    (picture,) = show(Defences(), rows, run({"s": ("output-prediction", axes)}, ["m"]))
    cells = {(row[1], row[2]): row[3:] for row in picture.rows}
    assert cells["comments", "none"][2:] == ("reference", "", "")
    assert cells["comments", "ignore-comments"][2].startswith("+1.000")
    assert cells["comments", "ignore-comments"][3:] == ("", "")
    assert cells["comments", "refactor"][2].startswith("0.000 [")
    assert cells["comments", "refactor"][3:] == ("10 of 40 (25.0 %)", "0 of 40 (0.0 %)")
    assert cells["vanilla", "refactor"][3] == "0 of 40 (0.0 %)"
    (panel,) = picture.panels
    assert panel.labels == VALUES
    assert [round(p.x) for p in panel.lines["refactor"]] == [0, 1]
    assert picture.sentence == (
        f"m gains most under comments with ignore-comments: {cells['comments', 'ignore-comments'][2]} "
        "(4 changes looked at together). Its rewritings broke the program in 10 of 80 (12.5 %)."
    )
