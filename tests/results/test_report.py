"""Notes on parts that failed to report, and whether a report passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.errors import PartError, UsageError
from pytest_codereason.results.measures.summary import summarise
from pytest_codereason.results.report import Note, Report
from pytest_codereason.results.verdicts.verdict import Decision, GateVerdict
from tests.results.synthetic import build_data, make_row, make_run


def catch(error: Exception) -> Exception:
    try:
        raise error
    except Exception as raised:
        return raised


def test_a_note_has_a_traceback_where_the_author_needs_one() -> None:
    broken = Note.of("figure mine:Spread", catch(ZeroDivisionError("by zero")))
    assert broken.part == "figure mine:Spread"
    assert broken.error.startswith("ZeroDivisionError: by zero (test_report.py, line ")
    assert "Traceback" in broken.traceback
    for error in (OSError(28, "No space left"), UsageError("no such column")):
        note = Note.of("reporter html", catch(error))
        assert note.error
        assert note.traceback == ""
    part = PartError("the figure mine:Spread", catch(ValueError("mine")))
    note = Note.of("figure mine:Spread", part)
    assert (note.error, note.traceback) == (str(part), part.trace)


@pytest.mark.parametrize(
    ("gates", "notes", "passed"),
    [([], 0, True), ([], 1, False), ([True], 0, True), ([True], 1, True), ([True, False], 0, False)],
)
def test_gates_decide_and_else_whether_everything_was_reported(gates: list[bool], notes: int, passed: bool) -> None:
    data = build_data(make_run(models=["m"]), [make_row()])
    verdicts = [
        GateVerdict(gate="g", model="m", verdict=Decision.PASS, passed=each, claim="suite", sentence="")
        for each in gates
    ]
    report = Report(
        folder=Path(),
        data=data,
        summary=summarise(data),
        pictures=[],
        gates=verdicts,
        notes=[Note(part="p", error="e", traceback="")] * notes,
    )
    assert report.passed is passed
