"""How far a harvest is: said at once, and again."""

from __future__ import annotations

import pytest

from pytest_codereason.harvest.outcomes import FileOutcome
from pytest_codereason.harvest.progress import ProgressLine

FILE = FileOutcome(path="a.py", language="python")


def test_a_log_says_at_once_what_there_is_and_each_half_minute_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: moment[0])
    line = ProgressLine()
    line.begin(2, 0)
    assert capsys.readouterr().err == "2 repositories to look through\n"
    line.count(FILE)
    assert capsys.readouterr().err == ""
    moment[0] += 31
    line.count(FILE)
    assert capsys.readouterr().err == "0 of 2 repositories, 2 files, 0 programs before near copies are left out\n"
    line.finish("mine", "")
    line.finish("yours", "there is no code")
    assert capsys.readouterr().err.splitlines() == [
        "mine is done: 1 of 2 repositories, 2 files, 0 programs before near copies are left out",
        "yours: there is no code",
    ]
    line.end()
    assert capsys.readouterr().err == ""


def test_what_was_done_before_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    ProgressLine().begin(3, 1)
    assert capsys.readouterr().err == "1 of 3 repositories were done before\n"


def test_one_of_a_kind_is_no_plural(capsys: pytest.CaptureFixture[str]) -> None:
    line = ProgressLine()
    line.begin(1, 0)
    line.count(FILE)
    line.finish("mine", "")
    said = capsys.readouterr().err.splitlines()
    assert said[-1] == "mine is done: 1 of 1 repository, 1 file, 0 programs before near copies are left out"
