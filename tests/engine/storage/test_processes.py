"""Leases belong to processes: they end with their process, and not because it is slow, stopped or its clock was set."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_codereason.engine.storage.processes import DEAD_AFTER_S, GONE_AFTER_S, Processes, keep_alive
from pytest_codereason.engine.storage.store import Store

HOLDER = (
    "import sys, pathlib, time; from pytest_codereason.engine.storage.store import Store;"
    "store = Store(pathlib.Path(sys.argv[1])); assert store.lease('k'); print('leased', flush=True); time.sleep(600)"
)


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the lease of ``k``."""
    with subprocess.Popen([sys.executable, "-c", HOLDER, tmp_path], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"leased\n"
        yield process
        process.kill()


def later(folder: Path, seconds: float) -> Store:
    """The store as a session sees it some seconds from now."""
    return Store(folder, clock=lambda: time.monotonic() + seconds)


def test_a_stopped_session_keeps_its_leases(tmp_path: Path, holder: subprocess.Popen[bytes]) -> None:
    os.kill(holder.pid, signal.SIGSTOP)
    assert not later(tmp_path, 36).lease("k")
    assert not later(tmp_path, 600).lease("k")
    holder.kill()
    holder.wait()
    assert later(tmp_path, 0).lease("k")


def test_a_session_that_stays_silent_does_not_block_the_others_for_ever(
    tmp_path: Path, holder: subprocess.Popen[bytes]
) -> None:
    assert later(tmp_path, GONE_AFTER_S + 60).lease("k")


@pytest.mark.slow
@pytest.mark.parametrize("jump_s", [-86_400.0, 36.0, 86_400.0])
def test_a_clock_that_is_set_moves_no_lease(
    tmp_path: Path, holder: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + jump_s)
    assert not Store(tmp_path).lease("k")


def test_another_process_with_the_number_of_a_dead_one_holds_nothing(tmp_path: Path) -> None:
    dead, store = Store(tmp_path), Store(tmp_path)
    assert dead.lease("k")
    dead._db.execute("UPDATE processes SET started = '1' WHERE owner = ?", (dead.owner,))
    assert store.lease("k")


def test_a_lease_ends_with_the_start_of_the_machine(tmp_path: Path) -> None:
    before, store = Store(tmp_path), Store(tmp_path)
    assert before.lease("k")
    before._db.execute("UPDATE processes SET boot = 'an earlier one' WHERE owner = ?", (before.owner,))
    assert store.lease("k")


def test_a_process_of_another_container_lives_while_it_says_so(tmp_path: Path) -> None:
    other = Store(tmp_path)
    assert other.lease("k")
    other._db.execute("UPDATE processes SET namespace = 'pid:[1]', pid = 4194304 WHERE owner = ?", (other.owner,))
    assert not later(tmp_path, DEAD_AFTER_S - 5).lease("k")
    assert later(tmp_path, DEAD_AFTER_S + 5).lease("k")


def test_how_long_a_silent_process_counts_as_alive(tmp_path: Path) -> None:
    """A beat is written five seconds after the last at the earliest. The other process is of another container."""
    store, now = Store(tmp_path), [0.0]
    mine, other = (Processes(store._db, lambda: now[0]) for _ in range(2))
    beats = "SELECT beat FROM processes WHERE owner = ?"
    for second, beat in ((0.0, 0.0), (5.0, 0.0), (5.5, 5.5)):
        now[0] = second
        mine.heartbeat()
        assert store._db.execute(beats, (mine.owner,)).fetchone() == (beat,)
    now[0] = 0.0
    other.heartbeat()
    store._db.execute("UPDATE processes SET namespace = 'pid:[1]' WHERE owner = ?", (other.owner,))
    for second, lives in ((DEAD_AFTER_S - 1, True), (DEAD_AFTER_S, False)):
        now[0] = second
        assert mine.lives(other.owner) is lives
    for silent, lives in ((GONE_AFTER_S - 1, True), (GONE_AFTER_S, False)):
        now[0] = 5.5 + silent
        assert other.lives(mine.owner) is lives
    assert mine.lives("nobody") is False
    mine.leave()
    assert store._db.execute(beats, (mine.owner,)).fetchone() is None


def test_a_process_says_that_it_lives_as_long_as_it_is_awaited(tmp_path: Path) -> None:
    processes = Processes(Store(tmp_path)._db)

    async def live() -> None:
        alive = asyncio.ensure_future(keep_alive(processes))
        await asyncio.sleep(0)
        assert processes.lives(processes.owner)
        alive.cancel()

    assert not processes.lives(processes.owner)
    asyncio.run(live())


def test_a_store_of_an_older_version_is_still_read(tmp_path: Path) -> None:
    old = Store(tmp_path)
    old._db.execute("DROP TABLE processes")
    old._db.execute("CREATE TABLE owners (owner TEXT PRIMARY KEY, pid INTEGER NOT NULL, beat REAL NOT NULL)")
    old._db.execute("INSERT INTO leases VALUES ('k', 'nobody')")
    assert Store(tmp_path).lease("k")
