"""The SQLite file of a store. Processes that share it wait for each other, and every error of it names the file."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self, TypeVar

from pytest_codereason.errors import StoreError

T = TypeVar("T")

#: How long a process waits for others that write, in seconds. A slow disk may take seconds for each of them.
PATIENCE_S = 120.0


class StoreFile(sqlite3.Connection):
    """A connection to the file. Each statement is a transaction of its own, unless ``BEGIN IMMEDIATE`` opens one.

    Args:
        path: the file. It is made if it is missing.
        patience_s: for how many seconds a process that writes is waited for.

    Raises:
        StoreError: the file cannot be opened, or is no SQLite file. Every statement raises it too.
    """

    def __init__(self, path: Path, patience_s: float = PATIENCE_S) -> None:
        self.path = path
        try:
            super().__init__(path, timeout=patience_s, isolation_level=None, check_same_thread=False)
        except _FAILURES as error:
            raise _name_file(path, error) from error
        self.text_factory = _decode_text
        try:
            self._write_ahead(time.monotonic() + patience_s)
            # With NORMAL a killed process loses nothing. Only a power cut may lose the last answers.
            self.execute("PRAGMA synchronous=NORMAL")
        except StoreError:
            self.close()
            raise

    def execute(self, sql: str, values: Any = (), /) -> _Cursor:
        """Runs one statement; see :meth:`sqlite3.Connection.execute`."""
        return self.cursor(_Cursor).execute(sql, values)

    def executemany(self, sql: str, rows: Iterable[Any], /) -> _Cursor:
        """Runs one statement for each row of values."""
        return self.cursor(_Cursor).executemany(sql, rows)

    def executescript(self, script: str, /) -> _Cursor:
        """Runs several statements."""
        return self.cursor(_Cursor).executescript(script)

    def _write_ahead(self, end: float) -> None:
        """Turns write-ahead logging on.

        Of two processes that do so at once, SQLite refuses one at once, however patient it is. That one waits by a
        transaction, for which SQLite does wait.
        """
        while True:
            try:
                self.execute("PRAGMA journal_mode=WAL")
            except StoreError as error:
                cause = error.__cause__
                locked = isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not locked or time.monotonic() > end:
                    raise
            else:
                return
            self.execute("BEGIN IMMEDIATE")
            self.execute("COMMIT")


class _Cursor(sqlite3.Cursor):
    connection: StoreFile

    def execute(self, sql: str, values: Any = (), /) -> Self:
        self._attempt(super().execute, sql, values)
        return self

    def executemany(self, sql: str, rows: Iterable[Any], /) -> Self:
        self._attempt(super().executemany, sql, rows)
        return self

    def executescript(self, script: str, /) -> Self:
        self._attempt(super().executescript, script)
        return self

    def fetchone(self) -> Any:
        return self._attempt(super().fetchone)

    def fetchall(self) -> list[Any]:
        return self._attempt(super().fetchall)

    def _attempt(self, act: Callable[..., T], *values: Any) -> T:
        """What ``act`` gives. An error of it names the file, and lets go of the statement.

        Whoever keeps the error keeps the frames in which it was raised, and this cursor with them. A statement that is
        still there would keep the file open after its connection was closed.
        """
        try:
            return act(*values)
        except _FAILURES as error:
            self.close()
            raise _name_file(self.connection.path, error) from error


#: What SQLite raises of a file that is damaged, full or locked.
_FAILURES = (sqlite3.Error, UnicodeDecodeError)


def _name_file(path: Path, error: Exception) -> StoreError:
    if isinstance(error, UnicodeDecodeError):  # SQLite's own message quotes what it cannot read
        return StoreError(f"the answer store {path} fails: its schema is damaged")
    message = " ".join(str(error).split())  # it may quote a line break of a damaged page
    return StoreError(f"the answer store {path} fails: {message}")


def _decode_text(stored: bytes) -> str:
    """A text of the file. A damaged text is read too; its checksum tells that it is damaged."""
    return stored.decode("utf-8", "replace")


def explain_failure(path: Path, error: BaseException) -> str:
    """What is wrong with a file, without its name, for a message that has the name."""
    return str(error).removeprefix(f"the answer store {path} fails: ")
