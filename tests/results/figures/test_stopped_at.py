"""Where wrong answers stopped, as a table and in words."""

from __future__ import annotations

from typing import Any

from pytest_codereason.reports.words.worded import word_picture
from pytest_codereason.results.figures.stopped_at import StoppedAtFigure
from pytest_codereason.results.pictures import Picture
from tests.results.synthetic import build_data, make_row
from tests.results.synthetic_curves import make_curve_run

#: The state, the steps, the outcome, and the step after which the answer was a state of the run.
ANSWERS: list[tuple[str, int, str, int | None]] = [
    ("int", 8, "correct", 8),
    ("int", 8, "wrong", 0),
    ("int", 8, "wrong", 4),
    ("int", 16, "wrong", None),
    ("int", 16, "invalid", None),
    ("int", 0, "wrong", None),
    ("list", 8, "wrong", 0),
    ("list", 4, "wrong", 0),
]


def draw(answers: list[tuple[str, int, str, int | None]], **changes: Any) -> list[Picture]:
    rows = []
    for number, (state, steps, outcome, stopped) in enumerate(answers):
        name, axes = f"{number:04d}[state:{state},steps:{steps}]", {"state": state, "steps": steps}
        metrics = {"exact": float(outcome == "correct")} | ({} if stopped is None else {"stopped_at": float(stopped)})
        named = {"id": f"python/{name}", "family": name, "suite": "horizon", "axes": axes, "outcome": outcome}
        rows.append(make_row(**named, metrics=metrics))
    return list(StoppedAtFigure().pictures(build_data(make_curve_run(**changes), rows)))


def test_wrong_answers_are_counted_by_where_they_stopped() -> None:
    (picture,) = draw(ANSWERS)
    worded = word_picture(picture)
    assert worded.header == (
        "model", "state", "wrong answers", "stopped at the start", "on the way", "in no state of the run",
    )  # fmt: skip
    assert [row[1:] for row in worded.rows] == [
        ("all", "5", "3", "1", "1"),
        ("int", "3", "1", "1", "1"),
        ("list", "2", "2", "0", "0"),
    ]
    assert worded.sentence == (
        "Of 5 wrong answers of m, 3 stopped at the start, 1 on the way, 1 in no state of the run."
    )


def test_a_chart_shows_how_far_wrong_answers_came() -> None:
    """Half of the steps count as the first half; a cell without a wrong answer has no chart."""
    answers = [*ANSWERS[:4], ("int", 8, "wrong", 5), ("int", 8, "wrong", 7), ("list", 8, "correct", 8)]
    (picture,) = draw(answers)
    (panel,) = picture.panels
    assert panel.title == "int"
    assert panel.labels == ("start", "first half", "second half", "no state")
    assert [(point.value, point.n) for point in panel.lines["m"]] == [(0.2, 5), (0.2, 5), (0.4, 5), (0.2, 5)]
    assert all(point.low < point.value < point.high for point in panel.lines["m"])  # type: ignore[operator]


def test_a_model_without_a_wrong_answer_is_named() -> None:
    (picture,) = draw([("int", 8, "correct", 8)])
    assert word_picture(picture).sentence == "No answer of m is wrong."


def test_a_suite_that_does_not_know_the_states_has_no_such_table() -> None:
    assert draw([("int", 8, "wrong", None)]) == []
    assert draw(ANSWERS, curve="") == []
