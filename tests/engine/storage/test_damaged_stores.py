"""Stores with anything in them: each call gives what was stored, or nothing, or an error that names the file."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_codereason.core import Completion
from pytest_codereason.engine.storage.store import FOR_EVER, Store, StoredText
from pytest_codereason.errors import StoreError
from tests.examples import take_every

VALUES: list[Any] = [
    *(None, 0, -1, 7, 2**63 - 1, 1.5, float("inf"), -1e308, "", "x", "a\0b", "\x1b[2J", b"", b"\xff\xfe", "[" * 5_000),
    *("[]", "{}", "null", "[1]", '{"text": 7}', '{"text": "x", "usage": 3}', "1" * 5_000),
]
KEYS = [f"key {number}" for number in range(40)]


def make_answer(key: str) -> Completion:
    return Completion(text=f"[ANSWER]{key}[/ANSWER]")


@cache
def make_store() -> Path:
    """The folder of a store with a row in each table. Nobody may change it."""
    folder = Path(mkdtemp(prefix="codereason-store-"))
    with closing(Store(folder)) as store:
        run = store.open_run("scope")
        store.put_all([(key, FOR_EVER, "scope", make_answer(key)) for key in KEYS])
        store.put_all([(key, run, "scope", make_answer(key)) for key in KEYS], session="session")
        store.keep_text("text", StoredText(["hint", "writer", ""], time.time(), run, "session"))
        store.reserve("session", 1.0, 9.0)
        store.note_sent("session", 3)
        store.notices.pause("model", 60.0)
        store.notices.stop("session", "enough")
    killed = Store(folder)
    assert killed.lease("leased")
    killed._db.close()  # it leaves its lease and its name behind
    with closing(sqlite3.connect(folder / "answers.sqlite")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder


def use(folder: Path) -> list[str]:
    """Calls whatever a session calls; gives what was refused."""
    refused = []
    try:
        store = Store(folder, reuse_s=60.0)
    except StoreError as error:
        return [str(error)]

    def check_answers() -> None:
        for key in KEYS:
            stored = store.get(key, "another run")
            assert stored is None or stored.completion == make_answer(key)

    def check_text() -> None:
        text = store.text("text", "another run", "session", reuse_s=60.0)
        assert text is None or text.words == ["hint", "writer", ""]

    def answer_again() -> None:
        run = store.open_run("scope")
        assert isinstance(run, str)
        store.put("new", run, "scope", make_answer("new"), session="session")
        stored = store.get("new", run)
        # A damaged index of the file may not lead to the row: then it is asked again.
        assert stored is None or stored.completion == make_answer("new")

    calls: list[Callable[[], object]] = [
        check_answers,
        check_text,
        answer_again,
        lambda: store.share(KEYS[0], "third run", "third scope", "session"),
        lambda: store.lease("leased"),
        lambda: store.lease_all(KEYS[:3]),
        lambda: store.release("leased"),
        lambda: store.count("scope", "run") >= 0,
        lambda: store.reserve("session", 1.0, 9.0),
        lambda: store.settle("session", 1.0, 0.5),
        lambda: store.spent("session") >= 0,
        lambda: store.count_sent("session"),
        lambda: store.notices.find_pause("model") + 1.0,
        lambda: store.notices.find_stop("session") + "",
        lambda: store.notices.pause("model", 1.0),
        store.processes.heartbeat,
        lambda: store.close_run("scope"),
    ]
    for call in calls:
        try:
            call()
        except StoreError as error:
            refused.append(str(error))
    store.close()
    return refused


def copy_store(folder: str) -> Path:
    return Path(shutil.copytree(make_store(), Path(folder) / "store"))


def check_sentences(refused: list[str]) -> None:
    for sentence in refused:
        assert "answers.sqlite" in sentence
        assert "\n" not in sentence


CHECKS = [HealthCheck.too_slow]


def test_a_schema_that_is_no_text_is_named(tmp_path: Path) -> None:
    store = copy_store(str(tmp_path))
    content = (store / "answers.sqlite").read_bytes()
    damaged = content.replace(b"tableanswers", b"table" + b"\xff" * 7).replace(b"CREATE TABLE answers", b"?" * 20)
    (store / "answers.sqlite").write_bytes(damaged)
    (sentence,) = use(store)
    assert "answers.sqlite cannot be used: its schema is damaged" in sentence


NOISE = st.binary(min_size=1, max_size=64)


def damage_bytes(noise: bytes, place: float, many: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = copy_store(folder)
        content = bytearray((store / "answers.sqlite").read_bytes())
        for number in range(many):
            start = int((place + number / many) % 1.0 * len(content))
            content[start : start + len(noise)] = noise
        (store / "answers.sqlite").write_bytes(content)
        check_sentences(use(store))


@settings(suppress_health_check=CHECKS)
@given(NOISE, st.floats(0, 1, exclude_max=True), st.sampled_from([1, 1, 3, 200]))
def test_damaged_pages_end_in_sentences(noise: bytes, place: float, many: int) -> None:
    damage_bytes(noise, place, many)


@pytest.mark.slow
@settings(suppress_health_check=CHECKS, max_examples=200 // take_every(2))
@given(NOISE, st.floats(0, 1, exclude_max=True), st.sampled_from([1, 1, 3, 200]))
def test_many_damaged_pages_end_in_sentences(noise: bytes, place: float, many: int) -> None:
    damage_bytes(noise, place, many)


def list_columns() -> list[tuple[str, str]]:
    with closing(sqlite3.connect(make_store() / "answers.sqlite")) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return [(table, row[1]) for table in tables for row in db.execute(f"PRAGMA table_info({table})")]


def put_value(table: str, column: str, value: object, *, strict: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = copy_store(folder)
        with closing(sqlite3.connect(store / "answers.sqlite", isolation_level=None)) as db:
            if not strict:  # without the constraints, as a damaged file has none
                db.execute(f"CREATE TABLE loose AS SELECT * FROM {table}")
                db.execute(f"DROP TABLE {table}")
                db.execute(f"ALTER TABLE loose RENAME TO {table}")
            with suppress(sqlite3.IntegrityError):
                db.execute(f"UPDATE {table} SET {column} = ?", (value,))
        check_sentences(use(store))


@pytest.mark.slow
@settings(suppress_health_check=CHECKS)
@given(st.data(), st.sampled_from(VALUES), st.booleans())
def test_any_value_in_a_column_ends_in_a_sentence(data: st.DataObject, value: object, strict: bool) -> None:
    put_value(*data.draw(st.sampled_from(list_columns())), value, strict=strict)


@pytest.mark.slow
def test_a_third_of_the_values_in_each_column_end_in_a_sentence() -> None:
    for number, (table, column) in enumerate(list_columns()):
        for value in VALUES[number % 3 :: 3]:
            put_value(table, column, value, strict=False)


def test_infinitely_many_requests_were_not_sent(tmp_path: Path) -> None:
    store = copy_store(str(tmp_path))
    with closing(sqlite3.connect(store / "answers.sqlite", isolation_level=None)) as db:
        db.execute("INSERT INTO sent VALUES ('session', 'somebody', ?)", (float("inf"),))
    with closing(Store(store)) as opened:
        assert opened.count_sent("session") == 3


@pytest.mark.parametrize(
    "change",
    [
        "PRAGMA user_version = 0",
        "PRAGMA user_version = 1",
        "PRAGMA user_version = 3",
        "PRAGMA user_version = -1",
        "DROP TABLE answers; CREATE TABLE answers (key TEXT)",
        "DROP TABLE texts; CREATE VIEW texts AS SELECT 1 AS key",
        "DROP TABLE processes; CREATE TABLE processes (owner TEXT)",
        "ALTER TABLE answers RENAME COLUMN body TO content",
        "CREATE TRIGGER t BEFORE INSERT ON answers BEGIN SELECT RAISE(ABORT, 'no'); END",
    ],
)
def test_another_schema_ends_in_a_sentence(tmp_path: Path, change: str) -> None:
    store = copy_store(str(tmp_path))
    with closing(sqlite3.connect(store / "answers.sqlite")) as db:
        db.executescript(change)
    refused = use(store)
    check_sentences(refused)
    assert refused


@pytest.mark.parametrize(
    "make", [Path.mkdir, lambda path: path.symlink_to(path), lambda path: path.write_bytes(b"x" * 200)]
)
def test_what_is_no_store_is_named(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / "answers.sqlite")
    (sentence,) = use(tmp_path)
    assert "answers.sqlite cannot be used: " in sentence
