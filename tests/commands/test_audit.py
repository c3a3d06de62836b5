"""``codereason audit`` prints what was paid, and its exit code says whether a reward can be cheated."""

from __future__ import annotations

import pytest

from pytest_codereason.cli import main
from pytest_codereason.harvest.training.auditing import CHEATS
from pytest_codereason.harvest.training.tasks import Tasks


def test_a_sound_reward_pays_the_honest_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "horizon", "--tries", "140", "--difficulty", "2,4"]) == 0
    heading, _, *rows = capsys.readouterr().out.splitlines()
    assert heading == "horizon: 140 replies, 0 paid and wrong"
    assert len(rows) == len(CHEATS)
    assert rows[0].split() == ["honest", "10", "10", "0"]


def test_a_reward_that_can_be_cheated_ends_with_1_and_shows_how(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tasks, "score_answer", lambda tasks, answer, entry: float(entry["answer"] in answer))
    assert main(["audit", "horizon", "--tries", "140", "--difficulty", "2"]) == 1
    assert "paid and wrong, several answers: horizon@" in capsys.readouterr().out


def test_a_suite_that_is_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "horizn"]) == 4
    assert "did you mean 'horizon'" in capsys.readouterr().err
