"""The answer store: keeps every answer that was paid for, in one SQLite file on each host.

Sessions and processes share it. Before a question is sent its key is *leased*, so that two
sessions that want the same answer pay for it once; a lease dies with its owner.

An answer of a *pinned* model (weights known by digest) is good for ever. An endpoint's alias may
point at other weights tomorrow, so its answers serve the run they were asked in, which stays open
until it has ended without an error, and later runs only as far back as ``reuse_s``.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pytest_codereason.core import Completion, Usage, shallow
from pytest_codereason.errors import StoreError

#: The ``run`` of answers that belong to no run: those of pinned models.
FOR_EVER = ""
#: An owner that has not been heard of for so long is taken for dead.
HEARTBEAT_S, DEAD_AFTER_S = 5.0, 30.0
#: How often to look for what another session is already paying for.
POLL_S = 0.2
#: A run that was left unfinished longer ago than this is not taken up again.
RESUME_WITHIN_S = 7 * 86_400.0

#: Dollars that adding and subtracting fractions may leave behind.
ROUNDING = 1e-9

VERSION = 1  #: of the tables below
SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT NOT NULL, run TEXT NOT NULL, scope TEXT NOT NULL, created REAL NOT NULL,
    body TEXT NOT NULL, checksum TEXT NOT NULL, PRIMARY KEY (key, run)
);
CREATE INDEX IF NOT EXISTS answers_scope ON answers (scope, run);
CREATE TABLE IF NOT EXISTS damaged (key TEXT, run TEXT, found REAL, body TEXT);
CREATE TABLE IF NOT EXISTS leases (key TEXT PRIMARY KEY, owner TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS owners (owner TEXT PRIMARY KEY, pid INTEGER NOT NULL, beat REAL NOT NULL);
CREATE TABLE IF NOT EXISTS texts (
    key TEXT PRIMARY KEY, created REAL NOT NULL, body TEXT NOT NULL, checksum TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS runs (scope TEXT PRIMARY KEY, run TEXT NOT NULL, opened REAL NOT NULL);
CREATE TABLE IF NOT EXISTS ledgers (
    session TEXT NOT NULL, owner TEXT NOT NULL, spent REAL NOT NULL, reserved REAL NOT NULL,
    PRIMARY KEY (session, owner)
);
"""


class StoredAnswer(NamedTuple):
    """A stored answer and when it was given (seconds since the epoch)."""

    completion: Completion
    created: float


class Store:
    """One process's view of the store. Use it from one thread.

    Args:
        folder: where ``answers.sqlite`` lies; made if need be. Never on a network drive.
        reuse_s: how old an answer of an unpinned model from an earlier run may be, in seconds.

    Raises:
        StoreError: the folder cannot be written, or the file is not a store.
    """

    def __init__(self, folder: Path, *, reuse_s: float = 0.0) -> None:
        self.path = folder / "answers.sqlite"
        self.owner = uuid.uuid4().hex
        self._reuse_s = reuse_s
        self._beat = 0.0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            # A killed process loses nothing at NORMAL; only a power cut may cost the last answers.
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._version()
            self._db.executescript(SCHEMA)
            self.heartbeat()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"the answer store {self.path} cannot be used: {error}; name another folder with --eval-store"
            ) from error

    def _version(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and version != VERSION:
            raise StoreError(
                f"{self.path} is a store of version {version}, not {VERSION}; name another with --eval-store"
            )
        self._db.execute(f"PRAGMA user_version = {VERSION}")

    def heartbeat(self) -> None:
        """Notes in the store that this process is alive. May be called at any time."""
        now = time.time()
        if now - self._beat > HEARTBEAT_S:
            self._beat = now
            self._db.execute("INSERT OR REPLACE INTO owners VALUES (?, ?, ?)", (self.owner, os.getpid(), now))

    def get(self, key: str, run: str) -> StoredAnswer | None:
        """The answer with this key: of this run, or of an earlier one that may be reused."""
        oldest = time.time() - self._reuse_s
        row = self._db.execute(
            "SELECT run, created, body, checksum FROM answers"
            " WHERE key = ? AND (run = ? OR (run != ? AND created >= ?)) ORDER BY run = ? DESC, created DESC LIMIT 1",
            (key, run, FOR_EVER, oldest, run),
        ).fetchone()
        if row is None:
            return None
        if _checksum(row[2]) != row[3]:
            self._set_aside(key, row[0], row[2])
            return self.get(key, run)
        return StoredAnswer(_completion(json.loads(row[2])), row[1])

    def put(self, key: str, run: str, scope: str, completion: Completion) -> None:
        """As :meth:`put_all`, for one answer."""
        self.put_all([(key, run, scope, completion)])

    def put_all(self, answers: Sequence[tuple[str, str, str, Completion]]) -> None:
        """Keeps answers (key, run, scope, completion) and gives their leases back, in one transaction.

        Raises:
            StoreError: they could not be written (the disk is full, say).
        """
        now = time.time()
        bodies = [_body(completion) for *_, completion in answers]
        kept = [
            (key, run, scope, now, body, _checksum(body))
            for (key, run, scope, _), body in zip(answers, bodies, strict=True)
        ]
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", kept)
            self._db.executemany("DELETE FROM leases WHERE key = ?", [(key,) for key, *_ in answers])
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise StoreError(f"an answer could not be kept in {self.path}: {error}") from error

    def lease_all(self, keys: Sequence[str]) -> list[bool]:
        """As :meth:`lease` for each of ``keys``, in one transaction."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            taken = [self.lease(key) for key in keys]
            self._db.execute("COMMIT")
        except (StoreError, sqlite3.Error) as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise StoreError(f"the answer store {self.path} cannot be written: {error}") from error
        return taken

    def lease(self, key: str) -> bool:
        """Whether this process may ask. It may not while another live process asks the same."""
        self.heartbeat()
        try:
            taken = self._db.execute("INSERT OR IGNORE INTO leases VALUES (?, ?)", (key, self.owner)).rowcount
            if taken:
                return True
            row = self._db.execute(
                "SELECT leases.owner, pid, beat FROM leases LEFT JOIN owners USING (owner) WHERE key = ?", (key,)
            ).fetchone()
            if row is None:
                return self.lease(key)
            owner, pid, beat = row
            if owner == self.owner:
                return False
            if pid is not None and _alive(pid) and time.time() - beat < DEAD_AFTER_S:
                return False
            stolen = self._db.execute(
                "UPDATE leases SET owner = ? WHERE key = ? AND owner = ?", (self.owner, key, owner)
            ).rowcount
            return bool(stolen)
        except sqlite3.Error as error:
            raise StoreError(f"the answer store {self.path} cannot be written: {error}") from error

    def text(self, key: str) -> list[str] | None:
        """What a writer of hints wrote, as it was kept; good for ever."""
        row = self._db.execute("SELECT body, checksum FROM texts WHERE key = ?", (key,)).fetchone()
        if row is None or _checksum(row[0]) != row[1]:
            return None
        words: list[str] = json.loads(row[0])
        return words

    def keep_text(self, key: str, text: Sequence[str]) -> None:
        """Keeps what was written and gives its lease back, in one transaction."""
        body = json.dumps(text, ensure_ascii=True)
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute(
                "INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?)", (key, time.time(), body, _checksum(body))
            )
            self._db.execute("DELETE FROM leases WHERE key = ?", (key,))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise StoreError(f"a hint could not be kept in {self.path}: {error}") from error

    def release(self, key: str) -> None:
        """Gives a lease back without an answer."""
        self._db.execute("DELETE FROM leases WHERE key = ? AND owner = ?", (key, self.owner))

    def open_run(self, scope: str) -> str:
        """The run of this scope (plan and model) that is still open, or a new one."""
        fresh = uuid.uuid4().hex
        self._db.execute("DELETE FROM runs WHERE opened < ?", (time.time() - RESUME_WITHIN_S,))
        self._db.execute("INSERT OR IGNORE INTO runs VALUES (?, ?, ?)", (scope, fresh, time.time()))
        run: str = self._db.execute("SELECT run FROM runs WHERE scope = ?", (scope,)).fetchone()[0]
        return run

    def close_run(self, scope: str) -> None:
        """Ends a run that has all its answers: the next one of its scope asks anew."""
        self._db.execute("DELETE FROM runs WHERE scope = ?", (scope,))

    def count(self, scope: str, run: str) -> int:
        """How many answers the store holds that may serve a run."""
        oldest = time.time() - self._reuse_s
        count: int = self._db.execute(
            "SELECT count(DISTINCT key) FROM answers WHERE scope = ? AND (run = ? OR (run != ? AND created >= ?))",
            (scope, run, FOR_EVER, oldest),
        ).fetchone()[0]
        return count

    def reserve(self, session: str, amount: float, limit: float) -> bool:
        """Sets ``amount`` dollars aside if what all processes have spent and reserved stays within ``limit``."""
        self._db.execute("INSERT OR IGNORE INTO ledgers VALUES (?, ?, 0, 0)", (session, self.owner))
        changed = self._db.execute(
            "UPDATE ledgers SET reserved = reserved + ? WHERE session = ? AND owner = ?"
            " AND (SELECT sum(spent + reserved) FROM ledgers WHERE session = ?) + ? <= ?",
            (amount, session, self.owner, session, amount, limit),
        ).rowcount
        return bool(changed)

    def reserved(self, session: str) -> float:
        """What is set aside for requests in flight, in dollars; a dead process has none."""
        rows = self._db.execute(
            "SELECT pid, reserved FROM ledgers JOIN owners USING (owner) WHERE session = ?", (session,)
        ).fetchall()
        total = sum(reserved for pid, reserved in rows if _alive(pid))
        return total if total > ROUNDING else 0.0

    def settle(self, session: str, reserved: float, spent: float) -> None:
        """Turns a reservation of this process into what was really spent."""
        self._db.execute(
            "UPDATE ledgers SET reserved = max(0, reserved - ?), spent = spent + ? WHERE session = ? AND owner = ?",
            (reserved, spent, session, self.owner),
        )

    def close(self) -> None:
        """Gives up this process's leases and closes the file."""
        with suppress(sqlite3.Error):  # on a full disk: they die with this process anyway
            self._db.execute("DELETE FROM leases WHERE owner = ?", (self.owner,))
            self._db.execute("DELETE FROM owners WHERE owner = ?", (self.owner,))
        self._db.close()

    def _set_aside(self, key: str, run: str, body: str) -> None:
        self._db.execute("INSERT INTO damaged VALUES (?, ?, ?, ?)", (key, run, time.time(), body))
        self._db.execute("DELETE FROM answers WHERE key = ? AND run = ?", (key, run))


def _body(completion: Completion) -> str:
    whole = {**shallow(completion), "usage": shallow(completion.usage)}
    return json.dumps(whole, ensure_ascii=True, separators=(",", ":"))


def _checksum(body: str) -> str:
    return hashlib.blake2b(body.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _completion(body: Mapping[str, Any]) -> Completion:
    return Completion(**{**body, "usage": Usage(**body["usage"])})


def _alive(pid: int) -> bool:
    """Whether a process runs. A zombie does not run."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's process, or a system without /proc
        return True
