"""Notices between processes: pauses by a clock that they share, and the end of a session."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pytest_codereason.engine.storage.notices import ModelPause, Notices
from pytest_codereason.engine.storage.store import Store


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def both(tmp_path: Path, clock: Clock) -> Iterator[tuple[Notices, Notices]]:
    """The notices of two processes."""
    with closing(Store(tmp_path, clock=clock)) as one, closing(Store(tmp_path, clock=clock)) as other:
        yield one.notices, other.notices


def test_a_pause_holds_for_all_and_a_longer_one_stays(both: tuple[Notices, Notices], clock: Clock) -> None:
    one, other = both
    assert one.find_pause("m") == 0
    one.pause("m", 20.0)
    other.pause("m", 5.0)
    assert one.find_pause("m") == other.find_pause("m") == 20
    assert other.find_pause("another") == 0
    clock.now += 15
    assert other.find_pause("m") == 5
    other.pause("m", 30.0)
    assert one.find_pause("m") == 30
    clock.now += 31
    assert one.find_pause("m") == 0


def test_a_pause_ends_with_the_machine(both: tuple[Notices, Notices], tmp_path: Path) -> None:
    """The clock begins anew, and an old pause might seem to last for days."""
    one, _ = both
    one.pause("m", 1e6)
    with closing(sqlite3.connect(tmp_path / "answers.sqlite", isolation_level=None)) as db:
        db.execute("UPDATE pauses SET boot = 'earlier'")
        assert one.find_pause("m") == 0
        one.pause("m", 3.0)
        assert one.find_pause("m") == 3
        db.execute("UPDATE pauses SET until = 'damaged'")
        assert one.find_pause("m") == 0


def test_a_session_ends_once_for_all(both: tuple[Notices, Notices]) -> None:
    one, other = both
    assert other.find_stop("s") == ""
    one.stop("s", "the key is bad")
    other.stop("s", "the run is ending")
    assert one.find_stop("s") == other.find_stop("s") == "the key is bad"
    assert other.find_stop("another") == ""


def test_a_pause_of_a_model_goes_by_what_identifies_it(both: tuple[Notices, Notices]) -> None:
    named: list[str] = []

    def find_model() -> str:
        named.append("m")
        return "m"

    first, second = (ModelPause(each, find_model) for each in both)
    assert not named, "a model is identified at its first request"
    first.extend(4.0)
    assert second.left() == 4.0
    assert ModelPause(both[0], lambda: "another").left() == 0
