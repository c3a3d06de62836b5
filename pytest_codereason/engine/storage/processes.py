"""Knows which processes share a store and still live. Leases and reservations of a dead process end."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pytest_codereason.errors import StoreError

#: How often a process says that it lives, in seconds.
HEARTBEAT_S = 5.0
#: A process in another container cannot be looked at. It counts as dead after so many silent seconds.
DEAD_AFTER_S = 30.0
#: A process that is there but silent, such as a stopped one, counts as dead after so many seconds. No answer takes so
#: long, so its answers in flight are lost by then.
GONE_AFTER_S = 1800.0

SCHEMA = """
CREATE TABLE IF NOT EXISTS processes (
    owner TEXT PRIMARY KEY, pid INTEGER NOT NULL, started TEXT NOT NULL, boot TEXT NOT NULL, namespace TEXT NOT NULL,
    beat REAL NOT NULL
);
"""


@dataclass(frozen=True)
class Process:
    """A process that may be dead by now. Its number is not enough, because a new process may have the same number."""

    pid: int
    started: str  #: when, in ticks since the start of the machine
    boot: str  #: which start of the machine
    namespace: str  #: where the number of the process is valid

    @classmethod
    def current(cls) -> Process:
        """This process."""
        return cls(os.getpid(), _read_start(os.getpid()) or "", read_boot(), _read_namespace())


class Processes:
    """The processes that share a store.

    Times are those of the clock that counts from the start of the machine. All processes share that clock, and nobody
    can set it.

    Args:
        db: the store.
        clock: gives seconds.
    """

    def __init__(self, db: sqlite3.Connection, clock: Callable[[], float] = time.monotonic) -> None:
        self._db = db
        self._clock = clock
        self._beat = float("-inf")
        self.owner = uuid.uuid4().hex  #: this process, in the tables of the store
        self._current = Process.current()

    def heartbeat(self) -> None:
        """Records that this process lives. It may be called at any time."""
        now = self._clock()
        if now - self._beat > HEARTBEAT_S:
            self._beat = now
            mine = self._current
            self._db.execute(
                "INSERT OR REPLACE INTO processes VALUES (?, ?, ?, ?, ?, ?)",
                (self.owner, mine.pid, mine.started, mine.boot, mine.namespace, now),
            )

    def lives(self, owner: str) -> bool:
        """Whether a process lives. A process that is only stopped lives."""
        row = self._db.execute(
            "SELECT pid, started, boot, namespace, beat FROM processes"
            " WHERE owner = ? AND typeof(beat) = 'real' AND typeof(pid) = 'integer'",
            (owner,),
        ).fetchone()
        if row is None:
            return False
        process, silent_s = Process(*row[:4]), self._clock() - row[4]
        if process.boot != self._current.boot:
            return False
        if process.namespace != self._current.namespace:
            return bool(silent_s < DEAD_AFTER_S)
        return silent_s < GONE_AFTER_S and _read_start(process.pid) == process.started

    def leave(self) -> None:
        """Forgets this process."""
        self._db.execute("DELETE FROM processes WHERE owner = ?", (self.owner,))


async def keep_alive(processes: Processes) -> None:
    """Says every few seconds that this process lives, until it is cancelled."""
    while True:
        with suppress(StoreError):  # whoever needs the store says so
            processes.heartbeat()
        await asyncio.sleep(HEARTBEAT_S)


def read_boot() -> str:
    """Which start of the machine this is. Empty if the system does not say."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _read_namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


def _read_start(pid: int) -> str | None:
    """When a process began, ``None`` if it has ended. A zombie has ended."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state in "ZX" else fields[18]
