"""Words of doubt along one answer, followed by hand."""

from __future__ import annotations

from typing import Any

from pytest_codereason.questions.replies.reasoning import measure_reasoning
from pytest_codereason.results.figures.reasoning import Reasoning
from tests.results.figures.rows import Shown, record, run, show

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
