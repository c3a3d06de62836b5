"""The batches that are under way, as the store knows them, whichever process has sent them.

A batch is noted before it is sent, and forgotten once its answers are stored. A question that is in a batch is leased
to the batch: it is not asked otherwise while the batch lives, though every process may have died.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Literal, NamedTuple

from pytest_codereason.core.batches import SentBatch

SCHEMA = """
CREATE TABLE IF NOT EXISTS batches (
    name TEXT PRIMARY KEY, owner TEXT NOT NULL, model TEXT NOT NULL, spec TEXT NOT NULL, address TEXT NOT NULL,
    stage TEXT NOT NULL, at REAL NOT NULL, file TEXT NOT NULL, id TEXT NOT NULL, requests INTEGER NOT NULL,
    answered INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS batched (
    key TEXT PRIMARY KEY, batch TEXT NOT NULL, run TEXT NOT NULL, scope TEXT NOT NULL, memo TEXT NOT NULL,
    highest REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS batched_batch ON batched (batch);
CREATE INDEX IF NOT EXISTS batched_run ON batched (run);
"""

#: How far the sending of a batch is. While it is ``uploading`` it costs nothing. While it is ``creating``, only the
#: provider knows whether there is such a batch.
Stage = Literal["uploading", "creating", "sent"]


class KeptBatch(NamedTuple):
    """A batch."""

    name: str  #: given by us
    owner: str  #: the process that sends it
    model: str  #: the label of the model
    spec: str  #: of the model
    address: str  #: JSON of :attr:`~pytest_codereason.core.batches.Batching.address`
    stage: Stage
    at: float  #: when the stage began, in seconds since the epoch
    file: str = ""  #: its requests, at the provider
    id: str = ""  #: given by the provider
    requests: int = 0
    answered: int = 0  #: when the provider was last asked


class BatchedRequest(NamedTuple):
    """A request in a batch that has no answer yet."""

    run: str
    scope: str
    memo: str  #: what must be known to read its reply
    highest: float  #: US dollars that it may cost


class Batches:
    """The batches in a store.

    Args:
        db: the store.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, batch: KeptBatch) -> None:
        """Notes a batch that is about to be sent."""
        self._db.execute("INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", batch)

    def add_request(self, name: str, key: str, request: BatchedRequest) -> bool:
        """Puts a request into a batch, unless it is in one that lives."""
        row = (key, name, *request)
        return bool(self._db.execute("INSERT OR IGNORE INTO batched VALUES (?, ?, ?, ?, ?, ?)", row).rowcount)

    def take_out(self, name: str, key: str) -> bool:
        """Takes a request out of a batch: it is answered, or was not sent. Whether it was in there."""
        return bool(self._db.execute("DELETE FROM batched WHERE key = ? AND batch = ?", (key, name)).rowcount)

    def note(self, name: str, **changes: str | float) -> None:
        """Changes what is known of a batch."""
        columns = ", ".join(f"{column} = ?" for column in changes)
        self._db.execute(f"UPDATE batches SET {columns} WHERE name = ?", (*changes.values(), name))

    def forget(self, name: str) -> None:
        """Forgets a batch with the requests that are left in it."""
        self._db.execute("DELETE FROM batched WHERE batch = ?", (name,))
        self._db.execute("DELETE FROM batches WHERE name = ?", (name,))

    def find(self, key: str) -> str | None:
        """The batch in which a question waits."""
        row = self._db.execute("SELECT batch FROM batched WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def read(self, name: str) -> KeptBatch | None:
        """A batch, ``None`` once it is forgotten."""
        return next((batch for batch in self.list_all() if batch.name == name), None)

    def list_all(self) -> list[KeptBatch]:
        """Every batch that is under way, the oldest first."""
        rows = self._db.execute("SELECT * FROM batches ORDER BY at").fetchall()
        return [KeptBatch(*row) for row in rows]

    def recall(self, name: str, file: str) -> SentBatch:
        """A batch that was perhaps sent, with all by which it is told from others."""
        others = frozenset(batch.id for batch in self.list_all() if batch.id and batch.name != name)
        return SentBatch(name, file, others, frozenset(self.list_requests(name)))

    def list_requests(self, name: str) -> dict[str, BatchedRequest]:
        """The requests of a batch that have no answer yet, by key."""
        rows = self._db.execute("SELECT key, run, scope, memo, highest FROM batched WHERE batch = ?", (name,))
        return {key: BatchedRequest(*more) for key, *more in rows.fetchall()}

    def count(self, scopes: Iterable[str]) -> tuple[int, int]:
        """How many batches, and requests in them, wait for answers to the open runs of these scopes."""
        marks = list(scopes)
        batches, requests = self._db.execute(
            "SELECT count(DISTINCT batch), count(*) FROM batched WHERE run IN"
            f" (SELECT run FROM runs WHERE scope IN ({', '.join('?' * len(marks))}))",
            marks,
        ).fetchone()
        return int(batches), int(requests)
