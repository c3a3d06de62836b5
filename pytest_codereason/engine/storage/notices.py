"""Passes notices between the processes of one machine: an endpoint asks for a pause, a session ends."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable

from pytest_codereason.engine.storage.processes import read_boot

SCHEMA = """
CREATE TABLE IF NOT EXISTS pauses (model TEXT PRIMARY KEY, boot TEXT NOT NULL, until REAL NOT NULL);
CREATE TABLE IF NOT EXISTS stops (session TEXT PRIMARY KEY, reason TEXT NOT NULL);
"""


class Notices:
    """The notices in a store.

    Args:
        db: the store.
        clock: gives seconds since the start of the machine.
    """

    def __init__(self, db: sqlite3.Connection, clock: Callable[[], float] = time.monotonic) -> None:
        self._db = db
        self._clock = clock
        self._boot = read_boot()

    def pause(self, model: str, seconds: float) -> None:
        """Asks every process to send no request to a model for so many seconds. A longer pause stays as it is."""
        self._db.execute(
            "INSERT INTO pauses VALUES (?, ?, ?) ON CONFLICT (model) DO UPDATE SET boot = excluded.boot,"
            " until = CASE WHEN boot = excluded.boot THEN max(until, excluded.until) ELSE excluded.until END",
            (model, self._boot, self._clock() + seconds),
        )

    def find_pause(self, model: str) -> float:
        """For how many more seconds no request is to be sent to a model, 0 if requests may be sent."""
        row = self._db.execute(
            "SELECT until FROM pauses WHERE model = ? AND boot = ? AND typeof(until) = 'real'", (model, self._boot)
        ).fetchone()
        return 0.0 if row is None else max(0.0, row[0] - self._clock())

    def stop(self, session: str, reason: str) -> None:
        """Asks every process of a session to send no further request."""
        self._db.execute("INSERT OR IGNORE INTO stops VALUES (?, ?)", (session, reason))

    def find_stop(self, session: str) -> str:
        """Why a session sends no further request, empty if requests may be sent."""
        row = self._db.execute("SELECT reason FROM stops WHERE session = ?", (session,)).fetchone()
        return "" if row is None else str(row[0])


class ModelPause:
    """The pause of one model, the same in all processes.

    Args:
        notices: the notices that hold the pause.
        find_model: gives the model's identity. It is called at the first request.
    """

    def __init__(self, notices: Notices, find_model: Callable[[], str]) -> None:
        self._notices = notices
        self._find_model = find_model

    def left(self) -> float:
        """For how many more seconds no request is to be sent."""
        return self._notices.find_pause(self._find_model())

    def extend(self, seconds: float) -> None:
        """Sends no request for so many seconds from now."""
        self._notices.pause(self._find_model(), seconds)
