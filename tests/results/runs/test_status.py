"""How far the run in a folder is."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.results.runs.status import RunStatus, read_status
from tests.results.synthetic import make_row, make_run, write_run

END = datetime(2026, 11, 21, 10, 3, 12, tzinfo=UTC)
SIZES = {"selected": 4, "instances": 4, "cells": [[4, {"language": "python"}]], "resolved": {"samples": {"default": 2}}}


def read(folder: Path, rows: list[dict[str, Any]], **changes: Any) -> RunStatus:
    run = make_run(models=["m"], suites={"semtrace": {"language": ["python"]}}, **changes)
    run["suites"]["semtrace"] |= SIZES
    path = write_run(folder, run, rows)
    os.utime(path, (END.timestamp() - 30, END.timestamp() - 30))
    return read_status(folder, END + timedelta(minutes=1))


def make_answers(*samples: tuple[int, int], **changes: Any) -> list[dict[str, Any]]:
    return [make_row(id=str(n), family=str(n), sample=sample, axes={}, **changes) for n, sample in samples]


WHOLE = [(n, sample) for n in range(4) for sample in range(2)]


def test_a_whole_run(tmp_path: Path) -> None:
    status = read(tmp_path, make_answers(*WHOLE))
    (progress,) = status.progress
    assert (progress.suite, progress.model) == ("semtrace", "m")
    assert (progress.selected, progress.recorded, progress.lacking, progress.unanswered) == (4, 4, 0, 0)
    assert progress.answers.records == 8
    assert (status.state, status.lost, status.lacking) == ("complete", 0, 0)
    assert (status.written_s, status.ended_s) == (90, 60)
    assert status.gates is None


@pytest.mark.parametrize(
    ("changes", "state", "lost", "lacking"),
    [
        ({}, "complete", 1, 1),
        ({"selection": "4 of 9 questions"}, "part", 1, 1),
        ({"complete": False}, "incomplete", 0, 0),
        ({"stopped_early": {"asked": 3, "of": 4, "gates": []}}, "part", 0, 0),
        ({"finished": None, "complete": False}, "open", 0, 0),
    ],
)
def test_what_is_missing_is_lost_where_the_run_says_that_it_is_whole(
    tmp_path: Path, changes: dict[str, Any], state: str, lost: int, lacking: int
) -> None:
    status = read(tmp_path, make_answers(*WHOLE[:5]), **changes)
    assert (status.state, status.lost, status.lacking) == (state, lost, lacking)
    assert (status.progress[0].recorded, status.progress[0].lacking) == (3, 1)
    assert (status.ended_s is None) is (state == "open")


def test_reasons_of_unanswered_questions_are_counted_most_frequent_first(tmp_path: Path) -> None:
    failed: dict[str, Any] = {"outcome": "error", "metrics": {}}
    rows = [
        *make_answers((0, 0), (0, 1), (1, 0)),
        *make_answers((1, 1), reason="busy", **failed),
        *make_answers((2, 0), (2, 1), reason="dead", **failed),
        *make_answers((0, 0), reason="dead", repeat=1, **failed),
    ]
    (progress,) = read(tmp_path, rows).progress
    assert progress.unanswered == 3
    assert list(progress.reasons.items()) == [("dead", 3), ("busy", 1)]
    assert progress.recorded == 3


def test_the_verdicts_are_those_of_the_last_report(tmp_path: Path) -> None:
    gates = [{"verdict": "PASS", "sentence": "it passes"}]
    read(tmp_path, make_answers(*WHOLE))
    for content, told in ((json.dumps({"gates": gates}), (("PASS", "it passes"),)), ("{", None), ("{}", None)):
        (tmp_path / "summary.json").write_text(content)
        assert read_status(tmp_path).gates == told
    (tmp_path / "summary.json").write_text(json.dumps({"gates": gates}))
    assert read(tmp_path, make_answers(*WHOLE), finished=None).gates is None, "of an earlier session"


def test_a_run_that_has_only_begun_was_never_written(tmp_path: Path) -> None:
    status = read(tmp_path, [], finished=None, complete=False)
    assert (status.written_s, status.state) == (None, "open")
    (tmp_path / "records.jsonl").unlink()
    with pytest.raises(UsageError):
        read_status(tmp_path)


def test_clocks_that_differ_make_no_negative_age(tmp_path: Path) -> None:
    read(tmp_path, make_answers(*WHOLE))
    status = read_status(tmp_path, END - timedelta(minutes=5))
    assert (status.written_s, status.ended_s) == (0, 0)
