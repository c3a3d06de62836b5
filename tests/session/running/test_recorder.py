"""What a recorder counts and writes of the reports of a session."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from pytest_codereason.core import Record, RecordStep
from pytest_codereason.engine.storage.run_folder import RunFolder
from pytest_codereason.engine.tallies import sum_up
from pytest_codereason.session.running.early_stop import EarlyStop
from pytest_codereason.session.running.recorder import Recorder, mark_crashed
from pytest_codereason.session.running.runtest_protocol import find_carried
from tests.session.running.reported import make_record, make_report

STEP = RecordStep(answered_at=50.0)


class Folder:
    """Keeps what is written, until the disk is full."""

    def __init__(self, room: int = 99) -> None:
        self.rows: list[Mapping[str, Any]] = []
        self._room = room

    def add(self, lines: bytes) -> None:
        if len(self.rows) == self._room:
            raise OSError(28, "No space left")
        self.rows += map(json.loads, lines.splitlines())


def make_recorder(folder: Folder | None = None) -> Recorder:
    return Recorder({"s": "p"}, cast("RunFolder | None", folder), None)


@pytest.mark.parametrize("travels", [False, True])
def test_records_are_written_once_and_counted(travels: bool) -> None:
    folder = Folder()
    recorder = make_recorder(folder)
    first = make_report("a", "correct", make_record(), make_record(sample=1), travels=travels)
    for report in (first, make_report("a", "correct", make_record(), travels=travels)):
        recorder.take(report)
    recorder.take(make_report("b", "miss", make_record("wrong", model="n", language="php"), failed=True))
    recorder.take(make_report("c", "skipped", make_record("skipped", model="o")))
    assert recorder.outcomes == {"correct": 1, "miss": 1, "skipped": 1}
    assert recorder.failures == 1
    assert recorder.asked == {("s", "python", "m"), ("s", "php", "n")}
    assert [row["sample"] for row in folder.rows] == [0, 1, 0, 0]
    assert find_carried(first) == {"outcome": "correct", "line": "the line"}, "pytest's reporters get a short text"


def test_ordinary_tests_and_reports_without_records_are_left_alone() -> None:
    recorder = make_recorder()
    plain = make_report("a", "correct")
    del plain.codereason
    recorder.take(plain)
    empty = make_report("a", "correct")
    del empty.codereason["answered"]
    recorder.take(empty)
    assert not recorder.outcomes
    assert recorder.classify(plain) is None


def test_an_item_that_is_run_again_or_expected_to_fail_is_no_failure() -> None:
    recorder = make_recorder()
    again = make_report("a", "miss", make_record("wrong"), failed=True)
    again.outcome = "rerun"
    recorder.take(again)
    assert not recorder.outcomes
    assert recorder.classify(again) is None
    expected = make_report("a", "miss", make_record("wrong"), failed=True)
    expected.wasxfail = "reason"
    recorder.take(expected)
    assert (recorder.failures, recorder.outcomes) == (0, {"miss": 1})
    assert recorder.classify(expected) is None


def test_another_suite_of_that_name_is_refused() -> None:
    with pytest.raises(pytest.UsageError, match="have read different suites s"):
        make_recorder().take(make_report("a", "correct", make_record(plan="q")))


def test_the_oldest_answer_and_text_are_known() -> None:
    recorder = make_recorder()
    recorder.take(make_report("a", "correct", make_record()))
    assert (recorder.oldest, recorder.oldest_text) == (math.inf, math.inf)
    steps = [RecordStep(answered_at=70.0), RecordStep(answered_at=60.0)]
    recorder.take(make_report("b", "correct", make_record(reused=True, steps=steps, texts_reused={"hint": 40.0})))
    recorder.take(make_report("c", "correct", make_record(reused=True, steps=[RecordStep(answered_at=65.0)])))
    recorder.take(make_report("d", "correct", make_record(reused=True, steps=[RecordStep(answered_at=None)])))
    recorder.take(make_report("e", "correct", make_record(reused=True, steps=[], texts_reused={"hint": None})))
    assert (recorder.oldest, recorder.oldest_text) == (60.0, 40.0)


def test_a_full_disk_ends_the_writing_and_not_the_counting() -> None:
    folder = Folder(room=1)
    recorder = make_recorder(folder)
    for name in ("a", "b", "c"):
        recorder.take(make_report(name, "correct", make_record()))
    assert len(folder.rows) == 1
    assert recorder.outcomes == {"correct": 3}
    assert recorder.unwritten is not None
    assert "No space left" in str(recorder.unwritten)


def test_answers_asked_once_more_decide_no_gate() -> None:
    class Gates:
        is_decided = True
        taken: list[int] = []  # noqa: RUF012

        def take(self, record: Record) -> None:
            self.taken.append(record.repeat)

    recorder, gates = make_recorder(), Gates()
    assert not recorder.is_decided
    recorder.early = cast(EarlyStop, gates)
    recorder.take(make_report("a", "correct", make_record(), make_record("wrong", repeat=1)))
    assert gates.taken == [0]
    assert recorder.is_decided


def test_each_traceback_is_shown_once_and_no_more_than_three() -> None:
    recorder = make_recorder()
    for number in range(5):
        for place in range(5 - number):
            broken = make_record("error", reason=f"reason {number}", traceback=f"where {number}")
            recorder.take(make_report(f"{number}/{place}", "error", broken))
    lines = [line for line, _ in recorder.list_tracebacks()]
    assert lines == [
        "5 unanswered: reason 0",
        "where 0",
        "4 unanswered: reason 1",
        "where 1",
        "3 unanswered: reason 2",
        "where 2",
        "2 other tracebacks: see 'traceback' in the records",
    ]
    few = make_recorder()
    few.take(make_report("a", "error", make_record("error", reason="r", traceback="t")))
    assert [line for line, _ in few.list_tracebacks()] == ["1 unanswered: r", "t"]


@pytest.mark.parametrize(
    ("outcome", "category", "letter", "word"),
    [
        ("correct", "passed", ".", "PASSED"),
        ("skipped", "skipped", "s", "SKIPPED"),
        ("miss", "missed", "m", ("MISS the line", {"yellow": True})),
        ("error", "unanswered", "E", ("ERROR the line", {"red": True})),
    ],
)
def test_an_outcome_has_a_category_a_letter_and_a_word(outcome: str, category: str, letter: str, word: Any) -> None:
    assert make_recorder().classify(make_report("a", outcome)) == (category, letter, word)


def test_a_crashed_worker_leaves_an_unanswered_question() -> None:
    report = make_report("a", "correct", make_record())
    report.when = "???"
    mark_crashed(report, [make_record("error")], "the worker died")
    carried = find_carried(report)
    assert carried is not None
    assert (report.when, carried["outcome"], carried["line"]) == ("call", "error", "the worker died")
    assert carried["answered"] == sum_up([make_record("error")])


def test_records_on_their_way_from_a_worker_are_ascii(tmp_path: Path) -> None:
    response = "\\ud800é".encode().decode("unicode_escape")
    report = make_report("a", "correct", make_record(response=response), travels=True)
    lines = pickle.loads(report.codereason["answered"]).lines
    assert lines.isascii()
    assert json.loads(lines)["response"] == response
