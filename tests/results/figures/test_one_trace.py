"""Words of doubt along one answer, followed by hand."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.questions.replies.reasoning import measure_reasoning
from pytest_codereason.results.figures._one_trace import follow_doubt
from pytest_codereason.results.figures.reasoning import Reasoning
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.values import Undefined, Why
from tests.results.figures.rows import Shown, data, record, run, show

VALUES = ["vanilla", "comments"]


def reason(program: int, value: str, text: str, *, right: bool, **usage: int) -> dict[str, Any]:
    """A record with the reasoning ``text``, measured as a run measures it."""
    step = {"reasoning": text, "response": "4", "usage": {"completion": 120, **usage}}
    row = record("s", "m", program, {"perturbation": value}, right)
    return {**row, "usage": step["usage"], "trace": measure_reasoning([(text, "4")]), "steps": [step]}


def follow(rows: list[dict[str, Any]]) -> Shown:
    (*_, picture) = show(Reasoning(), rows, run({"s": ("output-prediction", {"perturbation": VALUES})}, ["m"]))
    return picture


def test_doubt_is_followed_along_the_longest_trace_of_a_wrong_answer() -> None:
    text = "x" * 395 + " wait" + " is" * 100 + " hmm" * 25 + " " + "y" * 199
    rows = [
        reason(1, "vanilla", "wait " * 900 + "!", right=True, reasoning=1_000),
        reason(2, "comments", text, right=False, reasoning=100),
        reason(3, "comments", text[:-1], right=False, reasoning=99),
    ]
    picture = follow(rows)
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
    picture = follow(rows)
    assert picture.rows[0][1:] == ("python/0009[perturbation:comments]", "correct", "120", "401", "400", "yes")
    assert "then it collapsed." in picture.sentence
    del rows[-1]["steps"][0]["usage"]
    picture = follow(rows)
    assert picture.rows[0][3] == "unknown"
    assert picture.panels[0].x == "characters of the trace"


def follow_alone(*rows: dict[str, Any]) -> Picture | None:
    """One trace of each model of these rows."""
    models = list(dict.fromkeys(row["model"] for row in rows))
    run_data = data(rows, run({"s": ("output-prediction", {"perturbation": VALUES})}, models))
    return follow_doubt(("s", "python"), run_data, dict(run_data.by_subject(run_data.select_suite("s"))))


def spell(picture: Picture | None) -> list[list[Any]]:
    """The cells of the table after the name of the model: words, numbers, or why there is none."""
    assert picture is not None
    assert picture.table is not None
    return [[getattr(cell, "text", getattr(cell, "value", cell)) for cell in row[1:]] for row in picture.table.rows]


def test_a_point_stands_after_each_fortieth_of_the_trace() -> None:
    """80 characters and 400 tokens: a step is 2 characters and 10 tokens. The two words begin at 10 and at 41."""
    text = "x" * 9 + " wait " + "y" * 25 + " wait " + "z" * 34
    picture = follow_alone(reason(1, "vanilla", text, right=False, reasoning=400))
    assert len(text) == 80
    assert picture is not None
    (panel,) = picture.panels
    points = panel.lines["m"]
    assert [point.x for point in points] == [10 * step for step in range(41)]
    assert [point.value for point in points] == [0] * 6 + [1] * 15 + [2] * 20
    assert {point.n for point in points} == {1}
    assert (panel.title, panel.x, panel.y) == ("m", "tokens of the trace", "words of doubt so far")
    assert spell(picture) == [["python/0001[perturbation:vanilla]", "wrong", 400, 1, 1, "no"]]
    assert picture.table is not None
    assert [column.key for column in picture.table.columns] == [
        *["model", "question", "outcome", "tokens", "first", "second", "collapsed"]
    ]
    assert (picture.name, picture.of) == ("s-python-one-trace", {"suite": "s", "language": "python"})


@pytest.mark.parametrize(
    ("reasoning", "reply", "usage", "tokens"),
    [
        ("w" * 60, "r" * 20, {"completion": 120}, 90),  # three quarters of what was written
        ("w" * 60, "r" * 20, {"completion": 120, "reasoning": 70}, 70),
        ("", "r" * 20, {"completion": 120, "reasoning": 70}, 120),  # reasoning that is not shown
        ("w" * 60, "", {"completion": 0}, Undefined(Why.UNKNOWN)),
        ("w" * 60, "r", {}, Undefined(Why.UNKNOWN)),
        ("w" * 60, None, {"completion": 120}, 120),
        (None, "r" * 20, {"completion": 120}, 120),
    ],
)
def test_tokens_are_those_of_the_text_that_is_shown(
    reasoning: str | None, reply: str | None, usage: dict[str, int], tokens: int | Undefined
) -> None:
    step = {"reasoning": reasoning, "response": reply, "usage": usage}
    row = record("s", "m", 1, {"perturbation": "vanilla"}, False)
    row |= {"trace": measure_reasoning([(reasoning or "", reply or "")]), "steps": [{"response": "first"}, step]}
    ((_, _, shown, *_),) = spell(follow_alone(row))
    assert shown == tokens


def test_each_model_has_its_own_trace_if_any() -> None:
    rows = [
        reason(1, "vanilla", "wait " * 10, right=False) | {"model": "a"},
        reason(1, "vanilla", "hmm " * 20, right=True) | {"model": "b"},
        record("s", "silent", 1, {"perturbation": "vanilla"}, False),
        reason(1, "vanilla", "hmm " * 20, right=True) | {"model": "elsewhere", "steps": []},
        reason(1, "vanilla", "hmm " * 20, right=True) | {"model": "down", "outcome": "error"},
    ]
    picture = follow_alone(*rows)
    assert picture is not None
    assert [panel.title for panel in picture.panels] == ["a", "b"]
    assert follow_alone(*rows[2:]) is None
    assert follow_alone(rows[2]) is None, "no record of the run has a trace"


def test_of_equal_traces_the_first_question_and_sample_is_followed() -> None:
    rows = [
        reason(program, "vanilla", "wait " * 10, right=False) | {"sample": sample, "outcome": outcome}
        for program, sample, outcome in ((2, 0, "wrong"), (1, 1, "wrong"), (1, 0, "invalid"))
    ]
    assert [row[:2] for row in spell(follow_alone(*rows))] == [["python/0001[perturbation:vanilla]", "invalid"]]
