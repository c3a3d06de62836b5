"""How far a long command is: said at once, and again."""

from __future__ import annotations

import sys

import pytest

from pytest_codereason.commands._progress import ProgressCount, SaidLate


def test_a_log_has_a_line_at_once_one_each_tenth_and_one_each_half_minute(capsys: pytest.CaptureFixture[str]) -> None:
    moment = [0.0]
    count = ProgressCount(40, "text", now=lambda: moment[0])
    assert capsys.readouterr().err == "0 of 40 texts\n"
    for done in range(1, 9):
        count(done)
    assert capsys.readouterr().err.splitlines() == ["4 of 40 texts", "8 of 40 texts"]
    moment[0] = 29.0
    count(9)
    assert capsys.readouterr().err == ""
    moment[0] = 30.0
    count(9)
    assert capsys.readouterr().err == "9 of 40 texts\n"
    count(40)
    assert capsys.readouterr().err == "40 of 40 texts\n"


def test_on_a_terminal_the_line_changes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    moment = [0.0]
    count = ProgressCount(2_000, "text", now=lambda: moment[0])
    count(1)
    moment[0] = 0.5
    count(2)
    count(2_000)
    shown = capsys.readouterr().err
    assert "0 of 2,000 texts" in shown
    assert "\r" in shown
    assert "1 of 2,000" not in shown.replace("2,000 of 2,000", "")
    assert shown.count("\n") == 1


def test_what_is_done_at_once_is_not_talked_about(capsys: pytest.CaptureFixture[str]) -> None:
    moment = [0.0]
    said = SaidLate("looking", now=lambda: moment[0])
    said.wait()
    assert capsys.readouterr().err == ""
    moment[0] = 3.0
    said.wait()
    said.wait()
    assert capsys.readouterr().err == "looking\n"
