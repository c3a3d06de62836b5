"""The tables of a store, and a store of version 1 that becomes one of today."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pytest_codereason.engine.storage.store import Store, StoredText
from pytest_codereason.engine.storage.store_schema import UPGRADE, VERSION, WHOLE_SCHEMA, list_columns


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as db:
        yield db


def test_the_columns_of_every_table_are_known(db: sqlite3.Connection) -> None:
    columns = list_columns()
    assert columns["answers"] == {"key", "run", "scope", "created", "body", "checksum"}
    assert columns["texts"] == {"key", "run", "session", "created", "body", "checksum"}
    assert columns["leases"] == {"key", "owner"}
    assert columns["ledgers"] == {"session", "owner", "spent", "reserved"}
    assert {"asked", "damaged", "runs", "sent", "processes", "stops"} <= columns.keys()
    assert list_columns() is columns


def test_tables_are_made_once(db: sqlite3.Connection) -> None:
    for _ in range(2):
        db.executescript(WHOLE_SCHEMA)
    for table, columns in list_columns().items():
        assert {row[1] for row in db.execute(f"PRAGMA table_info({table})")} == columns
    db.execute("INSERT INTO leases VALUES ('k', 'a')")
    with pytest.raises(sqlite3.IntegrityError):
        db.execute("INSERT INTO leases VALUES ('k', 'b')")


def test_texts_of_version_1_are_kept_under_the_run_that_wrote_them(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE texts (key TEXT PRIMARY KEY, created REAL, body TEXT, checksum TEXT)")
    db.execute("INSERT INTO texts VALUES ('k', 7.0, 'word', 'sum')")
    db.commit()
    db.executescript(UPGRADE)
    assert db.execute("SELECT key, run, session, created, body, checksum FROM texts").fetchall() == [
        ("k", "of version 1", "of version 1", 7.0, "word", "sum")
    ]
    assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
    db.executescript(WHOLE_SCHEMA)
    db.execute("INSERT INTO texts VALUES ('k', 'another run', 's', 8.0, 'word', 'sum')")
    with pytest.raises(sqlite3.IntegrityError):
        db.execute("INSERT INTO texts VALUES ('k', 'another run', 's', 9.0, 'word', 'sum')")


def test_a_store_of_today_has_these_tables_and_this_version(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        store.keep_text("k", StoredText(["word", "m", ""], 7.0, "r", "s"))
    (file,) = tmp_path.glob("*.sqlite")
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert tables == list_columns().keys()
