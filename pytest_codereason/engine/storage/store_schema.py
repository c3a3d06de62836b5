"""The tables of a store, and how a store of before becomes one of today."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Set
from contextlib import closing
from functools import cache

from pytest_codereason.engine.storage import batches, notices, processes

VERSION = 2  #: of the tables below
SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT NOT NULL, run TEXT NOT NULL, scope TEXT NOT NULL, created REAL NOT NULL,
    body TEXT NOT NULL, checksum TEXT NOT NULL, PRIMARY KEY (key, run)
);
CREATE INDEX IF NOT EXISTS answers_scope ON answers (scope, run);
CREATE TABLE IF NOT EXISTS asked (
    key TEXT NOT NULL, session TEXT NOT NULL, run TEXT NOT NULL, created REAL NOT NULL, PRIMARY KEY (key, session)
);
CREATE TABLE IF NOT EXISTS damaged (key TEXT, run TEXT, found REAL, body TEXT);
CREATE TABLE IF NOT EXISTS leases (key TEXT PRIMARY KEY, owner TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS texts (
    key TEXT NOT NULL, run TEXT NOT NULL, session TEXT NOT NULL, created REAL NOT NULL,
    body TEXT NOT NULL, checksum TEXT NOT NULL, PRIMARY KEY (key, run)
);
CREATE TABLE IF NOT EXISTS runs (scope TEXT PRIMARY KEY, run TEXT NOT NULL, opened REAL NOT NULL);
CREATE TABLE IF NOT EXISTS sent (session TEXT NOT NULL, owner TEXT NOT NULL, requests INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS ledgers (
    session TEXT NOT NULL, owner TEXT NOT NULL, spent REAL NOT NULL, reserved REAL NOT NULL,
    PRIMARY KEY (session, owner)
);
"""
WHOLE_SCHEMA = SCHEMA + processes.SCHEMA + notices.SCHEMA + batches.SCHEMA
#: Makes version 2 of version 1, whose texts belonged to no run.
UPGRADE = """
BEGIN IMMEDIATE;
ALTER TABLE texts ADD COLUMN run TEXT NOT NULL DEFAULT 'of version 1';
ALTER TABLE texts RENAME TO old_texts;
CREATE TABLE texts (
    key TEXT NOT NULL, run TEXT NOT NULL, session TEXT NOT NULL, created REAL NOT NULL,
    body TEXT NOT NULL, checksum TEXT NOT NULL, PRIMARY KEY (key, run)
);
INSERT INTO texts SELECT key, run, run, created, body, checksum FROM old_texts;
DROP TABLE old_texts;
PRAGMA user_version = 2;
COMMIT;
"""


@cache
def list_columns() -> Mapping[str, Set[str]]:
    """The columns of each table of a store."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(WHOLE_SCHEMA)
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: {row[1] for row in db.execute(f"PRAGMA table_info({table})")} for table in tables}
